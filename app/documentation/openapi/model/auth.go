package model

import "heliograph/app/documentation/openapi/graph"

// auth lists the alternatives of an operation, or of the document.
func (c *compiler) auth(op graph.Operation) [][]AuthScheme {
	var alternatives [][]AuthScheme
	requirements, declared := op.Security()
	if declared {
		alternatives = [][]AuthScheme{}
	}
	for _, requirement := range requirements {
		together := []AuthScheme{}
		for _, needed := range requirement.Schemes {
			if !needed.Scheme.Exists() {
				c.warn(c.at, "The security scheme %.80q is not in components.", needed.Name)
				continue
			}
			together = append(together, authScheme(needed))
		}
		alternatives = append(alternatives, together)
	}
	return alternatives
}

// authScheme finds the place of a credential. Tokens go into Authorization.
func authScheme(needed graph.Needed) AuthScheme {
	scheme := needed.Scheme
	s := AuthScheme{Name: needed.Name, Kind: scheme.Type(), Scopes: needed.Scopes, Description: scheme.Description()}
	switch s.Kind {
	case "apiKey":
		s.In, s.Field = scheme.In(), scheme.Field()
	case "http":
		s.Kind, s.In, s.Field = scheme.Scheme(), "header", "Authorization"
	case "oauth2", "openIdConnect":
		s.In, s.Field = "header", "Authorization"
	}
	return s
}
