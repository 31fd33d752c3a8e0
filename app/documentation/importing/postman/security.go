package postman

import (
	"cmp"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

// security returns the security of a request, from itself or the nearest folder, and
// the header that has its credential, in lower case.
func (c *converter) security(around *scope, name string) (list *tree.Node, header string) {
	auth := around.credential()
	if auth == nil {
		return nil, ""
	}
	kind := auth.Str("type")
	if kind == "noauth" || kind == "" {
		return tree.Array(), ""
	}
	scheme := c.scheme(auth, kind, name)
	if scheme.Str("type") == "apiKey" && scheme.Str("in") == "header" {
		header = strings.ToLower(scheme.Str("name"))
	}
	return tree.Array(tree.Object(tree.Member{Key: c.schemeName(scheme, kind), Value: tree.Array()})), header
}

// schemeName finds the name of a scheme, or adds it.
func (c *converter) schemeName(scheme *tree.Node, kind string) string {
	taken := map[string]bool{}
	for _, m := range c.schemes.Members {
		if m.Value.Equal(scheme) {
			return m.Key
		}
		taken[m.Key] = true
	}
	base := map[string]string{"apikey": "apiKey", "oauth2": "oauth2", "bearer": "bearer", "basic": "basic"}[kind]
	name := naming.Unique(taken, cmp.Or(base, naming.Slug(kind), "scheme"), "")
	c.schemes.Append(name, scheme)
	return name
}

// attributes reads the attributes of an authorisation: a list of pairs in 2.1, an
// object in 2.0.
func attributes(auth *tree.Node, kind string) func(key string) string {
	n := auth.Get(kind)
	return func(key string) string {
		for _, a := range n.Elements() {
			if a.Str("key") == key {
				return a.Get("value").Display()
			}
		}
		return n.Get(key).Display()
	}
}

// scheme describes how a request is authorised, without its credentials.
func (c *converter) scheme(auth *tree.Node, kind, name string) *tree.Node {
	get := attributes(auth, kind)
	text := func(key, value string) tree.Member { return tree.Member{Key: key, Value: tree.String(value)} }
	for _, key := range []string{"value", "password", "token", "accessToken", "clientSecret", "secretKey"} {
		if v := get(key); v != "" && !variable.MatchString(v) {
			c.add(finding.Dropped, auth, name, "The collection has a credential for %s. It is left out: documentation has no credentials.", kind)
		}
	}
	switch kind {
	case "apikey":
		in := cmp.Or(get("in"), "header")
		if in != "query" {
			in = "header"
		}
		return tree.Object(text("type", "apiKey"), text("in", in), text("name", cmp.Or(get("key"), "apikey")))
	case "basic", "bearer", "digest":
		return tree.Object(text("type", "http"), text("scheme", kind))
	case "jwt":
		return tree.Object(text("type", "http"), text("scheme", "bearer"), text("bearerFormat", "JWT"))
	case "oauth2":
		return c.oauth2(auth, get, name)
	}
	c.add(finding.Kept, auth, name, "OpenAPI has no security type for %.40s. The name is kept as an HTTP scheme.", kind)
	return tree.Object(text("type", "http"), text("scheme", naming.Slug(kind)), text("description", "Authorisation by "+kind))
}

func (c *converter) oauth2(auth *tree.Node, get func(string) string, name string) *tree.Node {
	grant := get("grant_type")
	flow := map[string]string{"authorization_code": "authorizationCode", "authorization_code_with_pkce": "authorizationCode", "implicit": "implicit",
		"password_credentials": "password", "client_credentials": "clientCredentials"}[grant]
	tokens, authorises := get("accessTokenUrl"), get("authUrl")
	if flow == "" {
		flow = "clientCredentials"
		if authorises != "" {
			flow = "authorizationCode"
		}
	}
	made := tree.Object()
	add := func(key, value string) {
		if value == "" || variable.MatchString(value) {
			c.add(finding.Repaired, auth, name, "OAuth 2 has no %s in the collection. The address / is filled in.", key)
			value = "/"
		}
		made.Append(key, tree.String(value))
	}
	if flow == "authorizationCode" || flow == "implicit" {
		add("authorizationUrl", authorises)
	}
	if flow != "implicit" {
		add("tokenUrl", tokens)
	}
	scopes := tree.Object()
	for _, s := range strings.Fields(get("scope")) {
		scopes.Set(s, tree.String(""))
	}
	made.Append("scopes", scopes)
	return tree.Object(tree.Member{Key: "type", Value: tree.String("oauth2")}, tree.Member{Key: "flows", Value: tree.Object(tree.Member{Key: flow, Value: made})})
}
