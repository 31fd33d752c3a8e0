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
