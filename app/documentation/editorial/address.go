package editorial

import (
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/fault"
)

// SlugOf returns the last part of the address of a new item: what its author entered,
// else one made from the name in the values of its form. An item needs a name to begin
// with; a version is named by its address.
func SlugOf(kind, entered string, values map[string]string) (slug string, err error) {
	slug = strings.TrimSpace(entered)
	if kind == content.KindVersion {
		if slug == "" {
			err = fault.InvalidFields(fault.Field{Name: "slug", Message: "Enter the version, for example 2.0."})
		}
		return slug, err
	}
	named := nameField(kind)
	name := strings.TrimSpace(values[named.Name])
	if name == "" {
		return slug, fault.InvalidFields(fault.Field{Name: named.Name, Message: "Enter a " + strings.ToLower(named.Label) + "."})
	}
	if slug != "" {
		return slug, nil
	}
	if slug = naming.Slug(name); slug == "" {
		err = fault.InvalidFields(fault.Field{Name: "slug", Message: "No address can be made from this " + strings.ToLower(named.Label) + ". Enter one: " + slugForm})
	}
	return slug, err
}

// nameField returns the field with the name of the items of a kind.
func nameField(kind string) (named fields.Field) {
	for _, f := range fields.Of(kind) {
		if f.Name == "name" || f.Name == "title" {
			return f
		}
	}
	return named
}
