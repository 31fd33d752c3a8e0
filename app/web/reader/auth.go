package reader

import (
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader"
)

// newEndpointAuth maps the ways to authenticate a call. A key that the body can hold
// under the name of its query parameter is shown there, as in the samples: addresses
// are logged.
func newEndpointAuth(e *model.Endpoint) []views.AuthScheme {
	list := newAuth(e.Auth)
	for _, b := range e.Bodies {
		if b.Root == nil || !strings.Contains(b.ContentType, "json") {
			continue
		}
		for _, f := range b.Root.Children {
			for i := range list {
				if list[i].Sends == "?"+f.Name+"=<API_KEY>" {
					list[i].Sends = `"` + f.Name + `": "<API_KEY>"`
				}
			}
		}
	}
	return list
}

// newAuth lists the schemes of each alternative.
func newAuth(alternatives [][]model.AuthScheme) []views.AuthScheme {
	var list []views.AuthScheme
	for _, a := range reference.Schemes(alternatives) {
		list = append(list, views.AuthScheme{Name: a.Name, Sends: a.Sends, Note: prose(a.Description), Scopes: a.Scopes, Joined: a.Joined})
	}
	return list
}
