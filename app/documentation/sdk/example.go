package sdk

import (
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

// examples lists the arguments that a call needs, with values of the contract. A call
// that reads one thing and needs none has the optional ones that the contract gives an
// example of, because some of them say which thing.
func examples(m *Method, op graph.Operation) (list []ExampleArgument) {
	selects := m.Verb == "GET" && noRequired(m) && m.Page == nil && !strings.HasPrefix(m.Name.Snake, "list")
	for _, p := range op.Parameters() {
		for _, made := range m.Params {
			if made.Wire != p.Name() || made.In != p.In() || !made.Required && !(selects && made.In == "query" && isShown(p)) {
				continue
			}
			list = append(list, ExampleArgument{made.Name, sampleOf(p.Examples(), p.Schema(), made.Type)})
		}
	}
	if m.Body != nil && m.Body.Required {
		for _, c := range op.Body().Content() {
			if clean(c.Name) == m.Body.ContentType {
				list = append(list, ExampleArgument{m.Body.Name, sampleOf(c.Value.Examples(), c.Value.Schema(), m.Body.Type)})
			}
		}
	}
	return list
}

// isShown reports whether the contract gives an example of a parameter.
func isShown(p graph.Parameter) bool {
	return len(p.Examples()) > 0 || len(p.Schema().Examples()) > 0
}

func sampleOf(list []graph.Named[graph.Example], schema graph.Schema, t *Type) *tree.Node {
	for _, e := range list {
		if v := e.Value.Value(); v != nil {
			return v
		}
	}
	for _, v := range schema.Examples() {
		return v
	}
	if d := schema.Default(); d != nil {
		return d
	}
	for _, v := range schema.Enum() {
		return v
	}
	switch t.Kind {
	case Integer, Number:
		return tree.Number("1")
	case Boolean:
		return tree.Bool(true)
	case Array:
		return tree.Array()
	case Map, Ref:
		return tree.Object()
	}
	return tree.String(naming.Slug(schema.Title()) + "example")
}
