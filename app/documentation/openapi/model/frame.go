package model

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/lists"
)

// Frame is the shared part of an API description. It compiles single operations
// and schemas with the same result as [Compile]. It never changes and is safe
// for concurrent use.
type Frame struct {
	root      *tree.Node
	graph     *graph.Graph
	parts     openapi.Parts    // without Frame, Schemas and Categories
	callbacks []openapi.Placed // of parts
	size      int
}

// OpenFrame decodes the parts of a document, as [spec.Read] returns them. It
// needs all operations if something in the document refers to them by path, as
// [Frame.RefersToPaths] reports, and none otherwise.
func OpenFrame(p openapi.Parts) (*Frame, error) {
	a, err := openapi.Assemble(p)
	if err != nil {
		return nil, err
	}
	f := &Frame{root: a.Root, graph: graph.New(a.Root), parts: openapi.Parts{Callbacks: p.Callbacks}, callbacks: a.Callbacks[:len(p.Callbacks)], size: len(p.Frame)}
	for _, op := range slices.Concat(p.Operations, p.Callbacks) {
		f.size += len(op.Raw)
	}
	for _, s := range p.Schemas {
		f.size += len(s.Raw)
	}
	return f, nil
}

// sent lists the callbacks of the document.
func (f *Frame) sent(ops []openapi.Operation) []openapi.Placed {
	list := slices.Concat(f.callbacks, openapi.FrameCallbacks(f.root, openapi.Parts{Operations: ops, Callbacks: f.parts.Callbacks}))
	return grouped(list, f.categorize(ops))
}

// Endpoint compiles one operation.
func (f *Frame) Endpoint(op openapi.Operation) (*Endpoint, error) {
	placed, err := openapi.Place(op)
	if err != nil {
		return nil, err
	}
	return newCompiler(f.graph).endpoint(placed), nil
}

// Callback compiles the callback of a slug, as [Frame.Outline] lists it.
func (f *Frame) Callback(slug string, ops []openapi.Operation) (*Endpoint, error) {
	for _, op := range f.sent(ops) {
		if op.Slug == slug {
			return newCompiler(f.graph).callback(op), nil
		}
	}
	return nil, fault.New(fault.NotFound, "The document has no callback %s.", slug)
}

// Schema compiles a schema of components. Its Endpoints stay empty.
func (f *Frame) Schema(name string) (*Schema, error) {
	target := f.graph.Schema(name)
	if !target.Exists() {
		return nil, fault.New(fault.NotFound, "The document has no schema %s.", name)
	}
	c := newCompiler(f.graph)
	c.at, c.fields.shallow = "schemas", true
	return c.schema(name, target), nil
}

// Auth lists the ways to authenticate of an operation with the given security
// member, nil for one without.
func (f *Frame) Auth(security json.RawMessage) ([][]AuthScheme, error) {
	raw := tree.Object()
	if len(security) > 0 {
		value, err := tree.Read(security)
		if err != nil {
			return nil, err
		}
		raw.Set("security", value)
	}
	return newCompiler(f.graph).auth(f.graph.Operation("", "", raw)), nil
}

// Outline is the table of contents of an API description.
type Outline struct {
	Servers []Server
	// Categories hold the endpoints and Callbacks the callbacks, as the fields of
	// [API] do, but only what a list shows of them: ID, Slug, Name, Category,
	// Method, Path, Callback, and of callbacks Purpose and Deprecated.
	Categories, Callbacks []*Category
}

// Outline arranges operations, which need no Raw, in the order of the
// document's tags.
func (f *Frame) Outline(ops []openapi.Operation) Outline {
	calls, callbacks := f.categorize(ops), newCategorizer(f.graph)
	for _, op := range f.sent(ops) {
		e := listed(op.Operation)
		e.Callback, e.Purpose, e.Deprecated = true, op.Purpose, op.Node.True("deprecated")
		callbacks.add(e)
	}
	o := Outline{Servers: servers(f.graph.Servers()), Categories: calls.used(), Callbacks: callbacks.used()}
	addSlugs(slices.Concat(o.Categories, o.Callbacks))
	return o
}

func (f *Frame) categorize(ops []openapi.Operation) *categorizer {
	z := newCategorizer(f.graph)
	for _, op := range ops {
		z.add(listed(op))
	}
	return z
}

// Schemas lists the named schemas that references lead to, directly or through
// other schemas, by name.
func (f *Frame) Schemas(refs []string) []string {
	seen, names := map[string]bool{}, []string{}
	for open := slices.Clone(refs); len(open) > 0; {
		ref := open[len(open)-1]
		open = open[:len(open)-1]
		to := f.root.Target(ref)
		if seen[ref] || to == nil || ref == "#" {
			continue
		}
		seen[ref] = true
		if name, ok := strings.CutPrefix(ref, "#/components/schemas/"); ok && !strings.Contains(name, "/") {
			names = append(names, tree.Unescape(tree.Tokens("/" + name)[0]))
		}
		open = append(open, refsWithin(to)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// CallbackRefs lists the references of the callbacks, by slug.
func (f *Frame) CallbackRefs(ops []openapi.Operation) map[string][]string {
	refs := lists.Pairs(f.sent(ops), func(op openapi.Placed) (string, []string) { return op.Slug, refsWithin(op.Node) })
	return refs
}

// References lists the references anywhere within an operation or another part
// of a document, as [Frame.Schemas] takes them.
func References(raw json.RawMessage) ([]string, error) {
	n, err := tree.Read(raw)
	if err != nil {
		return nil, err
	}
	return refsWithin(n), nil
}

// ReadServers reads the servers member of an operation, none where it is not a
// list of servers.
func ReadServers(raw json.RawMessage) []Server {
	list, err := tree.Read(raw)
	if err != nil {
		return nil
	}
	document := tree.Object()
	document.Set("servers", list)
	return servers(graph.New(document).Servers())
}

// refsWithin lists the references anywhere within a value.
func refsWithin(n *tree.Node) (refs []string) {
	for _, item := range n.Items {
		refs = append(refs, refsWithin(item)...)
	}
	for _, m := range n.Members {
		switch m.Key {
		case "$ref", "$recursiveRef", "$dynamicRef":
			if m.Value.Is(tree.KindString) {
				refs = append(refs, m.Value.Text)
			}
		default:
			refs = append(refs, refsWithin(m.Value)...)
		}
	}
	return refs
}

// RefersToPaths reports whether the frame, or one of the references given,
// names part of an operation by its path, so that no operation can be compiled
// without the others.
func (f *Frame) RefersToPaths(refs []string) bool {
	isPath := func(ref string) bool { return strings.HasPrefix(ref, "#/paths/") }
	return slices.ContainsFunc(refs, isPath) || slices.ContainsFunc(refsWithin(f.root), isPath)
}

// listed returns an endpoint with the fields for lists.
func listed(op openapi.Operation) *Endpoint {
	return &Endpoint{ID: op.ID, Slug: op.Slug, Name: op.Name, Category: cmp.Or(op.Category, Untagged), Method: op.Method, Path: op.Path}
}
