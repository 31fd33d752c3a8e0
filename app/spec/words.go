package spec

import (
	"fmt"
	"slices"
	"strings"
)

// typeWords says in words what a schema allows: "array of string or integer".
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

// maxWords is how deep a type is put in words: array of array of array.
const maxWords = 3

func (f *flattener) arrayWords(s *flat, depth int) string {
	items := s.node.get("items")
	if items == nil || depth >= maxWords {
		return "array"
	}
	return "array of " + f.typeWords(f.flatten(items), depth+1)
}

func (f *flattener) objectWords(s *flat, depth int) string {
	values := s.node.get("additionalProperties")
	if s.node.get("properties") != nil || !values.is(kindObject) || depth >= maxWords {
		return "object"
	}
	return "map of " + f.typeWords(f.flatten(values), depth+1)
}

func stringWords(n *node) string {
	if n.str("contentMediaType") == "application/octet-stream" && n.get("contentEncoding") == nil || n.str("format") == "binary" {
		return "file"
	}
	return "string"
}

// formatWord names the format or the encoding of a text.
func formatWord(n *node) string {
	if e := n.str("contentEncoding"); e != "" {
		return e
	}
	if f := n.str("format"); f != "binary" {
		return f
	}
	return ""
}

// constraints says in words what narrows a schema.
func constraints(s *flat) []string {
	n := s.node
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if c := n.get("const"); c != nil {
		add("always %s", c.display())
	}
	for _, size := range [][3]string{
		{"minLength", "maxLength", "character"}, {"minItems", "maxItems", "item"}, {"minProperties", "maxProperties", "member"},
	} {
		if w := amount(n.get(size[0]).display(), n.get(size[1]).display(), size[2]); w != "" {
			add("%s", w)
		}
	}
	if n.truth("uniqueItems") {
		add("no item twice")
	}
	list = append(list, bounds(n)...)
	if v := n.get("multipleOf"); v != nil {
		add("a multiple of %s", v.display())
	}
	if p := n.str("pattern"); p != "" {
		add("matches %s", p)
	}
	if m := n.str("contentMediaType"); m != "" && m != "application/octet-stream" {
		add("holds %s", m)
	}
	for _, m := range n.entries("dependentRequired") {
		add("%s needs %s", m.key, strings.Join(texts(m.value.items), " and "))
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

// amount words a range of a count: "1 to 30 items", "at most 40 characters".
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

// bounds words the range of a number.
func bounds(n *node) []string {
	low, high := n.get("minimum").display(), n.get("maximum").display()
	if low != "" && high != "" {
		return []string{low + " to " + high}
	}
	var list []string
	for _, b := range [][2]string{
		{"minimum", "minimum"}, {"exclusiveMinimum", "more than"}, {"maximum", "maximum"}, {"exclusiveMaximum", "less than"},
	} {
		if v := n.get(b[0]).display(); v != "" {
			list = append(list, b[1]+" "+v)
		}
	}
	return list
}
