// Package sampling makes values that schemas allow. It is pure: the same schema
// and the same seed give the same value.
//
// A value comes from const, examples, default, enum, format or pattern, in this
// order, and otherwise from the type and its limits. Without a seed the first
// example, the first value of an enumeration and the first variant are taken, and
// texts are those that documentation uses. With a seed all of them vary.
//
// References and allOf are followed, and a variant of oneOf and anyOf is chosen.
// What other keywords forbid, such as not and if, is not avoided: callers
// validate what they get and ask with another seed.
package sampling

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// The limits of a value.
const (
	maxValues   = 5_000
	maxDepth    = 24
	fullDepth   = 8 // below, only what is required
	maxParts    = 200
	maxRepeated = 2 // times that a named schema may stand within itself
	maxSteps    = 200_000
)

// Options are what a value is made for.
type Options struct {
	// Seed varies the value; empty takes the first of everything.
	Seed string
	// IsRequest leaves out what is read-only, otherwise what is write-only.
	IsRequest bool
	// NoExamples ignores the examples and defaults of schemas.
	NoExamples bool
	// Steps is how many steps are left, and is reduced by the ones taken. Values that share
	// it share a budget. Once none is left, what is not made yet is left out. Nil is the
	// limit of one value.
	Steps *int
}

// Value returns a value of a schema, nil where the schema allows none.
func Value(schema graph.Schema, o Options) *tree.Node {
	if o.Steps == nil {
		o.Steps = new(int)
		*o.Steps = maxSteps
	}
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(o.Seed)) // a hash never fails
	s := &sampler{Options: o, random: rand.New(rand.NewPCG(hash.Sum64(), 1)), open: map[graph.Schema]int{}}
	return s.value([]graph.Schema{schema}, 0)
}

// sampler makes one value.
type sampler struct {
	Options

	random *rand.Rand
	open   map[graph.Schema]int // named schemas around the current value
	count  int
}

// spend takes steps from what is left and reports whether there were as many. A step is
// a look at one schema.
func (s *sampler) spend(steps int) bool {
	if *s.Steps < steps {
		*s.Steps = 0
		return false
	}
	*s.Steps -= steps
	return true
}

func (s *sampler) isVaried() bool { return s.Seed != "" }

// index picks one of n things: the first, or with a seed any.
func (s *sampler) index(n int) int {
	if !s.isVaried() {
		return 0
	}
	return s.random.IntN(n)
}

// value makes a value that all of the schemas allow. It returns nil where a
// schema repeats within itself, a limit is reached or nothing is allowed.
func (s *sampler) value(schemas []graph.Schema, level int) *tree.Node {
	if s.count++; s.count > maxValues || level > maxDepth || *s.Steps == 0 {
		return nil
	}
	p := s.collect(schemas)
	if p.isNever {
		return nil
	}
	for _, named := range p.named {
		s.open[named]++
		defer func() { s.open[named]-- }()
	}
	for _, named := range p.named {
		if s.open[named] > maxRepeated {
			return nil
		}
	}
	if given := s.given(p); given != nil {
		return given
	}
	switch p.kind(s) {
	case "object":
		return s.object(p, level)
	case "array":
		return s.array(p, level)
	case "boolean":
		return tree.Bool(!s.isVaried() || s.random.IntN(2) == 0)
	case "integer":
		return s.number(p, true)
	case "number":
		return s.number(p, false)
	case "string":
		return tree.String(s.text(p))
	}
	return tree.Null()
}

// given returns the value that the schemas name themselves, nil for none.
func (s *sampler) given(p *parts) *tree.Node {
	for _, schema := range p.list {
		if c := schema.Const(); c != nil {
			return c
		}
	}
	enum := p.enum()
	if !s.NoExamples {
		for _, schema := range p.list {
			list := schema.Examples()
			if len(enum) > 0 {
				list = slices.DeleteFunc(slices.Clone(list), func(n *tree.Node) bool { return !tree.Contains(enum, n) })
			}
			if len(list) > 0 {
				return list[s.index(len(list))]
			}
		}
		for _, schema := range p.list {
			if d := schema.Default(); d != nil && !s.isVaried() {
				return d
			}
		}
	}
	if len(enum) > 0 {
		return enum[s.index(len(enum))]
	}
	return nil
}
