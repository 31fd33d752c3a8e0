package graph

import (
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/lists"
)

// constraints reads the validation vocabulary: which values a schema allows.
type constraints struct{ identity }

// annotated reads formats, contents and annotations: what is said of values.
type annotated struct{ constraints }

// Types lists the types that the keyword type allows, none where it is absent.
func (s constraints) Types() []string {
	if t := s.n.Get("type"); t != nil {
		return tree.Texts(t.Values())
	}
	return nil
}

// Const returns the only value allowed, nil where there is none. The value null
// is a node.
func (s constraints) Const() *tree.Node { return s.n.Get("const") }

// Enum lists the only values allowed.
func (s constraints) Enum() []*tree.Node { return s.n.List("enum") }

// Limits are the numbers that narrow a schema, as the document writes them; ""
// where there is none.
type Limits struct {
	MultipleOf, Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum string
	MinLength, MaxLength                                             string
	MinItems, MaxItems, MinContains, MaxContains                     string
	MinProperties, MaxProperties                                     string
}

// Limits returns the numbers that narrow the schema.
func (s constraints) Limits() Limits {
	v := func(key string) string { return s.n.Get(key).Display() }
	return Limits{
		MultipleOf: v("multipleOf"), Minimum: v("minimum"), Maximum: v("maximum"),
		ExclusiveMinimum: v("exclusiveMinimum"), ExclusiveMaximum: v("exclusiveMaximum"),
		MinLength: v("minLength"), MaxLength: v("maxLength"), MinItems: v("minItems"), MaxItems: v("maxItems"),
		MinContains: v("minContains"), MaxContains: v("maxContains"),
		MinProperties: v("minProperties"), MaxProperties: v("maxProperties"),
	}
}

// UniqueItems reports whether no item may be there twice.
func (s constraints) UniqueItems() bool { return s.n.True("uniqueItems") }

// Pattern returns the pattern of a text (ECMA 262).
func (s constraints) Pattern() string { return s.n.Str("pattern") }

// Required lists the members that must be there.
func (s constraints) Required() []string { return tree.Texts(s.n.List("required")) }

// DependentRequired lists, by the name of a member, the members that must be
// there with it.
func (s constraints) DependentRequired() (list []Named[[]string]) {
	return lists.Map(s.n.Entries("dependentRequired"), func(m tree.Member) Named[[]string] { return Named[[]string]{m.Key, tree.Texts(m.Value.Elements())} })
}

// Format returns the format.
func (s annotated) Format() string { return s.n.Str("format") }

// ContentEncoding returns how a text encodes bytes, such as base64.
func (s annotated) ContentEncoding() string { return s.n.Str("contentEncoding") }

// ContentMediaType returns the media type of what a text holds.
func (s annotated) ContentMediaType() string { return s.n.Str("contentMediaType") }

// Title returns the title.
func (s annotated) Title() string { return s.n.Str("title") }

// Default returns the value that a missing one stands for, nil where there is
// none.
func (s annotated) Default() *tree.Node { return s.n.Get("default") }

// Examples lists the examples, also of the older keyword example.
func (s annotated) Examples() []*tree.Node {
	list := s.n.List("examples")
	if e := s.n.Get("example"); e != nil {
		return append(slices.Clip(list), e)
	}
	return list
}

// ReadOnly reports whether only responses have the value.
func (s annotated) ReadOnly() bool { return s.n.True("readOnly") }

// WriteOnly reports whether only requests have the value.
func (s annotated) WriteOnly() bool { return s.n.True("writeOnly") }

// Discriminator is a Discriminator Object: the member that tells forms apart.
type Discriminator struct {
	Property string
	Mapping  []Named[Schema] // by value; a schema may not exist
}

// Discriminator returns the discriminator, the zero one where there is none.
func (s Schema) Discriminator() (d Discriminator) {
	n := s.n.Get("discriminator")
	d.Property = n.Str("propertyName")
	for _, m := range n.Entries("mapping") {
		target := s.g.Resolve(m.Value.Text)
		if !target.Exists() {
			target = s.g.Schema(m.Value.Text).Object
		}
		d.Mapping = append(d.Mapping, Named[Schema]{m.Key, schemaOf(target)})
	}
	return d
}

// XML is an XML Object: how a value is written in XML.
type XML struct {
	Name, Namespace, Prefix string
	Attribute, Wrapped      bool
}

// XML returns how the value is written in XML; false where the schema does not
// say.
func (s annotated) XML() (XML, bool) {
	n := s.n.Get("xml")
	return XML{n.Str("name"), n.Str("namespace"), n.Str("prefix"), n.True("attribute"), n.True("wrapped")}, n != nil
}

// known are the keywords that methods of Schema read.
var known = strings.Fields(`$id $schema $vocabulary $comment $anchor $dynamicAnchor $recursiveAnchor $ref $dynamicRef $recursiveRef
type const enum multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern
minItems maxItems uniqueItems minContains maxContains minProperties maxProperties required dependentRequired
format contentEncoding contentMediaType title description default deprecated readOnly writeOnly examples example
discriminator xml externalDocs`)

// Others lists the members that are no keywords of JSON Schema 2020-12 or
// OpenAPI and no extensions.
func (s Schema) Others() (list []tree.Member) {
	if !s.n.Is(tree.KindObject) {
		return nil
	}
	for _, m := range s.n.Members {
		if schemaKeywords[m.Key] == 0 && !slices.Contains(known, m.Key) && !strings.HasPrefix(m.Key, "x-") {
			list = append(list, m)
		}
	}
	return list
}
