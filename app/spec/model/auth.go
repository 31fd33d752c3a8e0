package model

import (
	"strings"

	"heliograph/app/spec/tree"
)

// auth lists the alternatives of an operation, or those of the document.
func (c *compiler) auth(raw *tree.Node) [][]AuthScheme {
	security := raw.Get("security")
	if security == nil {
		security = c.root.Get("security")
	}
	if !security.Is(tree.KindArray) {
		return nil
	}
	var alternatives [][]AuthScheme
	for _, requirement := range security.Items {
		together := []AuthScheme{}
		for _, m := range requirement.Members {
			scheme := c.root.Follow(c.root.Get("components").Get("securitySchemes").Get(m.Key))
			if scheme == nil {
				c.warn(c.at, "The security scheme %.80q is not in components.", m.Key)
				continue
			}
			together = append(together, authScheme(m.Key, scheme, tree.Texts(m.Value.Values())))
		}
		alternatives = append(alternatives, together)
	}
	return alternatives
}

// authScheme says where a credential goes. Tokens go into Authorization.
func authScheme(name string, n *tree.Node, scopes []string) AuthScheme {
	s := AuthScheme{Name: name, Kind: n.Str("type"), Scopes: scopes, Description: n.Str("description")}
	switch s.Kind {
	case "apiKey":
		s.In, s.Field = n.Str("in"), n.Str("name")
	case "http":
		s.Kind, s.In, s.Field = strings.ToLower(n.Str("scheme")), "header", "Authorization"
	case "oauth2", "openIdConnect":
		s.In, s.Field = "header", "Authorization"
	}
	return s
}
