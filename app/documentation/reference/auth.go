package reference

import (
	"cmp"

	"heliograph/app/documentation/openapi/model"
)

// Scheme is a way to authenticate, in words.
type Scheme struct {
	Name        string
	Sends       string // the header or parameter with a placeholder: "apikey: <API_KEY>"; may be empty
	Description string // Markdown
	Scopes      []string
	Joined      bool // needed together with the scheme before it, rather than instead
}

// Schemes lists the schemes of each alternative. An alternative without any means
// that a call needs no credential.
func Schemes(alternatives [][]model.AuthScheme) []Scheme {
	var list []Scheme
	for _, together := range alternatives {
		if len(together) == 0 && len(alternatives) > 1 {
			list = append(list, Scheme{Name: "No credential"})
		}
		for i, a := range together {
			name := cmp.Or(schemeNames[a.Kind], a.Name)
			list = append(list, Scheme{Name: name, Sends: sends(a), Description: a.Description, Scopes: a.Scopes, Joined: i > 0})
		}
	}
	return list
}

// schemeNames are the names of the kinds of schemes; other kinds have the
// document's name.
var schemeNames = map[string]string{
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
	case schemeNames[a.Kind] == "":
		return a.Field + ": " + a.Kind + " <CREDENTIALS>"
	}
	return a.Field + ": Bearer <ACCESS_TOKEN>"
}
