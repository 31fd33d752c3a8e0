package graph

import (
	"iter"
	"slices"

	"heliograph/app/documentation/openapi/tree"
)

// Schema is a Schema Object: a schema of JSON Schema 2020-12 with the keywords
// that OpenAPI adds.
//
// Its keywords are read by one type for each vocabulary: identity, constraints,
// annotated and applied.
type Schema struct{ applied }

func schemaOf(o Object) Schema { return Schema{applied{annotated{constraints{identity{o}}}}} }

// Name returns the name in the components, "" for a schema written in place.
func (s Schema) Name() string {
	if s.g == nil {
		return ""
	}
	return s.g.names[s.n]
}

// Boolean returns the value of a schema that is true or false.
func (s Schema) Boolean() (value, ok bool) {
	if s.n.Is(tree.KindBool) {
		return s.n.Text == "true", true
	}
	return false, false
}

// IsObject reports whether the schema has keywords, rather than being true or
// false. It may have none.
func (s Schema) IsObject() bool { return s.n.Is(tree.KindObject) }

// Keywords goes through the names of the members, in the order of the document.
func (s Schema) Keywords() iter.Seq[string] {
	return func(yield func(string) bool) {
		if !s.IsObject() {
			return
		}
		for _, m := range s.n.Members {
			if !yield(m.Key) {
				return
			}
		}
	}
}

// Has reports whether the schema has a keyword.
func (s Schema) Has(keyword string) bool { return s.n.Get(keyword) != nil }

// HasOnly reports whether the schema has no keywords but these.
func (s Schema) HasOnly(keywords ...string) bool {
	for keyword := range s.Keywords() {
		if !slices.Contains(keywords, keyword) {
			return false
		}
	}
	return s.IsObject()
}

func (s applied) at(key string) Schema { return schemaOf(s.get(key)) }

func (s applied) each(key string) (list []Schema) {
	nodes := s.n.List(key)
	if len(nodes) == 0 {
		return nil
	}
	list = make([]Schema, len(nodes))
	for i, n := range nodes {
		list[i] = schemaOf(Object{s.g, n})
	}
	return list
}

func (s applied) under(key string) (list []Named[Schema]) {
	members := s.n.Entries(key)
	if len(members) == 0 {
		return nil
	}
	list = make([]Named[Schema], len(members))
	for i, m := range members {
		list[i] = Named[Schema]{m.Key, schemaOf(Object{s.g, m.Value})}
	}
	return list
}

// identity reads the core vocabulary: what a schema is called.
type identity struct{ Object }

// ID returns $id.
func (s identity) ID() string { return s.n.Str("$id") }

// Dialect returns $schema.
func (s identity) Dialect() string { return s.n.Str("$schema") }

// Vocabulary returns $vocabulary, nil where there is none.
func (s identity) Vocabulary() *tree.Node { return s.n.Get("$vocabulary") }

// Comment returns $comment.
func (s identity) Comment() string { return s.n.Str("$comment") }

// Anchor returns $anchor.
func (s identity) Anchor() string { return s.n.Str("$anchor") }

// DynamicAnchor returns $dynamicAnchor.
func (s identity) DynamicAnchor() string { return s.n.Str("$dynamicAnchor") }

// Definitions lists the schemas of $defs and of definitions, its older name.
func (s applied) Definitions() []Named[Schema] {
	return append(s.under("$defs"), s.under("definitions")...)
}

// Reference is an edge from a schema to another. The schema may have further
// keywords beside it, which hold too.
type Reference struct {
	Keyword string // $ref, $dynamicRef or $recursiveRef
	Text    string // as the document has it
	Target  Schema // does not exist where the reference has no target
}

// References lists the references of the schema itself, in its order. There is
// rarely more than one.
func (s Schema) References() (list []Reference) {
	if !s.n.Is(tree.KindObject) {
		return nil
	}
	for _, m := range s.n.Members {
		switch m.Key {
		case "$ref", "$dynamicRef", "$recursiveRef":
			if m.Value.Is(tree.KindString) {
				list = append(list, Reference{m.Key, m.Value.Text, schemaOf(s.g.Resolve(m.Value.Text))})
			}
		}
	}
	return list
}

// applied reads the applicator and unevaluated vocabularies: the schemas that one applies.
type applied struct{ annotated }

// AllOf lists schemas that all hold.
func (s applied) AllOf() []Schema { return s.each("allOf") }

