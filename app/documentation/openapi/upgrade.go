package openapi

import (
	"cmp"
	"slices"

	"heliograph/app/documentation/openapi/tree"
)

// upgrade rewrites the Schema Objects of a document from OpenAPI 3.0 to 3.1 and
// clears operations. Schemas without keywords of 3.0 stay as they are, so 3.1
// documents that mix both are accepted too.
func (s *source) upgrade() {
	first, count := "", 0
	_ = walk(s.root, place{part: partDocument}, func(n *tree.Node, at place) error { // visit never fails
		if at.part != partSchema || !n.Is(tree.KindObject) {
			s.clear(n, at)
			return nil
		}
		bounds := upgradeBound(n, "exclusiveMinimum", "minimum")
		bounds = upgradeBound(n, "exclusiveMaximum", "maximum") || bounds
		nulls := upgradeNullable(n)
		if bounds || nulls {
			first = cmp.Or(first, at.pointer)
			count++
		}
		if e := n.Get("example"); e != nil && n.Get("examples") == nil {
			n.Remove("example")
			n.Set("examples", tree.Array(e))
		}
		if n.Str("type") == "string" {
			switch n.Str("format") {
			case "binary":
				n.Remove("format")
				n.Set("contentMediaType", tree.String("application/octet-stream"))
			case "byte":
				n.Remove("format")
				n.Set("contentEncoding", tree.String("base64"))
			}
		}
		return nil
	})
	if count > 0 {
		s.warn(first, "Words of OpenAPI 3.0 (nullable, exclusive bounds as booleans) are read as their 3.1 form in %d schemas, here first.", count)
	}
}

// upgradeBound turns exclusiveMinimum: true beside minimum: 5 into
// exclusiveMinimum: 5.
func upgradeBound(n *tree.Node, exclusive, bound string) bool {
	flag := n.Get(exclusive)
	if !flag.Is(tree.KindBool) {
		return false
	}
	n.Remove(exclusive)
	if limit := n.Get(bound); flag.Text == "true" && limit.Is(tree.KindNumber) {
		n.Remove(bound)
		n.Set(exclusive, limit)
	}
	return true
}

// typeless are the keywords that describe a value without the keyword type.
var typeless = []string{"$ref", "allOf", "anyOf", "oneOf"}

// upgradeNullable turns nullable into the type null.
func upgradeNullable(n *tree.Node) bool {
	flag := n.Get("nullable")
	if !flag.Is(tree.KindBool) {
		return false
	}
	n.Remove("nullable")
	if flag.Text != "true" {
		return true
	}
	null := tree.Object(tree.Member{Key: "type", Value: tree.String("null")})
	if t := n.Get("type"); t.Is(tree.KindString) {
		n.Set("type", tree.Array(t, tree.String("null")))
		if e := n.Get("enum"); e.Is(tree.KindArray) && !slices.ContainsFunc(e.Items, func(v *tree.Node) bool { return v.Kind == tree.KindNull }) {
			e.Items = append(e.Items, &tree.Node{})
		}
		return true
	}
	inner := tree.Object()
	for _, key := range typeless {
		if v := n.Get(key); v != nil {
			inner.Set(key, v)
			n.Remove(key)
		}
	}
	if len(inner.Members) > 0 {
		n.Set("anyOf", tree.Array(inner, null))
	}
	return true
}
