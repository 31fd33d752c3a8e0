package sampling

import (
	"cmp"
	"slices"
	"strconv"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// parts are the schemas that hold for one value.
type parts struct {
	list    []graph.Schema
	named   []graph.Schema // of components
	isNever bool
	fixed   map[string]*tree.Node // members that a discriminator sets
}

// collect follows references and allOf, and picks a variant of each oneOf and
// anyOf.
func (s *sampler) collect(schemas []graph.Schema) *parts {
	p := &parts{fixed: map[string]*tree.Node{}}
	seen := map[graph.Schema]bool{}
	open := slices.Clone(schemas)
	for len(open) > 0 && len(seen) < maxParts && s.spend(1) {
		schema := open[0]
		open = open[1:]
		if !schema.Exists() || seen[schema] {
			continue
		}
		seen[schema] = true
		if allowed, ok := schema.Boolean(); ok {
			p.isNever = p.isNever || !allowed
			continue
		}
		p.list = append(p.list, schema)
		if schema.Name() != "" {
			p.named = append(p.named, schema)
		}
		for _, r := range schema.References() {
			open = append(open, r.Target)
		}
		open = append(open, schema.AllOf()...)
		for _, variants := range [][]graph.Schema{schema.OneOf(), schema.AnyOf()} {
			if chosen, ok := s.variant(variants); ok {
				open = append(open, chosen)
				p.fix(schema.Discriminator(), chosen)
			}
		}
	}
	return p
}

// variant picks a variant: one that is not null and does not repeat too often.
func (s *sampler) variant(variants []graph.Schema) (graph.Schema, bool) {
	if !s.spend(len(variants)) {
		return graph.Schema{}, false
	}
	usable := slices.DeleteFunc(slices.Clone(variants), func(v graph.Schema) bool {
		if allowed, ok := v.Boolean(); ok && !allowed || slices.Equal(v.Types(), []string{"null"}) {
			return true
		}
		return slices.ContainsFunc(v.References(), func(r graph.Reference) bool { return s.open[r.Target] > 0 })
	})
	if len(usable) == 0 {
		usable = variants
	}
	if len(usable) == 0 {
		return graph.Schema{}, false
	}
	return usable[s.index(len(usable))], true
}

// fix sets the member that names a variant.
func (p *parts) fix(d graph.Discriminator, chosen graph.Schema) {
	if d.Property == "" {
		return
	}
	target := chosen
	for _, r := range chosen.References() {
		target = r.Target
	}
	word := target.Name()
	for _, m := range d.Mapping {
		if m.Value == target {
			word = m.Name
			break
		}
	}
	if word != "" {
		p.fixed[d.Property] = tree.String(word)
	}
}

// enum returns the values that all enumerations share.
func (p *parts) enum() (list []*tree.Node) {
	for _, schema := range p.list {
		values := schema.Enum()
		switch {
		case len(values) == 0:
		case list == nil:
			list = values
		default:
			list = slices.DeleteFunc(slices.Clone(list), func(n *tree.Node) bool { return !tree.Contains(values, n) })
		}
	}
	return list
}

// kind returns the type of the value, by the keywords where no type is given.
func (p *parts) kind(s *sampler) string {
	var types []string
	for _, schema := range p.list {
		own := schema.Types()
		switch {
		case len(own) == 0:
		case types == nil:
			types = own
		default:
			types = slices.DeleteFunc(slices.Clone(types), func(t string) bool {
				return !slices.Contains(own, t) && (t != "integer" || !slices.Contains(own, "number"))
			})
		}
	}
	concrete := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	if len(concrete) > 0 {
		return concrete[s.index(len(concrete))]
	}
	if len(types) > 0 {
		return "null"
	}
	for _, schema := range p.list {
		for keyword := range schema.Keywords() {
			if kind := keywordKinds[keyword]; kind != "" {
				return kind
			}
		}
	}
	if len(p.fixed) > 0 {
		return "object"
	}
	return "string"
}

// keywordKinds are the types that keywords are about.
var keywordKinds = map[string]string{
	"properties": "object", "required": "object", "additionalProperties": "object", "patternProperties": "object", "minProperties": "object",
	"maxProperties": "object", "propertyNames": "object", "dependentRequired": "object", "dependentSchemas": "object",
	"items": "array", "prefixItems": "array", "minItems": "array", "maxItems": "array", "uniqueItems": "array", "contains": "array",
	"pattern": "string", "format": "string", "minLength": "string", "maxLength": "string", "contentEncoding": "string", "contentMediaType": "string",
	"minimum": "number", "maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number", "multipleOf": "number",
}

// most returns the largest number that the schemas give under a limit.
func (p *parts) most(limit func(graph.Limits) string) (float64, bool) {
	return p.bound(limit, func(a, b float64) bool { return a > b })
}

// least returns the smallest one.
func (p *parts) least(limit func(graph.Limits) string) (float64, bool) {
	return p.bound(limit, func(a, b float64) bool { return a < b })
}

func (p *parts) bound(limit func(graph.Limits) string, isBetter func(a, b float64) bool) (best float64, ok bool) {
	for _, schema := range p.list {
		v, err := strconv.ParseFloat(limit(schema.Limits()), 64)
		if err == nil && (!ok || isBetter(v, best)) {
			best, ok = v, true
		}
	}
	return best, ok
}

// count returns the numbers within which a count lies, at most top.
func (p *parts) count(low, high func(graph.Limits) string, top int) (least, most int) {
	most = top
	if v, ok := p.most(low); ok {
		least = int(min(max(v, 0), float64(top)))
	}
	if v, ok := p.least(high); ok {
		most = int(min(max(v, 0), float64(top)))
	}
	return least, max(least, most)
}

// first returns the first text that a schema has.
func (p *parts) first(text func(graph.Schema) string) string {
	found := ""
	for _, schema := range p.list {
		found = cmp.Or(found, text(schema))
	}
	return found
}
