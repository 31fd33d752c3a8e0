package sdk

import (
	"cmp"
	"strings"

	"heliograph/app/documentation/openapi/graph"
)

func (s *schemas) enum(schema graph.Schema, f *flat, hint Name) *Type {
	m, t := s.model(schema, f, Enum, hint)
	own := newNames(keywords)
	seen := map[string]bool{}
	for _, v := range f.values {
		if seen[v] || len(m.Values) >= maxMembers || s.count > maxFields {
			continue
		}
		seen[v] = true
		s.count++
		text := strings.NewReplacer("+", " plus ", "-", " ", "*", " any ", "<", " less ", ">", " more ", "=", " equal ").Replace(v)
		m.Values = append(m.Values, Value{own.unique(newName(text, "value"), "value"), v})
	}
	return t
}

func (s *schemas) union(schema graph.Schema, f *flat, hint Name) *Type {
	if simple := s.sameKind(f, hint); simple != nil {
		return simple
	}
	m, t := s.model(schema, f, Union, hint)
	m.Property = schema.Discriminator().Property
	own := newNames(fieldWords)
	seen := map[string]bool{}
	for i, c := range f.choices {
		if i >= maxMembers || s.count > maxFields {
			break
		}
		s.count++
		label := newName(cmp.Or(c.Title(), "form"), "form")
		v := s.typeOf(c, join(hint, label))
		if v.Nullable {
			t.Nullable = true
		}
		name := variantName(v)
		if seen[name.Pascal] && v.Kind != Ref {
			continue
		}
		seen[name.Pascal] = true
		m.Variants = append(m.Variants, Variant{own.unique(name, "form"), v})
	}
	return t
}

// sameKind returns the type of choices that are all the same simple type, nil for
// others. A text that is one of some values or any other is a text.
func (s *schemas) sameKind(f *flat, hint Name) *Type {
	kind := ""
	for _, c := range f.choices {
		t := target(c)
		for range 8 {
			next := target(t)
			if !next.Exists() {
				break
			}
			t = next
		}
		if !t.Exists() {
			t = c
		}
		if len(t.OneOf())+len(t.AnyOf())+len(t.AllOf())+len(t.Properties()) > 0 {
			return nil
		}
		types := t.Types()
		if len(types) == 0 && t.Const() != nil {
			types = []string{typeOfValue(t.Const())}
		}
		if len(types) != 1 || types[0] == "object" || types[0] == "array" || kind != "" && kind != types[0] {
			return nil
		}
		kind = types[0]
	}
	switch kind {
	case String, Integer, Number, Boolean:
		return &Type{Kind: kind} // named as in JSON Schema
	}
	return nil
}

// variantName names a form of a union after its type.
func variantName(t *Type) Name {
	word := t.Kind
	switch t.Kind {
	case Ref:
		return t.Model.Name
	case Array:
		return fromWords([]string{"list"}).of(variantName(t.Elem))
	case String:
		word = "text"
	case Any, Binary:
		word = "other"
	}
	return fromWords([]string{word})
}

func (n Name) of(inner Name) Name { return join(n, inner) }
