package compare

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

func itoa(i int) string { return strconv.Itoa(i) }

// limits are the keywords that bound a value: 1 for upper bounds and -1 for
// lower ones.
var limits = map[string]int{
	"maxLength": 1, "maximum": 1, "exclusiveMaximum": 1, "maxItems": 1, "maxProperties": 1, "maxContains": 1,
	"minLength": -1, "minimum": -1, "exclusiveMinimum": -1, "minItems": -1, "minProperties": -1, "minContains": -1,
}

// values compares types, null and enums.
func (n *node) values(b, a *flat) {
	n.types(b, a)
	if b.nullable != a.nullable && len(b.types) > 0 && len(a.types) > 0 {
		kind := "null-allowed"
		if b.nullable {
			kind = "null-refused"
		}
		n.add(kind, "", "", "")
	}
	switch {
	case b.enum == nil && a.enum == nil:
	case b.enum == nil:
		n.add("enum-set", "", "", values(a.enum))
	case a.enum == nil:
		n.add("enum-lifted", "", values(b.enum), "")
	default:
		for _, v := range a.enum {
			if !tree.Contains(b.enum, v) {
				n.add("enum-value-added", "", "", v.Display())
			}
		}
		for _, v := range b.enum {
			if !tree.Contains(a.enum, v) {
				n.add("enum-value-removed", "", v.Display(), "")
			}
		}
	}
}

func (n *node) types(b, a *flat) {
	if slices.Equal(b.types, a.types) {
		return
	}
	before, after := typeWords(b), typeWords(a)
	switch {
	case covers(a.types, b.types):
		n.add("type-widened", "", before, after)
	case covers(b.types, a.types):
		n.add("type-narrowed", "", before, after)
	default:
		n.add("type-changed", "", before, after)
	}
}

// covers reports whether every value of the narrow types has one of the wide.
func covers(wide, narrow []string) bool {
	if len(wide) == 0 {
		return true
	}
	for _, t := range narrow {
		if !slices.Contains(wide, t) && (t != "integer" || !slices.Contains(wide, "number")) {
			return false
		}
	}
	return len(narrow) > 0
}

func values(list []*tree.Node) string { return strings.Join(tree.Texts(list), ", ") }

// keywords compares the keywords that hold one value.
func (n *node) keywords(b, a *flat) {
	keys := map[string]bool{}
	for key := range b.words {
		keys[key] = true
	}
	for key := range a.words {
		keys[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		before, after := b.words[key], a.words[key]
		if before != nil && after != nil && before.Equal(after) || limits[key] != 0 && bound(key, before) == bound(key, after) {
			continue
		}
		n.keyword(key, before, after)
	}
}

// bound returns the number of a limit, "" for one that limits nothing.
func bound(key string, v *tree.Node) string {
	text := v.Display()
	if limits[key] < 0 && text == "0" && key != "minimum" && key != "exclusiveMinimum" {
		return ""
	}
	return text
}

func (n *node) keyword(key string, before, after *tree.Node) {
	was, is := before.Display(), after.Display()
	if sign := limits[key]; sign != 0 {
		kind := "limit-narrowed"
		b, a := bound(key, before), bound(key, after)
		if a == "" || b != "" && sign*compareNumbers(a, b) > 0 {
			kind = "limit-widened"
		}
		n.add(kind, "", prefixed(key, was), prefixed(key, is))
		return
	}
	switch key {
	case "title", "description", "externalDocs", "$comment", "xml":
		n.add("prose-changed", "", was, is)
	case "example", "examples":
		n.add(exampleKind(before, after), "", was, is)
	case "deprecated":
		n.flag("deprecated", "undeprecated", before, after)
	case "readOnly":
		n.flag("read-only", "read-only", before, after)
	case "writeOnly":
		n.flag("write-only", "write-only", before, after)
	case "format":
		n.add(narrowing("format", before, after), "", was, is)
	case "pattern":
		n.add(narrowing("pattern", before, after), "", was, is)
	case "default":
		n.add("default-changed", "", was, is)
	case "contentEncoding", "contentMediaType":
		n.add("encoding-of-text", "", prefixed(key, was), prefixed(key, is))
	case "multipleOf", "uniqueItems":
		n.multiple(key, before, after)
	case "discriminator":
		n.add("discriminator-changed", "", was, is)
	default:
		if strings.HasPrefix(key, "x-") {
			n.add("detail-changed", "", prefixed(key, was), prefixed(key, is))
			return
		}
		n.add("keyword-changed", "", prefixed(key, was), prefixed(key, is))
	}
}

// flag adds a change of a keyword that is true or false; a missing one is
// false.
func (n *node) flag(on, off string, before, after *tree.Node) {
	was, is := truth(before), truth(after)
	switch {
	case was == is:
	case is:
		n.add(on, "", "no", "yes")
	default:
		n.add(off, "", "yes", "no")
	}
}

func truth(n *tree.Node) bool { return n.Is(tree.KindBool) && n.Text == "true" }

// multiple adds a change of multipleOf or uniqueItems.
func (n *node) multiple(key string, before, after *tree.Node) {
	if key == "uniqueItems" && truth(before) == truth(after) {
		return
	}
	kind := "limit-narrowed"
	if after == nil || key == "uniqueItems" && !truth(after) {
		kind = "limit-widened"
	}
	n.add(kind, "", prefixed(key, before.Display()), prefixed(key, after.Display()))
}

// narrowing returns the kind of a change of a keyword that narrows a text.
func narrowing(word string, before, after *tree.Node) string {
	kinds := map[string][3]string{
		"format":  {"format-narrowed", "format-widened", "format-changed"},
		"pattern": {"pattern-set", "pattern-lifted", "pattern-changed"},
	}[word]
	switch {
	case before == nil:
		return kinds[0]
	case after == nil:
		return kinds[1]
	}
	return kinds[2]
}

func exampleKind(before, after *tree.Node) string {
	switch {
	case before == nil:
		return "example-added"
	case after == nil:
		return "example-removed"
	}
	return "example-changed"
}

func prefixed(key, value string) string {
	if value == "" {
		return ""
	}
	return key + " " + value
}
