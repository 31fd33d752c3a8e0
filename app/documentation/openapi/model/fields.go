package model

import "iter"

// Fields iterates over every field of an endpoint or a callback at any depth:
// parameters, headers, bodies, their members and their variants.
func (e *Endpoint) Fields() iter.Seq[*Field] {
	return func(yield func(*Field) bool) {
		all := func(list []*Field) bool {
			for _, f := range list {
				if !f.each(yield) {
					return false
				}
			}
			return true
		}
		bodies := func(list []Body) bool {
			for _, b := range list {
				if b.Root != nil && !b.Root.each(yield) {
					return false
				}
			}
			return true
		}
		for _, g := range e.Parameters {
			if !all(g.Fields) {
				return
			}
		}
		if !bodies(e.Bodies) {
			return
		}
		for _, r := range e.Responses {
			if !all(r.Headers) || !bodies(r.Bodies) {
				return
			}
		}
	}
}

// Fields goes through a field and every field within it.
func (f *Field) Fields() iter.Seq[*Field] {
	return func(yield func(*Field) bool) { f.each(yield) }
}

func (f *Field) each(yield func(*Field) bool) bool {
	if !yield(f) {
		return false
	}
	for _, child := range f.Children {
		if !child.each(yield) {
			return false
		}
	}
	for _, v := range f.Variants {
		if !v.Field.each(yield) {
			return false
		}
	}
	return true
}
