package postman

import (
	"cmp"
	"strings"

	"heliograph/app/documentation/openapi/model"
)

// auth is the authentication of a request: a member named for its type holds
// its attributes.
type auth struct {
	Type   string      `json:"type"`
	APIKey []attribute `json:"apikey,omitempty"`
	Basic  []attribute `json:"basic,omitempty"`
	Bearer []attribute `json:"bearer,omitempty"`
}

type attribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Type  string `json:"type"`
}

// secretsOf lists the variables of a credential.
func secretsOf(s model.AuthScheme) []string {
	switch {
	case s.Kind == "apiKey":
		return []string{variableName(s.Field)}
	case s.Kind == "basic":
		return []string{variableName(s.Name) + "_username", variableName(s.Name) + "_password"}
	case s.Field == "Authorization":
		return []string{variableName(s.Name) + "_token"}
	}
	return nil
}

// variableName returns a name for a variable: letters, digits, _ and -.
func variableName(name string) string {
	return cmp.Or(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name), "value")
}

func reference(name string) string { return "{{" + name + "}}" }

// authOf returns the authentication of the first alternative. A request has one;
// the other credentials of the alternative are headers or parameters.
func authOf(e *model.Endpoint) (a auth, rest []model.AuthScheme) {
	a.Type = "noauth"
	if len(e.Auth) == 0 {
		return a, nil
	}
	for _, s := range e.Auth[0] {
		keys := secretsOf(s)
		switch {
		case len(keys) == 0: // such as a certificate
		case a.Type != "noauth" || s.In == "cookie":
			rest = append(rest, s)
		case s.Kind == "apiKey":
			a.Type, a.APIKey = "apikey", []attribute{{"key", s.Field, "string"}, {"value", reference(keys[0]), "string"}, {"in", s.In, "string"}}
		case s.Kind == "basic":
			a.Type, a.Basic = "basic", []attribute{{"username", reference(keys[0]), "string"}, {"password", reference(keys[1]), "string"}}
		default:
			a.Type, a.Bearer = "bearer", []attribute{{"token", reference(keys[0]), "string"}}
		}
	}
	return a, rest
}
