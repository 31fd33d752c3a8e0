package portal

import (
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/reference"
	views "heliograph/views/portal"
)

// newAuth lists the schemes of each alternative.
func newAuth(alternatives [][]model.AuthScheme) []views.AuthScheme {
	var list []views.AuthScheme
	for _, a := range reference.Schemes(alternatives) {
		list = append(list, views.AuthScheme{Name: a.Name, Sends: a.Sends, Note: prose(a.Description), Scopes: a.Scopes, Joined: a.Joined})
	}
	return list
}
