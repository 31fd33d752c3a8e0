package graph

import (
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// Server is a Server Object.
type Server struct{ Object }

// Servers lists the servers of the document.
func (g *Graph) Servers() []Server { return servers(g, g.root.List("servers")) }

func servers(g *Graph, list []*tree.Node) (made []Server) {
	return lists.Map(list, func(n *tree.Node) Server { return Server{Object{g, n}} })
}

// Template returns the address with its variables in braces.
func (s Server) Template() string { return s.n.Str("url") }

// URL returns the address with the defaults of its variables.
func (s Server) URL() string {
	url := s.Template()
	for _, v := range s.Variables() {
		url = strings.ReplaceAll(url, "{"+v.Name+"}", v.Value.Default())
	}
	return url
}

// Variables lists the variables of the address by name.
func (s Server) Variables() (list []Named[Variable]) {
	return lists.Map(s.n.Entries("variables"), func(m tree.Member) Named[Variable] { return Named[Variable]{m.Key, Variable{Object{s.g, m.Value}}} })
}

// Variable is a Server Variable Object.
type Variable struct{ Object }

// Default returns the value that is sent when nobody chooses another.
func (v Variable) Default() string { return v.n.Get("default").Display() }

// Enum lists the only values allowed.
func (v Variable) Enum() []string { return tree.Texts(v.n.List("enum")) }

// Requirement is a Security Requirement Object: schemes that are needed
// together. Without any, no credential is needed.
type Requirement struct {
	Object
	Schemes []Needed
}

// Needed is a scheme of a requirement.
type Needed struct {
	Name   string
	Scopes []string
	Scheme SecurityScheme // does not exist where the components lack it
}

// Security lists the alternatives of the document; ok is false where it does
// not say.
func (g *Graph) Security() (list []Requirement, ok bool) {
	n := g.root.Get("security")
	return g.requirements(n), n != nil
}

func (g *Graph) requirements(n *tree.Node) (list []Requirement) {
	for _, item := range n.Elements() {
		r := Requirement{Object: Object{g, item}}
		for _, m := range item.Members {
			r.Schemes = append(r.Schemes, Needed{m.Key, tree.Texts(m.Value.Values()), g.SecurityScheme(m.Key)})
		}
		list = append(list, r)
	}
	return list
}

// SecurityScheme is a Security Scheme Object.
type SecurityScheme struct{ Object }

// SecuritySchemes lists the schemes of the components by name, in order.
func (g *Graph) SecuritySchemes() []Named[SecurityScheme] {
	return named(Object{g, g.root.Get("components")}, "securitySchemes", func(o Object) SecurityScheme { return SecurityScheme{o} })
}

// SecurityScheme returns the scheme with the name.
func (g *Graph) SecurityScheme(name string) SecurityScheme {
	return SecurityScheme{Object{g, g.root.Get("components").Get("securitySchemes").Get(name)}.follow()}
}

// Type returns apiKey, http, oauth2, openIdConnect or mutualTLS.
func (s SecurityScheme) Type() string { return s.n.Str("type") }

// In returns the place of an API key: query, header or cookie.
func (s SecurityScheme) In() string { return s.n.Str("in") }

// Field returns the name of the header, parameter or cookie of an API key.
func (s SecurityScheme) Field() string { return s.n.Str("name") }

// Scheme returns the scheme of HTTP authentication in lower case (RFC 9110).
func (s SecurityScheme) Scheme() string { return strings.ToLower(s.n.Str("scheme")) }
