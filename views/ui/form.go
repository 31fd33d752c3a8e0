package ui

import (
	"cmp"
	"maps"

	"github.com/a-h/templ"
)

func inputAttributes(in Input) templ.Attributes {
	attributes := templ.Attributes{
		"id":       in.id(),
		"name":     in.Name,
		"type":     cmp.Or(in.Type, "text"),
		"required": in.Required,
		"disabled": in.Disabled,
	}
	if in.Masked {
		in.Value, in.Autocomplete = "", "new-password"
		attributes["type"] = "password"
	}
	if in.Focus {
		attributes["autofocus"] = true
	}
	if in.InputMode != "" {
		attributes["inputmode"] = in.InputMode
	}
	// A password never travels back to the browser.
	if in.Value != "" && in.Type != "password" {
		attributes["value"] = in.Value
	}
	if in.Placeholder != "" {
		attributes["placeholder"] = in.Placeholder
	}
	if in.Autocomplete != "" {
		attributes["autocomplete"] = in.Autocomplete
	}
	maps.Copy(attributes, describedAttributes(in))
	maps.Copy(attributes, in.Picker.attributes(in))
	return attributes
}

// describedAttributes tie a control to its hint and its error.
func describedAttributes(in Input) templ.Attributes {
	attributes := templ.Attributes{}
	if by := in.describedBy(); by != "" {
		attributes["aria-describedby"] = by
	}
	if in.Error != "" {
		attributes["aria-invalid"] = "true"
	}
	return attributes
}

// groupAttributes tie a group of controls to its hint and its error. A group is
// not invalid itself: ARIA knows invalid controls alone.
func groupAttributes(in Input) templ.Attributes {
	attributes := describedAttributes(in)
	delete(attributes, "aria-invalid")
	return attributes
}

func invalid(inputs []Input) (wrong []Input) {
	for _, in := range inputs {
		if in.Error != "" {
			wrong = append(wrong, in)
		}
	}
	return wrong
}

// AnyWrong reports whether an input has an error.
func AnyWrong(inputs ...Input) bool { return len(invalid(inputs)) > 0 }

// Counted writes a number with the noun that agrees with it.
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return itoa(n) + " " + many
}
