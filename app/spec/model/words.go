package model

import (
	"fmt"
	"slices"
	"strings"

	"heliograph/app/spec/tree"
)

// typeWords describes the types of a schema: "array of string or integer".
func (f *flattener) typeWords(s *flat, depth int) string {
	var list []string
	add := func(word string) {
		if !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	for _, t := range s.types() {
		switch t {
		case "array":
			add(f.arrayWords(s, depth))
		case "object":
			add(f.objectWords(s, depth))
		case "string":
			add(stringWords(s.node))
		default:
			add(t)
		}
	}
	if len(list) == 0 && depth < maxWords {
		for _, v := range s.variants {
			add(f.typeWords(f.flatten(v), depth+1))
		}
	}
	if len(list) == 0 || slices.Contains(list, "any") {
		return "any"
	}
	return strings.Join(list, " or ")
}

// maxWords is the depth to which a type is described: array of array of array.
const maxWords = 3

func (f *flattener) arrayWords(s *flat, depth int) string {
	items := s.node.Get("items")
	if items == nil || depth >= maxWords {
		return "array"
	}
	return "array of " + f.typeWords(f.flatten(items), depth+1)
}

func (f *flattener) objectWords(s *flat, depth int) string {
	values := s.node.Get("additionalProperties")
	if s.node.Get("properties") != nil || !values.Is(tree.KindObject) || depth >= maxWords {
		return "object"
	}
	return "map of " + f.typeWords(f.flatten(values), depth+1)
}

func stringWords(n *tree.Node) string {
	if n.Str("contentMediaType") == "application/octet-stream" && n.Get("contentEncoding") == nil || n.Str("format") == "binary" {
		return "file"
	}
	return "string"
}

// formatWord names the format or the encoding of a text.
func formatWord(n *tree.Node) string {
	if e := n.Str("contentEncoding"); e != "" {
		return e
	}
	if f := n.Str("format"); f != "binary" {
		return f
	}
	return ""
}

// constraints describes the constraints of a schema.
func constraints(s *flat) []string { return append(limits(s), s.conditions...) }

// limits describes the constraints of a schema without conditions.
func limits(s *flat) []string {
	n := s.node
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if c := n.Get("const"); c != nil {
		add("always %s", c.Display())
	}
	for _, size := range [][3]string{
		{"minLength", "maxLength", "character"}, {"minItems", "maxItems", "item"}, {"minProperties", "maxProperties", "member"},
	} {
		if w := amount(n.Get(size[0]).Display(), n.Get(size[1]).Display(), size[2]); w != "" {
			add("%s", w)
		}
	}
	if n.True("uniqueItems") {
		add("no item twice")
	}
	list = append(list, bounds(n)...)
	if v := n.Get("multipleOf"); v != nil {
		add("a multiple of %s", v.Display())
	}
	if p := n.Str("pattern"); p != "" {
		add("matches %s", p)
	}
	if m := n.Str("contentMediaType"); m != "" && m != "application/octet-stream" {
		add("holds %s", m)
	}
	for _, m := range n.Entries("dependentRequired") {
		add("%s needs %s", m.Key, strings.Join(tree.Texts(m.Value.Items), " and "))
	}
	if len(s.alternatives) > 0 {
		var sets []string
		for _, set := range s.alternatives {
			sets = append(sets, strings.Join(set, " and "))
		}
		add("needs %s", strings.Join(sets, ", or "))
	}
	return list
}

// amount describes the range of a count: "1 to 30 items", "at most 40
// characters".
func amount(low, high, unit string) string {
	if low == "0" {
		low = ""
	}
	plural := func(n string) string {
		if n == "1" {
			return unit
		}
		return unit + "s"
	}
	switch {
	case low == "" && high == "":
		return ""
	case low == high:
		return fmt.Sprintf("exactly %s %s", low, plural(low))
	case high == "":
		return fmt.Sprintf("at least %s %s", low, plural(low))
	case low == "":
		return fmt.Sprintf("at most %s %s", high, plural(high))
	}
	return fmt.Sprintf("%s to %s %s", low, high, plural(high))
}

// bounds describes the range of a number.
func bounds(n *tree.Node) []string {
	low, high := n.Get("minimum").Display(), n.Get("maximum").Display()
	if low != "" && high != "" {
		return []string{low + " to " + high}
	}
	var list []string
	for _, b := range [][2]string{
		{"minimum", "minimum"}, {"exclusiveMinimum", "more than"}, {"maximum", "maximum"}, {"exclusiveMaximum", "less than"},
	} {
		if v := n.Get(b[0]).Display(); v != "" {
			list = append(list, b[1]+" "+v)
		}
	}
	return list
}
