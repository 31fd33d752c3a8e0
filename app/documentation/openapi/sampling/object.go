package sampling

import (
	"regexp"
	"slices"
	"strconv"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// object makes an object with all its members, those that are deprecated or for
// the other direction only if they are required.
func (s *sampler) object(p *parts, level int) *tree.Node {
	made := tree.Object()
	_, most := p.count(minProperties, maxProperties, 200)
	least, _ := p.count(minProperties, maxProperties, 200)
	required := p.required()
	for _, name := range p.names(required) {
		if !s.spend(len(p.list)) {
			break
		}
		isRequired := slices.Contains(required, name)
		schemas := p.member(name)
		if !isRequired && (level >= fullDepth || len(made.Members) >= most-len(required) && len(made.Members) >= most || s.isLeftOut(schemas)) {
			continue
		}
		if isRequired && s.isHidden(schemas) {
			continue
		}
		value := p.fixed[name]
		if value == nil {
			value = s.value(schemas, level+1)
		}
		if value == nil && isRequired {
			value = tree.Null()
		}
		if value != nil {
			made.Append(name, value)
		}
	}
	if most < len(made.Members) {
		made.Members = slices.DeleteFunc(made.Members, func(m tree.Member) bool {
			if len(made.Members) <= most || slices.Contains(required, m.Key) {
				return false
			}
			most++
			return true
		})
	}
	s.fill(made, p, level, least)
	return made
}

func minProperties(l graph.Limits) string { return l.MinProperties }
func maxProperties(l graph.Limits) string { return l.MaxProperties }

// required lists the members that must be there, and those that they require.
func (p *parts) required() (list []string) {
	for _, schema := range p.list {
		list = append(list, schema.Required()...)
	}
	for range 10 {
		before := len(list)
		for _, schema := range p.list {
			for _, d := range schema.DependentRequired() {
				for _, name := range d.Value {
					if slices.Contains(list, d.Name) && !slices.Contains(list, name) {
						list = append(list, name)
					}
				}
			}
		}
		if len(list) == before {
			break
		}
	}
	return list
}

// names lists the documented members in order, then the required ones that are
// not documented.
func (p *parts) names(required []string) (list []string) {
	add := func(name string) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, schema := range p.list {
		for _, m := range schema.Properties() {
			add(m.Name)
		}
	}
	for _, name := range required {
		add(name)
	}
	for name := range p.fixed {
		add(name)
	}
	return list
}

// member lists the schemas of a member.
func (p *parts) member(name string) (list []graph.Schema) {
	for _, schema := range p.list {
		isNamed := false
		if m := schema.Property(name); m.Exists() {
			list, isNamed = append(list, m), true
		}
		for _, m := range schema.PatternProperties() {
			if re, err := regexp.Compile(m.Name); err == nil && re.MatchString(name) {
				list, isNamed = append(list, m.Value), true
			}
		}
		if rest := schema.AdditionalProperties(); !isNamed && rest.IsObject() {
			list = append(list, rest)
		}
	}
	return list
}

// isLeftOut reports whether a member that is not required stays out.
func (s *sampler) isLeftOut(schemas []graph.Schema) bool {
	return s.isHidden(schemas) || slices.ContainsFunc(schemas, func(m graph.Schema) bool { return m.Deprecated() })
}

// isHidden reports whether a member is for the other direction alone.
func (s *sampler) isHidden(schemas []graph.Schema) bool {
	return slices.ContainsFunc(s.collectPlain(schemas), func(m graph.Schema) bool {
		return s.IsRequest && m.ReadOnly() || !s.IsRequest && m.WriteOnly()
	})
}

// collectPlain lists schemas and what they refer to.
func (s *sampler) collectPlain(schemas []graph.Schema) (list []graph.Schema) {
	for _, schema := range schemas {
		list = append(list, schema)
		for _, r := range schema.References() {
			list = append(list, r.Target)
		}
	}
	return list
}

// fill adds members with free names: as many as there must be, or one to an
// object that has no documented ones.
func (s *sampler) fill(made *tree.Node, p *parts, level, least int) {
	if len(made.Members) == 0 && least == 0 && level < fullDepth {
		least = 1
	}
	for i := 0; len(made.Members) < least && i < 2*least+2; i++ {
		name, schema, ok := s.free(p, i)
		if !ok {
			return
		}
		if made.Get(name) != nil {
			continue
		}
		if value := s.value([]graph.Schema{schema}, level+1); value != nil {
			made.Append(name, value)
		}
	}
}

// free returns a name that is not documented, and its schema. It reports false
// where none is allowed, or nothing is said about them.
func (s *sampler) free(p *parts, i int) (string, graph.Schema, bool) {
	for _, schema := range p.list {
		for _, m := range schema.PatternProperties() {
			if text, ok := s.matching(m.Name, 0, 60); ok {
				return text, m.Value, true
			}
		}
	}
	name := "key"
	if i > 0 {
		name += strconv.Itoa(i + 1)
	}
	for _, schema := range p.list {
		rest := schema.AdditionalProperties()
		if !rest.IsObject() {
			continue
		}
		if names := schema.PropertyNames(); names.Exists() {
			if v := s.value([]graph.Schema{names}, maxDepth-1); v.Is(tree.KindString) {
				name = v.Text
			}
		}
		return name, rest, true
	}
	return "", graph.Schema{}, false
}
