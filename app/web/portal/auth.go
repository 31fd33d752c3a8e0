package portal

import (
	"heliograph/app/spec/model"
	views "heliograph/views/portal"
)

// newAuth lists the schemes of each alternative. An alternative without any
// says that no credential will do as well.
func newAuth(alternatives [][]model.AuthScheme) []views.AuthScheme {
	var list []views.AuthScheme
	for _, together := range alternatives {
		if len(together) == 0 && len(alternatives) > 1 {
			list = append(list, views.AuthScheme{Name: "No credential"})
		}
		for i, a := range together {
			list = append(list, views.AuthScheme{
				Name: kinds[a.Kind], Sends: sends(a), Note: prose(a.Description), Scopes: a.Scopes, Joined: i > 0,
			})
			if kinds[a.Kind] == "" {
				list[len(list)-1].Name = a.Name
			}
		}
	}
	return list
}

// kinds are the ways to authenticate in words; others have the document's name.
var kinds = map[string]string{
	"apiKey": "API key", "basic": "User name and password", "bearer": "Bearer token", "oauth2": "OAuth 2.0",
	"openIdConnect": "OpenID Connect", "mutualTLS": "Client certificate",
}

// sends shows where a credential goes.
func sends(a model.AuthScheme) string {
	switch {
	case a.In == "":
		return ""
	case a.Kind == "apiKey" && a.In == "query":
		return "?" + a.Field + "=<API_KEY>"
	case a.Kind == "apiKey" && a.In == "cookie":
		return "Cookie: " + a.Field + "=<API_KEY>"
	case a.Kind == "apiKey":
		return a.Field + ": <API_KEY>"
	case a.Kind == "basic":
		return a.Field + ": Basic <USERNAME>:<PASSWORD>"
	case kinds[a.Kind] == "":
		return a.Field + ": " + a.Kind + " <CREDENTIALS>"
	}
	return a.Field + ": Bearer <ACCESS_TOKEN>"
}
