package model

import (
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/lists"
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
			add(stringWords(s.Schema))
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
	items := s.Items()
	if !items.Exists() || depth >= maxWords {
		return "array"
	}
	return "array of " + f.typeWords(f.flatten(items), depth+1)
}

func (f *flattener) objectWords(s *flat, depth int) string {
	values := s.AdditionalProperties()
	if s.Has("properties") || !values.IsObject() || depth >= maxWords {
		return "object"
	}
	return "map of " + f.typeWords(f.flatten(values), depth+1)
}

func stringWords(s graph.Schema) string {
	if s.ContentMediaType() == "application/octet-stream" && !s.Has("contentEncoding") || s.Format() == "binary" {
		return "file"
	}
	return "string"
}

// formatWord names the format or the encoding of a text.
func formatWord(s graph.Schema) string {
	if e := s.ContentEncoding(); e != "" {
		return e
	}
	if f := s.Format(); f != "binary" {
		return f
	}
	return ""
}

// constraints describes the constraints of a schema.
func constraints(s *flat) []string { return append(limits(s), s.conditions...) }

// limits describes the constraints of a schema without conditions.
func limits(s *flat) []string {
	l := s.Limits()
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if c := s.Const(); c != nil {
		add("always %s", c.Display())
	}
	for _, size := range [][3]string{
		{l.MinLength, l.MaxLength, "character"}, {l.MinItems, l.MaxItems, "item"}, {l.MinProperties, l.MaxProperties, "member"},
	} {
		if w := amount(size[0], size[1], size[2]); w != "" {
			add("%s", w)
		}
	}
	if s.UniqueItems() {
		add("no item twice")
	}
	list = append(list, bounds(l)...)
	if l.MultipleOf != "" {
		add("a multiple of %s", l.MultipleOf)
	}
	if p := s.Pattern(); p != "" {
		add("matches %s", p)
	}
	if m := s.ContentMediaType(); m != "" && m != "application/octet-stream" {
		add("holds %s", m)
	}
	for _, m := range s.DependentRequired() {
		add("%s needs %s", m.Name, strings.Join(m.Value, " and "))
	}
	if len(s.alternatives) > 0 {
		sets := lists.Map(s.alternatives, func(set []string) string { return strings.Join(set, " and ") })
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
func bounds(l graph.Limits) []string {
	if l.Minimum != "" && l.Maximum != "" {
		return []string{l.Minimum + " to " + l.Maximum}
	}
	var list []string
	for _, b := range [][2]string{
		{l.Minimum, "minimum"}, {l.ExclusiveMinimum, "more than"}, {l.Maximum, "maximum"}, {l.ExclusiveMaximum, "less than"},
	} {
		if b[0] != "" {
			list = append(list, b[1]+" "+b[0])
		}
	}
	return list
}
