package sampling

import (
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// mostItems is the number of items that a minimum can ask for.
const mostItems = 200

func minItems(l graph.Limits) string { return l.MinItems }
func maxItems(l graph.Limits) string { return l.MaxItems }

// array makes a list of one item, or of as many as there must be.
func (s *sampler) array(p *parts, level int) *tree.Node {
	made := tree.Array()
	least, most := p.count(minItems, maxItems, mostItems)
	isUnique := false
	var prefix, items, contains []graph.Schema
	for _, schema := range p.list {
		isUnique = isUnique || schema.UniqueItems()
		prefix = append(prefix, schema.PrefixItems()...)
		if schema.Items().Exists() {
			items = append(items, schema.Items())
		}
		if schema.Contains().Exists() {
			contains = append(contains, schema.Contains())
		}
	}
	wanted := max(least, 1)
	if s.isVaried() {
		wanted = max(least, 1+s.random.IntN(3))
	}
	wanted = min(max(wanted, len(prefix)), most)
	for i := 0; len(made.Items) < wanted && i < 4*wanted+4; i++ {
		var schemas []graph.Schema
		switch n := len(made.Items); {
		case n < len(prefix):
			schemas = []graph.Schema{prefix[n]}
		case len(contains) > 0 && n == len(prefix):
			schemas = append(append(schemas, items...), contains...)
		case len(items) > 0:
			schemas = items
		default:
			if n >= least {
				return made
			}
		}
		item := s.item(schemas, level, i, isUnique)
		if item == nil {
			break
		}
		if !isUnique || !tree.Contains(made.Items, item) {
			made.Items = append(made.Items, item)
		}
	}
	return made
}

// item makes an item. Where items must differ, those after the first vary.
func (s *sampler) item(schemas []graph.Schema, level, i int, isUnique bool) *tree.Node {
	if isUnique && i > 0 && s.Seed == "" {
		s.Seed = "unique"
		defer func() { s.Seed = "" }()
	}
	return s.value(schemas, level+1)
}
