package compare

import (
	"cmp"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
)

// forms names the forms of a oneOf or anyOf, each uniquely, as pages name them:
// by title, discriminator value, schema or a constant that the form has.
func (f *flattener) forms(n *tree.Node, list []*tree.Node) []form {
	taken := map[string]bool{}
	forms := make([]form, len(list))
	for i, v := range list {
		slug := naming.Slug(f.formName(n, v))
		forms[i] = form{naming.Unique(taken, cmp.Or(slug, "form-"+strconv.Itoa(i+1)), "-"), v}
	}
	return forms
}

func (f *flattener) formName(n, v *tree.Node) string {
	inner := f.flatten(v)
	if title := inner.words["title"]; title.Is(tree.KindString) && title.Text != "" {
		return title.Text
	}
	discriminator := n.Get("discriminator")
	if ref := v.Str("$ref"); ref != "" {
		for _, m := range discriminator.Entries("mapping") {
			if m.Value.Text == ref || strings.HasSuffix(ref, "/"+m.Value.Text) {
				return m.Key
			}
		}
	}
	if value := f.constant(inner, discriminator.Str("propertyName")); value != "" {
		return value
	}
	if inner.name != "" {
		return naming.Readable(inner.name)
	}
	for _, p := range inner.props {
		if value := f.constant(inner, p.name); value != "" {
			return value
		}
	}
	if len(inner.types) > 0 {
		return typeWords(inner)
	}
	return ""
}

// constant returns the only value of a member, "" where it has others.
func (f *flattener) constant(s *flat, name string) string {
	for _, p := range s.props {
		if p.name == name && name != "" {
			if values := f.join(p.schemas).enum; len(values) == 1 {
				return values[0].Display()
			}
		}
	}
	return ""
}

// typeWords names the types of a schema: "string or integer".
func typeWords(s *flat) string {
	types := s.types
	if len(types) == 0 {
		return "any"
	}
	text := strings.Join(types, " or ")
	if format := s.words["format"]; format != nil {
		text += " (" + format.Display() + ")"
	}
	return text
}
