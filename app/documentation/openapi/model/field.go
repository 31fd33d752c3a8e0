package model

import (
	"cmp"
	"fmt"
	"slices"

	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

// The limits of one tree of fields, so that a schema that multiplies fits on a
// page. All but a few real documents are below them.
const (
	maxFields = 3000 // fields in one body, parameter or header
	maxLevels = 24   // fields within each other
)

// fielder turns schemas into fields, one tree at a time.
type fielder struct {
	*flattener
	stack   map[graph.Schema]int // schemas around the field, by how often
	most    int                  // fields in the tree at hand
	count   int
	cut     bool
	shallow bool                    // trees end at named schemas
	named   map[string]graph.Schema // schemas that fields name
	met     map[string]bool         // schemas that the endpoint at hand uses
}

func newFielder(f *flattener) *fielder {
	return &fielder{flattener: f, stack: map[graph.Schema]int{}, most: maxFields, named: map[string]graph.Schema{}, met: map[string]bool{}}
}

// tree makes the field of a schema and all below it.
func (f *fielder) tree(name, path string, schema graph.Schema) *Field {
	f.count, f.cut = 0, false
	return f.field(name, path, schema, 1)
}

func (f *fielder) field(name, path string, schema graph.Schema, level int) *Field {
	s := f.flatten(schema)
	field := f.describe(name, path, s)
	f.count++
	leave, again := f.enter(s.refs)
	defer leave()
	field.Schema = f.meet(s.refs)
	if again != "" {
		field.Recursive = again
		return field
	}
	if f.shallow && level > 1 && field.Schema != "" {
		return field
	}
	f.inner(field, s, level)
	return field
}

// describe fills the field's own description.
func (f *fielder) describe(name, path string, s *flat) *Field {
	field := &Field{
		Name: name, Path: path, Type: f.typeWords(s, 0), Format: formatWord(s.Schema), Nullable: s.nullable,
		Deprecated: s.Deprecated(), ReadOnly: s.ReadOnly(), WriteOnly: s.WriteOnly(),
		Description: cmp.Or(s.Description(), title(s)),
		Constraints: constraints(s), Enum: slices.Compact(tree.Texts(s.Enum())), Const: s.Const().Display(),
		Default: s.Default().Display(), Example: first(s.Examples()).Display(),
	}
	return field
}

// title returns the title of an inline schema. The title of a named schema is
// its name, not a description of the field.
func title(s *flat) string {
	if s.name != "" {
		return ""
	}
	return s.Title()
}

// enter records the schemas of a field. It returns the name of a schema that
// repeats: at its first repetition where the field is that schema, at its
// second where it extends it.
func (f *fielder) enter(refs []reference) (leave func(), again string) {
	for _, r := range refs {
		seen := f.stack[r.target]
		if seen > 1 || seen == 1 && r.direct {
			again = r.name
			f.know(r)
		}
		f.stack[r.target]++
	}
	return func() {
		for _, r := range refs {
			f.stack[r.target]--
		}
	}, again
}

// meet records the named schemas of a field and returns the name of the one
// that it is.
func (f *fielder) meet(refs []reference) (name string) {
	for _, r := range refs {
		if !r.component {
			continue
		}
		f.know(r)
		if r.direct {
			name = r.name
		}
	}
	return name
}

func (f *fielder) know(r reference) {
	f.met[r.name] = true
	if !f.named[r.name].Exists() {
		f.named[r.name] = r.target
	}
}

// inner adds members, items and variants to a field.
func (f *fielder) inner(field *Field, s *flat, level int) {
	if level >= maxLevels || f.count >= f.most {
		if s.Has("properties") || s.Items().IsObject() || len(s.variants) > 0 {
			field.Truncated, f.cut = true, true
		}
		return
	}
	f.members(field, s, level)
	f.items(field, s, level)
	f.variants(field, s, level)
}

func (f *fielder) members(field *Field, s *flat, level int) {
	required := s.Required()
	for _, m := range s.Properties() {
		if f.count >= f.most {
			field.Truncated, f.cut = true, true
			return
		}
		if f.flatten(m.Value).never {
			continue
		}
		child := f.field(m.Name, field.Path+"."+naming.Anchor(m.Name), m.Value, level+1)
		child.Required = slices.Contains(required, m.Name)
		field.Children = append(field.Children, child)
	}
	for _, m := range s.PatternProperties() {
		child := f.field("{key}", field.Path+".*", m.Value, level+1)
		child.Constraints = append([]string{"key matches " + m.Name}, child.Constraints...)
		field.Children = append(field.Children, child)
	}
	if values := s.AdditionalProperties(); values.IsObject() && !values.HasOnly() {
		child := f.field("{key}", field.Path+".*", values, level+1)
		if len(s.Properties()) > 0 || f.tells(child) {
			field.Children = append(field.Children, child)
		}
	}
}

// tells reports whether a field has more than its type.
func (f *fielder) tells(of *Field) bool {
	return of.Description != "" || of.Recursive != "" || of.Truncated || f.shallow && of.Schema != "" ||
		len(of.Children)+len(of.Variants)+len(of.Enum)+len(of.Constraints) > 0
}

// items adds the items of an array to its field. Their members become members
// of the field.
func (f *fielder) items(field *Field, s *flat, level int) {
	for i, item := range s.PrefixItems() {
		field.Children = append(field.Children, f.field(fmt.Sprintf("item %d", i+1), fmt.Sprintf("%s.%d", field.Path, i), item, level+1))
	}
	items := s.Items()
	if !items.IsObject() {
		return
	}
	each := f.field("", field.Path, items, level+1)
	field.Children = append(field.Children, each.Children...)
	field.Variants = append(field.Variants, each.Variants...)
	field.Format = cmp.Or(field.Format, each.Format)
	field.Recursive = cmp.Or(field.Recursive, each.Recursive)
	field.Schema = cmp.Or(field.Schema, each.Schema)
	field.Truncated = field.Truncated || each.Truncated
	if len(field.Enum) == 0 {
		field.Enum = each.Enum
	}
	for _, c := range each.Constraints {
		field.Constraints = append(field.Constraints, "each "+c)
	}
	if each.Nullable {
		field.Constraints = append(field.Constraints, "each may be null")
	}
	field.Description = cmp.Or(field.Description, each.Description)
}

// variants adds the variants of oneOf and anyOf. Variants that differ only in
// their type are part of the type's words already. Constants become an enum.
func (f *fielder) variants(field *Field, s *flat, level int) {
	if len(s.variants) == 0 {
		return
	}
	if f.enumerate(field, s.variants) {
		return
	}
	if !f.shallow {
		level++ // the forms of a schema that stands alone are its own
	}
	discriminator, taken := s.Discriminator(), map[string]bool{}
	var list []variant
	plain := true
	for i, v := range s.variants {
		if f.count >= f.most {
			field.Truncated, f.cut = true, true
			break
		}
		form := f.flatten(v)
		name := f.variantName(discriminator, v, form, i)
		slug := naming.Unique(taken, cmp.Or(naming.Slug(name), fmt.Sprintf("form-%d", i+1)), "-")
		inner := f.field("", field.Path+":"+slug, v, level)
		if inner.Description == name {
			inner.Description = "" // a title is enough once
		}
		list = append(list, variant{Name: name, Slug: slug, Field: inner})
		plain = plain && !f.tells(inner)
	}
	if !plain {
		field.Variants = append(field.Variants, list...)
	}
}

// enumerate reads a oneOf of constants as an enum.
func (f *fielder) enumerate(field *Field, variants []graph.Schema) bool {
	var list []string
	for _, v := range variants {
		form := f.flatten(v)
		if form.Has("properties") {
			return false
		}
		switch {
		case form.Const() != nil:
			list = append(list, form.Const().Display())
		case len(form.Enum()) > 0:
			list = append(list, tree.Texts(form.Enum())...)
		default:
			return false
		}
	}
	field.Enum = append(field.Enum, list...)
	return true
}

// variantName names a variant by its title, its discriminator value, a constant
// that only it has, its schema, or its type.
func (f *fielder) variantName(d graph.Discriminator, v graph.Schema, form *flat, index int) string {
	if t := form.Title(); t != "" {
		return t
	}
	for _, r := range v.References() {
		for _, m := range d.Mapping {
			if m.Value.Exists() && m.Value == r.Target {
				return m.Name
			}
		}
	}
	if p := form.Property(d.Property); p.Exists() {
		inner := f.flatten(p)
		if e := inner.Enum(); len(e) == 1 {
			return e[0].Display()
		}
		if c := inner.Const(); c != nil {
			return c.Display()
		}
	}
	if form.name != "" {
		return naming.Readable(form.name)
	}
	for _, m := range form.Properties() {
		if c := f.flatten(m.Value).Const(); c.Is(tree.KindString) {
			return naming.Readable(c.Text)
		}
	}
	if t := f.typeWords(form, 0); t != "object" && t != "any" {
		return naming.Capital(t)
	}
	return fmt.Sprintf("Form %d", index+1)
}
