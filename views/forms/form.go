// Package forms renders forms of the administration: their fields, and pages that have only one.
package forms

import (
	"slices"

	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// sent makes the answer replace the form, or what the form says.
func (f Form) sent() templ.Attributes {
	attributes := ui.InPlace(f.Region())
	if f.Into != "" {
		attributes["hx-target"] = f.Into.Selector()
	}
	return attributes
}

// IsWrong reports whether the form was sent with a mistake.
func (f Form) IsWrong() bool {
	return f.Problem != "" || ui.AnyWrong(f.invalid()...) ||
		slices.ContainsFunc(f.Selects, func(s ui.Select) bool { return s.Error != "" })
}

// also sends the form to its other address.
func (f Form) also() templ.Attributes {
	attributes := f.sent()
	delete(attributes, "id")
	attributes["hx-disabled-elt"] = "this"
	attributes["hx-post"] = f.Also.Action
	return attributes
}
