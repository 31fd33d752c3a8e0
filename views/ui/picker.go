package ui

import "github.com/a-h/templ"

// Picker offers choices for a field, which takes other text as well. The browser
// lists them below the field while somebody types.
type Picker struct {
	// Address answers with the choices for what is typed. Without script the field
	// keeps its first choices.
	Address string
	// Choices are the first ones.
	Choices []Option
}

// list is the id of the choices of a field.
func (in Input) list() string { return in.id() + "-choices" }

// attributes make the field list its choices and ask for others while it is typed
// in. Nothing is taken over from the form around it: the form does not wait, and the
// address of the page stays.
func (p Picker) attributes(in Input) templ.Attributes {
	if p.Address == "" {
		return nil
	}
	return templ.Attributes{
		"list": in.list(), "autocomplete": "off",
		"hx-get": p.Address, "hx-trigger": "input changed delay:200ms", "hx-target": "#" + in.list(), "hx-swap": "outerHTML",
		"hx-sync": "this:replace", "hx-push-url": "false", "hx-replace-url": "false", "hx-disabled-elt": "unset", "hx-headers": QuietHeaders,
	}
}
