package graph

import (
	"iter"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// methods are the members of a Path Item that hold operations, as they are
// written there.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// Operation is an Operation Object: a call, one of its variants, or what a
// webhook or a callback sends.
type Operation struct {
	Object
	Method string // upper case
	Route  string // the path, the name of a webhook, or the expression of a callback

	item Object // Path Item
	base Object // the operation of which it is a variant
}

// Operations lists the operations of the document's paths, in order; those that
// have variants by their variants.
func (g *Graph) Operations() []Operation { return g.items(Object{g, g.root.Get("paths")}, true) }

// Webhooks lists the operations under webhooks, in order.
func (g *Graph) Webhooks() []Operation { return g.items(Object{g, g.root.Get("webhooks")}, false) }

// Operation returns the operation of an object that need not be part of the
// document. It has no Path Item.
func (g *Graph) Operation(method, route string, n *tree.Node) Operation {
	return Operation{Object: Object{g, n}, Method: strings.ToUpper(method), Route: route}
}

// items lists the operations of Path Items by their routes.
func (g *Graph) items(o Object, paths bool) (list []Operation) {
	if !o.n.Is(tree.KindObject) {
		return nil
	}
	for _, m := range o.n.Members {
		if paths && !strings.HasPrefix(m.Key, "/") {
			continue
		}
		item := Object{g, m.Value}.follow()
		if !item.n.Is(tree.KindObject) {
			continue
		}
		for _, c := range item.n.Members {
			if !slices.Contains(methods, c.Key) || !c.Value.Is(tree.KindObject) {
				continue
			}
			op := Operation{Object{g, c.Value}, strings.ToUpper(c.Key), m.Key, item, Object{}}
			variants := op.n.List("x-variants")
			for _, v := range variants {
				list = append(list, Operation{Object{g, v}, op.Method, op.Route, item, op.Object})
			}
			if len(variants) == 0 {
				list = append(list, op)
			}
		}
	}
	return list
}

// ID returns the operationId, "" when the document has none.
func (o Operation) ID() string { return o.n.Str("operationId") }

// Path returns the path as readers see it: x-path, else the route.
func (o Operation) Path() string {
	if path := o.n.Str("x-path"); path != "" {
		return path
	}
	return o.Route
}

// Base returns the operation of which this one is a variant.
func (o Operation) Base() Operation {
	return Operation{Object: o.base, Method: o.Method, Route: o.Route, item: o.item}
}

// Item returns the Path Item. Its summary, description and extensions hold
// for all its operations.
func (o Operation) Item() Object { return o.item }

// Tags lists the names of tags.
func (o Operation) Tags() []string { return tree.Texts(o.n.List("tags")) }

// Parameters lists the parameters: first the parameters of the Path Item that the operation
// does not replace, then its own. References are followed; a parameter that
// has no target does not exist.
func (o Operation) Parameters() (list []Parameter) {
	own := map[string]bool{}
	for _, n := range o.n.List("parameters") {
		p := Parameter{Object{o.g, n}.follow()}
		own[p.In()+" "+p.Name()] = true
	}
	for _, n := range o.item.n.List("parameters") {
		if p := (Parameter{Object{o.g, n}.follow()}); !own[p.In()+" "+p.Name()] {
			list = append(list, p)
		}
	}
	for _, n := range o.n.List("parameters") {
		list = append(list, Parameter{Object{o.g, n}.follow()})
	}
	return list
}

// Body returns the request body.
func (o Operation) Body() Body { return Body{o.get("requestBody").follow()} }

// Responses lists the responses by status: 200, 4XX or default.
func (o Operation) Responses() (list []Named[Response]) {
	all := named(o.Object, "responses", func(r Object) Response { return Response{r} })
	return slices.DeleteFunc(all, func(r Named[Response]) bool { return strings.HasPrefix(r.Name, "x-") })
}

// Callbacks lists what is sent back, by name: each has operations, and their Route
// is a runtime expression.
func (o Operation) Callbacks() []Named[[]Operation] {
	return named(o.Object, "callbacks", func(c Object) []Operation { return o.g.items(c, false) })
}

// Servers lists the base addresses: its own, else the Path Item's, else
// the document's.
func (o Operation) Servers() []Server {
	for _, holder := range []Object{o.Object, o.item} {
		if list := holder.n.List("servers"); len(list) > 0 {
			return servers(o.g, list)
		}
	}
	return o.g.Servers()
}

// Security lists the alternatives, either of which will do: its own, else those
// of the document. ok is false where neither says anything.
func (o Operation) Security() (list []Requirement, ok bool) {
	if n := o.n.Get("security"); n != nil {
		return o.g.requirements(n), true
	}
	return o.g.Security()
}

// Schemas goes through the schemas that the operation itself uses, and those
// that they refer to, each once: of parameters, bodies, headers and callbacks.
func (o Operation) Schemas() iter.Seq[Schema] {
	return func(yield func(Schema) bool) {
		seen := map[*tree.Node]bool{}
		for _, root := range o.roots(2) {
			for s := range root.Walk() {
				if seen[s.n] {
					continue
				}
				seen[s.n] = true
				if !yield(s) {
					return
				}
			}
		}
	}
}

// roots lists the schemas of an operation, and of callbacks within callbacks as
// deep as told.
func (o Operation) roots(deep int) (list []Schema) {
	content := func(all []Named[MediaType]) {
		for _, m := range all {
			list = append(list, m.Value.Schema())
			for _, e := range m.Value.Encoding() {
				for _, h := range e.Value.Headers() {
					list = append(list, h.Value.Schema())
				}
			}
		}
	}
	for _, p := range o.Parameters() {
		list = append(list, p.Schema())
		content(p.Content())
	}
	content(o.Body().Content())
	for _, r := range o.Responses() {
		content(r.Value.Content())
		for _, h := range r.Value.Headers() {
			list = append(list, h.Value.Schema())
			content(h.Value.Content())
		}
	}
	if deep > 0 {
		for _, c := range o.Callbacks() {
			for _, op := range c.Value {
				list = append(list, op.roots(deep-1)...)
			}
		}
	}
	return list
}
