// Package graph is a typed view of an OpenAPI 3.1 document: operations,
// parameters, bodies, responses, callbacks, webhooks, security, servers, and
// schemas of JSON Schema 2020-12 with every keyword of its vocabularies.
//
// A graph copies nothing. Each of its values is a node of the document's tree
// with methods that read it, so that a graph is made in no time, shares the
// memory of the tree and is safe for concurrent use as long as nobody changes
// the tree. Values are comparable: two are equal when they are the same node.
// A named schema is therefore one value however often it is referred to,
// references are edges, and schemas may form cycles. A value that a document
// lacks has Exists false and answers every question with nothing.
//
// Nothing here recurses, save [Schema.Walk], which visits a schema once.
package graph

import (
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// Graph is a document.
type Graph struct {
	root  *tree.Node
	names map[*tree.Node]string // of the schemas in components
	index *index
}

// New returns the graph of a document, as spec.Assemble puts it together.
func New(root *tree.Node) *Graph {
	g := &Graph{root: root, names: map[*tree.Node]string{}, index: &index{root: root}}
	for _, m := range root.Get("components").Entries("schemas") {
		g.names[m.Value] = m.Key
	}
	return g
}

// Object is what all values of a graph have.
type Object struct {
	g *Graph
	n *tree.Node
}

// Exists reports whether the document has the value.
func (o Object) Exists() bool { return o.n != nil }

// Node returns the node of the tree, nil where there is none.
func (o Object) Node() *tree.Node { return o.n }

// Line returns the line of the source, 0 when it is not known.
func (o Object) Line() int {
	if o.n == nil {
		return 0
	}
	return int(o.n.Line)
}

// Pointer returns the JSON pointer of the value (RFC 6901). It is "" for the
// document itself and for what is not part of it.
func (o Object) Pointer() string {
	if o.g == nil {
		return ""
	}
	return o.g.index.pointer(o.n)
}

// Summary returns the member summary.
func (o Object) Summary() string { return o.n.Str("summary") }

// Description returns the member description, which is Markdown.
func (o Object) Description() string { return o.n.Str("description") }

// Deprecated reports whether the value is marked as deprecated.
func (o Object) Deprecated() bool { return o.n.True("deprecated") }

// Extension returns the value of an extension, nil where there is none.
func (o Object) Extension(name string) *tree.Node { return o.n.Get(name) }

// ExternalDocs returns the address of further documentation, "" for none.
func (o Object) ExternalDocs() string { return o.n.Get("externalDocs").Str("url") }

// get returns a member as a value of the graph.
func (o Object) get(key string) Object { return Object{o.g, o.n.Get(key)} }

// follow resolves a Reference Object. A reference without a target does not exist.
func (o Object) follow() Object {
	if o.g == nil {
		return o
	}
	return Object{o.g, o.g.root.Follow(o.n)}
}

// Named is a value and the key that a document has it under.
type Named[T any] struct {
	Name  string
	Value T
}

// named lists the members of an object member; references are followed.
func named[T any](o Object, key string, view func(Object) T) (list []Named[T]) {
	return lists.Map(o.n.Entries(key), func(m tree.Member) Named[T] { return Named[T]{m.Key, view(Object{o.g, m.Value}.follow())} })
}

// Entries returns the members of an object at the top of the document, such as an
// extension.
func (g *Graph) Entries(name string) []tree.Member { return g.root.Entries(name) }

func (g *Graph) info() Object { return Object{g, g.root.Get("info")} }

// Info returns the Info Object.
func (g *Graph) Info() Info { return Info{g.info()} }

// Info is the Info Object of a document.
type Info struct{ Object }

// Title returns the title of the document.
func (i Info) Title() string { return i.n.Str("title") }

// Version returns the version of what the document describes.
func (i Info) Version() string { return i.n.Str("version") }

// Tags lists the Tag Objects, in order.
func (g *Graph) Tags() (list []Tag) {
	return lists.Map(g.root.List("tags"), func(n *tree.Node) Tag { return Tag{Object{g, n}} })
}

// Tag is a Tag Object, which groups operations.
type Tag struct{ Object }

// Name returns the name that operations give.
func (t Tag) Name() string { return t.n.Str("name") }

// Schemas lists the schemas of the components, in order.
func (g *Graph) Schemas() (list []Schema) {
	return lists.Map(g.root.Get("components").Entries("schemas"), func(m tree.Member) Schema { return schemaOf(Object{g, m.Value}) })
}

// Schema returns the schema of the components with the name.
func (g *Graph) Schema(name string) Schema {
	return schemaOf(Object{g, g.root.Get("components").Get("schemas").Get(name)})
}

// SchemaAt returns the schema of a node, which need not be part of the document.
func (g *Graph) SchemaAt(n *tree.Node) Schema { return schemaOf(Object{g, n}) }

// Resolve returns what a reference within the document names: a JSON pointer
// (#/components/schemas/Pet) or an anchor (#pet), as $ref and $dynamicRef have
// them. A dynamic anchor resolves to the first of its name in the document.
func (g *Graph) Resolve(ref string) Object {
	fragment, ok := strings.CutPrefix(ref, "#")
	switch {
	case !ok:
		return Object{g, nil}
	case fragment == "" || fragment[0] == '/':
		return Object{g, g.root.Target(ref)}
	}
	return Object{g, g.index.anchor(fragment)}
}
