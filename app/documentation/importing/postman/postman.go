// Package postman rewrites Postman collections of the formats 2.0 and 2.1 as OpenAPI
// 3.1. It is pure. Requests become operations, folders become tags, and saved
// responses become examples with the parameters and bodies of their own requests.
// Requests with the same method and path become examples of one operation.
// Credentials are never taken over.
package postman

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/importing/finding"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// Convert returns a collection as OpenAPI 3.1. The nodes of the result have the lines
// and columns of the source.
func Convert(root *tree.Node, found *finding.List) (*tree.Node, error) {
	c := &converter{
		found:     found,
		byKey:     map[string]*operation{},
		templates: map[string]*address{},
		tagged:    map[string]bool{},
		tags:      tree.Array(),
		schemes:   tree.Object(),
		hosts:     map[string]int{},
		servers:   map[string]*tree.Node{},
	}
	all := &scope{variables: variables(root), auth: root.Get("auth")}
	if err := c.items(root.Get("item"), all, nil); err != nil {
		return nil, err
	}
	if c.scripts > 0 {
		c.add(finding.Dropped, root, "event", "Scripts run before or after %d requests and folders. Documentation has no scripts: they are left out.", c.scripts)
	}
	info := root.Get("info")
	version := info.Get("version")
	number := cmp.Or(version.Display(), "1.0")
	if version.Is(tree.KindObject) { // 2.x may have the parts of a semantic version
		number = strings.Join([]string{version.Get("major").Display(), version.Get("minor").Display(), version.Get("patch").Display()}, ".")
	}
	out := at(root, tree.Object())
	out.Append("openapi", tree.String("3.1.1"))
	about := at(info, tree.Object(tree.Member{Key: "title", Value: at(info.Get("name"), tree.String(cmp.Or(info.Str("name"), "API")))},
		tree.Member{Key: "version", Value: tree.String(number)}))
	if d := description(info.Get("description")); d != "" {
		about.Append("description", tree.String(d))
	}
	out.Append("info", about)
	main := c.mainServer()
	if main != "" {
		out.Append("servers", tree.Array(c.servers[main]))
	}
	if len(c.tags.Items) > 0 {
		out.Append("tags", c.tags)
	}
	out.Append("paths", c.paths(main))
	if len(c.schemes.Members) > 0 {
		out.Append("components", tree.Object(tree.Member{Key: "securitySchemes", Value: c.schemes}))
	}
	return out, nil
}

// converter collects the operations of a collection.
type converter struct {
	found *finding.List
	list  []*operation
	byKey map[string]*operation // by method and path without the names of parameters
	// templates are the first address of each path, which names its parameters.
	templates map[string]*address
	tagged    map[string]bool
	tags      *tree.Node
	schemes   *tree.Node
	hosts     map[string]int        // how many operations use an address
	servers   map[string]*tree.Node // Server Objects by address
	order     []string              // of the addresses
	scripts   int
}

// scope is what a folder passes to its requests.
type scope struct {
	parent    *scope
	variables map[string]string
	auth      *tree.Node
	tag       string
}

// value returns the value of a variable.
func (s *scope) value(name string) (string, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.variables[name]; ok {
			return v, true
		}
	}
	return "", false
}

// credential returns the nearest authorisation.
func (s *scope) credential() *tree.Node {
	for ; s != nil; s = s.parent {
		if s.auth.Is(tree.KindObject) {
			return s.auth
		}
	}
	return nil
}

func (c *converter) add(action finding.Action, n *tree.Node, place, format string, values ...any) {
	c.found.Add(action, n, place, format, values...)
}

// items converts the items of a folder.
func (c *converter) items(list *tree.Node, around *scope, names []string) error {
	for _, n := range list.Elements() {
		if len(n.List("event")) > 0 {
			c.scripts++
		}
		name := strings.TrimSpace(n.Str("name"))
		if n.Get("item") != nil {
			path := append(names[:len(names):len(names)], cmp.Or(name, "Folder"))
			inner := &scope{parent: around, variables: variables(n), auth: n.Get("auth"), tag: strings.Join(path, " / ")}
			if holdsRequests(n) {
				c.tag(n, inner.tag)
			}
			if err := c.items(n.Get("item"), inner, path); err != nil {
				return err
			}
			continue
		}
		if err := c.request(n, around); err != nil {
			return err
		}
	}
	return nil
}

func holdsRequests(folder *tree.Node) bool {
	return slices.ContainsFunc(folder.List("item"), func(n *tree.Node) bool { return n.Get("item") == nil })
}

func (c *converter) tag(folder *tree.Node, name string) {
	if c.tagged[name] {
		return
	}
	c.tagged[name] = true
	t := at(folder, tree.Object(tree.Member{Key: "name", Value: at(folder.Get("name"), tree.String(name))}))
	if d := description(folder.Get("description")); d != "" {
		t.Append("description", at(folder.Get("description"), tree.String(d)))
	}
	c.tags.Items = append(c.tags.Items, t)
}

