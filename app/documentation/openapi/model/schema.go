package model

import (
	"maps"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/graph"
)

// maxSchemaFields is the number of fields in the trees of all named schemas
// together.
const maxSchemaFields = 50_000

// schemas compiles the schemas that fields name, and those that these name in
// turn.
func (c *compiler) schemas() []*Schema {
	c.at, c.fields.shallow = "schemas", true
	made := map[string]*Schema{}
	left := maxSchemaFields
	for len(made) < len(c.fields.named) {
		for _, name := range slices.Sorted(maps.Keys(c.fields.named)) {
			if made[name] != nil {
				continue
			}
			c.fields.most = min(maxFields, left)
			made[name] = c.schema(name, c.fields.named[name])
			left = max(0, left-c.fields.count)
		}
	}
	list := make([]*Schema, 0, len(made))
	for _, name := range slices.Sorted(maps.Keys(made)) {
		list = append(list, made[name])
	}
	return list
}

func (c *compiler) schema(name string, target graph.Schema) *Schema {
	c.fields.stack[target]++ // it repeats at once within itself
	defer func() { c.fields.stack[target]-- }()
	s := &Schema{Name: name, Root: c.tree(name, "schema", target), Endpoints: c.uses[name]}
	for _, example := range c.generated(target, "application/json", false) {
		s.Example = example.Value
	}
	return s
}

// Schema returns the named schema, nil when no endpoint uses it.
func (a *API) Schema(name string) *Schema {
	i, found := slices.BinarySearchFunc(a.Schemas, name, func(s *Schema, name string) int { return strings.Compare(s.Name, name) })
	if !found {
		return nil
	}
	return a.Schemas[i]
}
