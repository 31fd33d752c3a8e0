package admin

import (
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

// also sends the form to its other address.
func (f Form) also() templ.Attributes {
	attributes := f.sent()
	delete(attributes, "id")
	attributes["hx-disabled-elt"] = "this"
	attributes["hx-post"] = f.Also.Action
	return attributes
}
