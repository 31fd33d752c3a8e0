package graph

import (
	"maps"

	"heliograph/app/documentation/openapi/tree"
)

const (
	// MaxApplications is how often schemas may be applied to one value so that values are
	// held against them.
	MaxApplications = 10_000
	// MaxChain is how many schemas may apply to one value in a row.
	MaxChain = 1_000
)

// Bounds finds the schemas of a document that values can be held against with bounded
// effort. Each schema is looked at once. Use NewBounds.
type Bounds struct {
	measure measure
	hold    map[*tree.Node]bool // schemas that are bounded, with all that they reach
}

// NewBounds returns the bounds of the schemas of one document.
func NewBounds() *Bounds {
	return &Bounds{measure: measure{paths: map[*tree.Node]int{}, open: map[*tree.Node]bool{}}, hold: map[*tree.Node]bool{}}
}

// Hold reports whether values can be held against schemas with bounded effort. Other
// schemas are not checked: they apply too many schemas to one value, or themselves, or use
// references that depend on what was applied before.
func (b *Bounds) Hold(schemas []Schema) bool {
	seen := map[*tree.Node]bool{}
	reached := []Schema{}
	reach := func(s Schema) {
		if s.Exists() && !seen[s.n] && !b.hold[s.n] {
			seen[s.n] = true
			reached = append(reached, s)
		}
	}
	for _, s := range schemas {
		reach(s)
	}
	for len(reached) > 0 {
		next := reached[0]
		reached = reached[1:]
		if usesDynamicReferences(next) || b.measure.of(next, 0) > MaxApplications {
			clear(b.measure.paths) // a chain that is too long from its start may hold from its middle
			return false
		}
		for key, child := range next.Children() {
			if key != "$defs" && key != "definitions" && key != "contentSchema" {
				reach(child)
			}
		}
		for _, r := range next.References() {
			reach(r.Target)
		}
	}
	maps.Copy(b.hold, seen)
	return true
}

// usesDynamicReferences reports whether the meaning of references depends on what was
// applied before.
func usesDynamicReferences(s Schema) bool {
	for _, key := range []string{"$id", "$dynamicRef", "$recursiveRef"} {
		if s.n.Get(key).Is(tree.KindString) {
			return true
		}
	}
	return false
}

// measure counts how often schemas are applied to one value.
type measure struct {
	paths map[*tree.Node]int
	open  map[*tree.Node]bool
}

// of counts the applications that one application of a schema makes, at most
// MaxApplications+1. Each schema is counted once, so it takes linear time.
func (m *measure) of(s Schema, depth int) int {
	if n := m.paths[s.n]; n > 0 {
		return n
	}
	if m.open[s.n] || depth > MaxChain {
		return MaxApplications + 1
	}
	m.open[s.n] = true
	total := 1 + (len(s.Enum())+len(s.n.List("required")))/64
	for key, child := range s.Children() {
		switch key {
		case "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas":
			if child.Exists() {
				total = min(total+m.of(child, depth+1), MaxApplications+1)
			}
		}
	}
	for _, r := range s.References() {
		if r.Target.Exists() {
			total = min(total+m.of(r.Target, depth+1), MaxApplications+1)
		}
	}
	m.open[s.n], m.paths[s.n] = false, total
	return total
}
