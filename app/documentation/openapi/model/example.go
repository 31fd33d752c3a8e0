package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// The limits of a generated example.
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
	open    map[graph.Schema]bool
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

// value makes an example. It returns nil where a schema repeats within itself
// or a limit is reached.
func (g *generator) value(schema graph.Schema, level int) *tree.Node {
	s := g.flatten(schema)
	if s.never || level > maxExampleDepth || g.count > maxExampleValues {
		return nil
	}
	g.count++
	given := cmp.Or(first(s.Examples()), s.Default(), s.Const(), first(s.Enum()))
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

// variant takes the first variant that gives a value, with the shared members.
func (g *generator) variant(s *flat, level int) *tree.Node {
	shared := g.plain(s, level)
	for _, v := range s.variants {
		form := g.value(v, level+1)
		if form == nil {
			continue
		}
		if !form.Is(tree.KindObject) || !shared.Is(tree.KindObject) {
			return form
		}
		merged := tree.Object(slices.Clone(shared.Members)...)
		for _, m := range form.Members {
			merged.Set(m.Key, m.Value)
		}
		return merged
	}
	return shared
}

func (g *generator) plain(s *flat, level int) *tree.Node {
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
		return tree.Bool(true)
	case "integer", "number":
		return tree.Number(numberWithin(s.Limits()))
	case "string":
		if stringWords(s.Schema) == "file" {
			return tree.String("<file>")
		}
		return tree.String(textWithin(s.Schema))
	}
	return nil
}

func (g *generator) object(s *flat, level int) *tree.Node {
	o := tree.Object()
	required := s.Required()
	for _, m := range s.Properties() {
		p := g.flatten(m.Value)
		if level >= maxExampleLevels && !slices.Contains(required, m.Name) {
			continue
		}
		if p.Deprecated() || g.request && p.ReadOnly() || !g.request && p.WriteOnly() {
			continue
		}
		if v := g.value(m.Value, level+1); v != nil {
			o.Members = append(o.Members, tree.Member{Key: m.Name, Value: v})
		}
	}
	if values := s.AdditionalProperties(); len(o.Members) == 0 && values.IsObject() {
		if v := g.value(values, level+1); v != nil {
			o.Members = append(o.Members, tree.Member{Key: "key", Value: v})
		}
	}
	return o
}

func (g *generator) array(s *flat, level int) *tree.Node {
	a := tree.Array()
	for _, item := range s.PrefixItems() {
		if v := g.value(item, level+1); v != nil {
			a.Items = append(a.Items, v)
		}
	}
	least, _ := count(s.Limits().MinItems)
	if items := s.Items(); items.IsObject() && len(a.Items) == 0 {
		if v := g.value(items, level+1); v != nil {
			for range min(max(least, 1), 3) {
				a.Items = append(a.Items, v)
			}
		}
	}
	return a
}

// numberWithin returns a number within the bounds of a schema: 1 if allowed,
// else the nearest bound.
func numberWithin(l graph.Limits) string {
	bound := func(text string) (float64, bool) {
		if text == "" {
			return 0, false // an error costs more than a number
		}
		f, err := strconv.ParseFloat(text, 64)
		return f, err == nil
	}
	v := 1.0
	if step, ok := bound(l.MultipleOf); ok {
		v = step
	}
	if most, ok := bound(l.Maximum); ok && v > most {
		v = most
	}
	if most, ok := bound(l.ExclusiveMaximum); ok && v >= most {
		v = most - 1
	}
	if least, ok := bound(l.Minimum); ok && v < least {
		v = least
	}
	if least, ok := bound(l.ExclusiveMinimum); ok && v <= least {
		v = least + 1
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// count reads a limit, false where there is none.
func count(limit string) (int, bool) {
	if limit == "" {
		return 0, false
	}
	n, err := strconv.Atoi(limit)
	return n, err == nil
}

// textWithin returns a text of the format and the length of a schema.
func textWithin(s graph.Schema) string {
	text, l := cmp.Or(formats[formatWord(s)], "string"), s.Limits()
	if least, ok := count(l.MinLength); ok && len(text) < least {
		text += strings.Repeat("a", min(least, 200)-min(len(text), 200))
	}
	if most, ok := count(l.MaxLength); ok && most >= 0 && len(text) > most {
		text = text[:most]
	}
	return text
}
