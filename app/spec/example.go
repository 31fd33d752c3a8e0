package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// The caps on a generated example: enough to show a body, never a book.
const (
	maxExampleLevels = 8 // below, only what is required
	maxExampleDepth  = 20
	maxExampleValues = 400
)

// generator makes example values from schemas. The same schema always gives
// the same value.
type generator struct {
	*flattener
	request bool // leaves out what is read only, else what is write only
	open    map[*node]bool
	count   int
}

// formats are example values by format.
var formats = map[string]string{
	"date-time": "2026-01-31T09:30:00Z", "date": "2026-01-31", "time": "09:30:00Z", "duration": "PT15M",
	"email": "asha@example.com", "idn-email": "asha@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com", "url": "https://example.com",
	"uri-reference": "/path", "iri": "https://example.com", "uuid": "3f2b7c1e-8d4a-4b6f-9c0d-5e1a2b3c4d5e",
	"json-pointer": "/path", "regex": "^[a-z]+$", "byte": "SGVsaW8=", "base64": "SGVsaW8=", "password": "correct horse",
}

// value makes an example, nil where a schema begins anew within itself or the
// caps are reached.
func (g *generator) value(schema *node, level int) *node {
	s := g.flatten(schema)
	if s.never || level > maxExampleDepth || g.count > maxExampleValues {
		return nil
	}
	g.count++
	given := cmp.Or(sample(s.node), s.node.get("default"), s.node.get("const"), first(s.node.list("enum")))
	if given != nil {
		return given
	}
	for _, r := range s.refs {
		if g.open[r.target] && r.direct {
			return nil
		}
	}
	for _, r := range s.refs {
		if !g.open[r.target] {
			g.open[r.target] = true
			defer delete(g.open, r.target)
		}
	}
	if len(s.variants) > 0 {
		return g.variant(s, level)
	}
	return g.plain(s, level)
}

// variant takes the first form that gives a value, with the shared members.
func (g *generator) variant(s *flat, level int) *node {
	shared := g.plain(s, level)
	for _, v := range s.variants {
		form := g.value(v, level+1)
		if form == nil {
			continue
		}
		if !form.is(kindObject) || !shared.is(kindObject) {
			return form
		}
		merged := object(slices.Clone(shared.members)...)
		for _, m := range form.members {
			merged.set(m.key, m.value)
		}
		return merged
	}
	return shared
}

func (g *generator) plain(s *flat, level int) *node {
	types := s.types()
	if len(types) == 0 {
		return nil
	}
	switch types[0] {
	case "object":
		return g.object(s, level)
	case "array":
		return g.array(s, level)
	case "boolean":
		return boolean(true)
	case "integer", "number":
		return number(numberWithin(s.node))
	case "string":
		if stringWords(s.node) == "file" {
			return str("<file>")
		}
		return str(textWithin(s.node))
	}
	return nil
}

func (g *generator) object(s *flat, level int) *node {
	o := object()
	required := texts(s.node.list("required"))
	for _, m := range s.node.entries("properties") {
		p := g.flatten(m.value).node
		if level >= maxExampleLevels && !slices.Contains(required, m.key) {
			continue
		}
		if p.truth("deprecated") || g.request && p.truth("readOnly") || !g.request && p.truth("writeOnly") {
			continue
		}
		if v := g.value(m.value, level+1); v != nil {
			o.members = append(o.members, member{m.key, v})
		}
	}
	if values := s.node.get("additionalProperties"); len(o.members) == 0 && values.is(kindObject) {
		if v := g.value(values, level+1); v != nil {
			o.members = append(o.members, member{"key", v})
		}
	}
	return o
}

func (g *generator) array(s *flat, level int) *node {
	a := array()
	for _, item := range s.node.list("prefixItems") {
		if v := g.value(item, level+1); v != nil {
			a.items = append(a.items, v)
		}
	}
	least, _ := strconv.Atoi(s.node.get("minItems").display())
	if items := s.node.get("items"); items.is(kindObject) && len(a.items) == 0 {
		if v := g.value(items, level+1); v != nil {
			for range min(max(least, 1), 3) {
				a.items = append(a.items, v)
			}
		}
	}
	return a
}

// numberWithin returns a number that keeps the bounds of a schema: 1 where it
// may, else the nearest bound.
func numberWithin(n *node) string {
	bound := func(key string) (float64, bool) {
		f, err := strconv.ParseFloat(n.get(key).display(), 64)
		return f, err == nil
	}
	v := 1.0
	if step, ok := bound("multipleOf"); ok {
		v = step
	}
	if most, ok := bound("maximum"); ok && v > most {
		v = most
	}
	if most, ok := bound("exclusiveMaximum"); ok && v >= most {
		v = most - 1
	}
	if least, ok := bound("minimum"); ok && v < least {
		v = least
	}
	if least, ok := bound("exclusiveMinimum"); ok && v <= least {
		v = least + 1
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// textWithin returns a text of the format and the length of a schema.
func textWithin(n *node) string {
	text := cmp.Or(formats[formatWord(n)], "string")
	if least, err := strconv.Atoi(n.get("minLength").display()); err == nil && len(text) < least {
		text += strings.Repeat("a", min(least, 200)-min(len(text), 200))
	}
	if most, err := strconv.Atoi(n.get("maxLength").display()); err == nil && most >= 0 && len(text) > most {
		text = text[:most]
	}
	return text
}