// AnyOf lists schemas of which at least one holds.
func (s applied) AnyOf() []Schema { return s.each("anyOf") }

// OneOf lists schemas of which exactly one holds.
func (s applied) OneOf() []Schema { return s.each("oneOf") }

// Not is a schema that does not hold.
func (s applied) Not() Schema { return s.at("not") }

// If is a schema that decides between Then and Else.
func (s applied) If() Schema { return s.at("if") }

// Then holds where If does.
func (s applied) Then() Schema { return s.at("then") }

// Else holds where If does not.
func (s applied) Else() Schema { return s.at("else") }

// Properties lists the members of an object by name.
func (s applied) Properties() []Named[Schema] { return s.under("properties") }

// Property returns the schema of a member.
func (s applied) Property(name string) Schema { return schemaOf(s.get("properties").get(name)) }

// PatternProperties lists schemas by the pattern of the names they hold for.
func (s applied) PatternProperties() []Named[Schema] { return s.under("patternProperties") }

// AdditionalProperties holds for the members that have no schema otherwise.
func (s applied) AdditionalProperties() Schema { return s.at("additionalProperties") }

// UnevaluatedProperties holds for the members that no keyword evaluated.
func (s applied) UnevaluatedProperties() Schema { return s.at("unevaluatedProperties") }

// PropertyNames holds for the names of members.
func (s applied) PropertyNames() Schema { return s.at("propertyNames") }

// DependentSchemas lists schemas that hold where a member of the name is there.
func (s applied) DependentSchemas() []Named[Schema] { return s.under("dependentSchemas") }

// PrefixItems lists the schemas of the first items.
func (s applied) PrefixItems() []Schema { return s.each("prefixItems") }

// Items holds for the items after the first ones.
func (s applied) Items() Schema { return s.at("items") }

// Contains holds for at least MinContains items.
func (s applied) Contains() Schema { return s.at("contains") }

// UnevaluatedItems holds for the items that no keyword evaluated.
func (s applied) UnevaluatedItems() Schema { return s.at("unevaluatedItems") }

// ContentSchema describes what a text holds once it is decoded.
func (s applied) ContentSchema() Schema { return s.at("contentSchema") }

// Children goes through the schemas directly within this one. Targets of
// references are not among them.
func (s Schema) Children() iter.Seq2[string, Schema] {
	return func(yield func(string, Schema) bool) {
		if !s.n.Is(tree.KindObject) {
			return
		}
		for _, m := range s.n.Members {
			switch schemaKeywords[m.Key] {
			case holdsSchema:
				if !yield(m.Key, schemaOf(Object{s.g, m.Value})) {
					return
				}
			case holdsList:
				for _, n := range m.Value.Elements() {
					if !yield(m.Key, schemaOf(Object{s.g, n})) {
						return
					}
				}
			case holdsMap:
				for _, c := range s.n.Entries(m.Key) {
					if !yield(m.Key, schemaOf(Object{s.g, c.Value})) {
						return
					}
				}
			}
		}
	}
}

// Walk goes through the schema, the schemas within it and those that it refers
// to, each once.
func (s Schema) Walk() iter.Seq[Schema] {
	return func(yield func(Schema) bool) {
		seen := map[*tree.Node]bool{}
		for open := []Schema{s}; len(open) > 0; {
			next := open[len(open)-1]
			open = open[:len(open)-1]
			if !next.Exists() || seen[next.n] {
				continue
			}
			seen[next.n] = true
			if !yield(next) {
				return
			}
			for _, child := range next.Children() {
				open = append(open, child)
			}
			for _, r := range next.References() {
				open = append(open, r.Target)
			}
		}
	}
}

// How keywords hold schemas.
const (
	holdsSchema = iota + 1
	holdsList
	holdsMap
)

var schemaKeywords = map[string]int{
	"properties": holdsMap, "patternProperties": holdsMap, "dependentSchemas": holdsMap, "$defs": holdsMap, "definitions": holdsMap,
	"allOf": holdsList, "anyOf": holdsList, "oneOf": holdsList, "prefixItems": holdsList,
	"not": holdsSchema, "if": holdsSchema, "then": holdsSchema, "else": holdsSchema,
	"additionalProperties": holdsSchema, "unevaluatedProperties": holdsSchema, "propertyNames": holdsSchema,
	"items": holdsSchema, "contains": holdsSchema, "unevaluatedItems": holdsSchema, "contentSchema": holdsSchema,
}