// mainServer returns the address that most operations use.
func (c *converter) mainServer() (main string) {
	for _, address := range c.order {
		if main == "" || c.hosts[address] > c.hosts[main] {
			main = address
		}
	}
	return main
}

// paths writes the operations.
func (c *converter) paths(main string) *tree.Node {
	out := tree.Object()
	for _, o := range c.list {
		item := out.Get(o.path)
		if item == nil {
			item = at(o.node, tree.Object())
			out.Append(o.path, item)
		}
		item.Append(o.method, o.object(c, main))
	}
	return out
}

// variables lists the variables that an item declares.
func variables(n *tree.Node) map[string]string {
	made := map[string]string{}
	for _, v := range n.List("variable") {
		if key := cmp.Or(v.Str("key"), v.Str("id")); key != "" && !v.True("disabled") && v.Str("type") != "secret" {
			made[key] = v.Get("value").Display()
		}
	}
	return made
}

// description returns a text that is a string or an object with content.
func description(n *tree.Node) string {
	if n.Is(tree.KindObject) {
		n = n.Get("content")
	}
	if n.Is(tree.KindString) {
		return strings.TrimSpace(n.Text)
	}
	return ""
}

// at gives a new node the place of another one in the source.
func at(source, n *tree.Node) *tree.Node {
	if source != nil {
		n.Line, n.Column = source.Line, source.Column
	}
	return n
}

// methods are the methods that OpenAPI 3.1 has.
var methods = map[string]bool{"get": true, "put": true, "post": true, "delete": true, "options": true, "head": true, "patch": true, "trace": true}

// request converts a request with its saved responses.
func (c *converter) request(n *tree.Node, around *scope) error {
	r := n.Get("request")
	if r.Is(tree.KindString) { // an address alone is a GET
		r = at(r, tree.Object(tree.Member{Key: "url", Value: r}))
	}
	name := cmp.Or(strings.TrimSpace(n.Str("name")), "Request")
	if !r.Is(tree.KindObject) {
		c.add(finding.Dropped, n, name, "The item %.80q has neither requests nor a request. It is left out.", name)
		return nil
	}
	method := strings.ToLower(cmp.Or(r.Str("method"), "GET"))
	if !methods[method] {
		c.add(finding.Dropped, r.Get("method"), name, "OpenAPI 3.1 has no method %.20q. The request %.80q is left out.", strings.ToUpper(method), name)
		return nil
	}
	inner := &scope{parent: around, auth: r.Get("auth"), tag: around.tag}
	a := c.address(r.Get("url"), inner, name)
	template := a.template()
	if first := c.templates[template]; first != nil {
		a.rename(first.names)
		a.path = first.path
	} else {
		c.templates[template] = a
	}
	key := method + " " + template
	o := c.byKey[key]
	if o == nil {
		o = c.newOperation(method, name, a, n, inner)
		c.byKey[key] = o
	} else {
		c.add(finding.Noted, n, name, "The request %.80q has the method and path of %.80q, %s %s. It became an example of that endpoint.", name, o.name, strings.ToUpper(method), o.path)
		o.repeats++
	}
	responses := n.List("response")
	sent := c.sent(r, a, inner, name)
	if len(responses) == 0 || o.repeats > 0 || sent.hasBody() && !c.isSaved(sent, responses, inner) {
		o.take(sent, o.exampleKey(name), name, description(r.Get("description")))
	} else {
		o.declare(sent)
	}
	for _, saved := range responses {
		c.response(o, saved, a, inner)
	}
	if len(o.keys) > maxExamples || len(o.parameters) > maxParameters {
		return fault.New(fault.TooLarge, "The collection has over %d examples or %d parameters of %s %s. Split it into smaller collections.", maxExamples, maxParameters, strings.ToUpper(method), o.path)
	}
	return nil
}

// The most that one operation can have.
const (
	maxExamples   = 5000
	maxParameters = 1000
)

func (c *converter) newOperation(method, name string, a *address, n *tree.Node, around *scope) *operation {
	o := &operation{method: method, path: a.path, names: a.names, name: name, node: n, tag: around.tag, keys: map[string]bool{}, media: tree.Object(), responses: tree.Object()}
	o.description = description(n.Get("request").Get("description"))
	o.description = cmp.Or(o.description, description(n.Get("description")))
	o.server = c.server(a, n)
	o.security, o.secret = c.security(around, name)
	c.list = append(c.list, o)
	return o
}

// exampleKey returns a free name for an example.
func (o *operation) exampleKey(name string) string {
	return naming.Unique(o.keys, cmp.Or(naming.Slug(name), "example"), "-")
}
