package openapi

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// Flaw is a place in a part of a description that is not valid OpenAPI 3.1 or, in
// a Schema Object, not valid JSON Schema.
type Flaw struct {
	Pointer string // JSON pointer from the part
	Reason  string // lower-case, without a full stop
}

// OperationFlaws checks an Operation Object.
func OperationFlaws(n *tree.Node) ([]Flaw, error) { return partFlaws(n, "paths", "/", "get") }

// SchemaFlaws checks a Schema Object.
func SchemaFlaws(n *tree.Node) ([]Flaw, error) {
	return partFlaws(n, "components", "schemas", "Schema")
}

// FrameFlaws checks a description without its operations and schemas. Their places
// are null.
func FrameFlaws(n *tree.Node) ([]Flaw, error) {
	whole := n
	if n.Is(tree.KindObject) && n.Get("components") == nil && n.Get("webhooks") == nil && n.Get("paths") == nil {
		whole = tree.Object(slices.Clone(n.Members)...)
		whole.Append("components", tree.Object())
	}
	list, err := partFlaws(whole)
	return slices.DeleteFunc(list, func(f Flaw) bool { return n.At(f.Pointer).Is(tree.KindNull) }), err
}

// partFlaws checks a part at its place in an otherwise empty document.
func partFlaws(n *tree.Node, place ...string) (list []Flaw, err error) {
	root, at := n, ""
	for i := len(place) - 1; i >= 0; i-- {
		root, at = tree.Object(tree.Member{Key: place[i], Value: root}), "/"+tree.Escape(place[i])+at
	}
	if at != "" {
		root.Members = append([]tree.Member{{Key: "openapi", Value: tree.String("3.1.0")}, {Key: "info", Value: tree.Object(
			tree.Member{Key: "title", Value: tree.String("Part")}, tree.Member{Key: "version", Value: tree.String("1")})}}, root.Members...)
	}
	compiled, err := structures()
	if err != nil {
		return nil, err
	}
	for _, p := range problemsOf(compiled[schema31].Validate(root.Plain())) {
		if rest, ok := strings.CutPrefix(p.pointer, at); ok {
			list = append(list, Flaw{rest, p.reason})
		}
	}
	return list, nil
}
