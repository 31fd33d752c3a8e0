package mock

import (
	"iter"

	"heliograph/app/documentation/openapi/graph"
)

// mostInPlace bounds the schemas of one value that are looked through.
const mostInPlace = 200

// inPlace goes through the schemas that hold for the same value as a schema: the
// schema itself, what it refers to, and the parts of allOf.
func inPlace(schema graph.Schema) iter.Seq[graph.Schema] {
	return func(yield func(graph.Schema) bool) {
		seen := map[graph.Schema]bool{}
		open := []graph.Schema{schema}
		for len(open) > 0 && len(seen) < mostInPlace {
			s := open[0]
			open = open[1:]
			if !s.Exists() || seen[s] {
				continue
			}
			seen[s] = true
			if !yield(s) {
				return
			}
			for _, r := range s.References() {
				open = append(open, r.Target)
			}
			open = append(open, s.AllOf()...)
		}
	}
}

// discriminatorOf returns the property of the discriminator of an operation's
// body, empty without one.
func discriminatorOf(op graph.Operation) string {
	for _, m := range op.Body().Content() {
		for s := range inPlace(m.Value.Schema()) {
			if d := s.Discriminator(); d.Property != "" {
				return d.Property
			}
		}
	}
	return ""
}
