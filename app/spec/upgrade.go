package spec

import (
	"cmp"
	"net/url"
	"slices"
)

// upgrade brings the Schema Objects of a document from the words of OpenAPI
// 3.0 to those of 3.1. It changes nothing in a schema that has none of them,
// so it is also the lenient reading of 3.1 documents that mix both.
func (s *source) upgrade() {
	first, count := "", 0
	_ = walk(s.root, place{part: partDocument}, func(n *node, at place) error { // visit never fails
		if at.part != partSchema || !n.is(kindObject) {
			return nil
		}
		bounds := upgradeBound(n, "exclusiveMinimum", "minimum")
		bounds = upgradeBound(n, "exclusiveMaximum", "maximum") || bounds
		nulls := upgradeNullable(n)
		if bounds || nulls {
			first = cmp.Or(first, at.pointer)
			count++
		}
		if e := n.get("example"); e != nil && n.get("examples") == nil {
			n.remove("example")
			n.set("examples", array(e))
		}
		if n.str("type") == "string" {
			switch n.str("format") {
			case "binary":
				n.remove("format")
				n.set("contentMediaType", str("application/octet-stream"))
			case "byte":
				n.remove("format")
				n.set("contentEncoding", str("base64"))
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
func upgradeBound(n *node, exclusive, bound string) bool {
	flag := n.get(exclusive)
	if !flag.is(kindBool) {
		return false
	}
	n.remove(exclusive)
	if limit := n.get(bound); flag.text == "true" && limit.is(kindNumber) {
		n.remove(bound)
		n.set(exclusive, limit)
	}
	return true
}

// typeless are the keywords that describe a value without the word type.
var typeless = []string{"$ref", "allOf", "anyOf", "oneOf"}

// upgradeNullable turns nullable into the type null.
func upgradeNullable(n *node) bool {
	flag := n.get("nullable")
	if !flag.is(kindBool) {
		return false
	}
	n.remove("nullable")
	if flag.text != "true" {
		return true
	}
	null := object(member{"type", str("null")})
	if t := n.get("type"); t.is(kindString) {
		n.set("type", array(t, str("null")))
		if e := n.get("enum"); e.is(kindArray) && !slices.ContainsFunc(e.items, func(v *node) bool { return v.kind == kindNull }) {
			e.items = append(e.items, &node{})
		}
		return true
	}
	inner := object()
	for _, key := range typeless {
		if v := n.get(key); v != nil {
			inner.set(key, v)
			n.remove(key)
		}
	}
	if len(inner.members) > 0 {
		n.set("anyOf", array(inner, null))
	}
	return true
}

// unescapeFragment undoes percent-encoding; a broken one is left as it is.
func unescapeFragment(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}
