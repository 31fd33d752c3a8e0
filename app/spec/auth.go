package spec

// auth lists the alternatives of an operation, or those of the document.
func (c *compiler) auth(raw *node) [][]AuthScheme {
	security := raw.get("security")
	if security == nil {
		security = c.root.get("security")
	}
	if !security.is(kindArray) {
		return nil
	}
	var alternatives [][]AuthScheme
	for _, requirement := range security.items {
		together := []AuthScheme{}
		for _, m := range requirement.members {
			scheme := follow(c.root, c.root.get("components").get("securitySchemes").get(m.key))
			if scheme == nil {
				c.warn(c.at, "The security scheme %.80q is not in components.", m.key)
				continue
			}
			together = append(together, authScheme(m.key, scheme, texts(values(m.value))))
		}
		alternatives = append(alternatives, together)
	}
	return alternatives
}

// authScheme says where a credential goes. Tokens go into Authorization.
func authScheme(name string, n *node, scopes []string) AuthScheme {
	s := AuthScheme{Name: name, Kind: n.str("type"), Scopes: scopes, Description: n.str("description")}
	switch s.Kind {
	case "apiKey":
		s.In, s.Field = n.str("in"), n.str("name")
	case "http":
		s.Kind, s.In, s.Field = lower(n.str("scheme")), "header", "Authorization"
	case "oauth2", "openIdConnect":
		s.In, s.Field = "header", "Authorization"
	}
	return s
}
