package login

import (
	"heliograph/app/web/page"
	"heliograph/views/ui"
)

// PresentPassword returns the field for the current password.
func PresentPassword(name string, problems *page.Problems) ui.Input {
	return ui.Input{
		Name: name, Label: "Current password", Type: "password", Autocomplete: "current-password", Required: true,
		Error: problems.Fields[name],
	}
}

// NewPassword returns the fields password and confirmation.
func NewPassword(label string, problems *page.Problems) (password, confirmation ui.Input) {
	password = ui.Input{
		Name: "password", Label: label, Type: "password", Autocomplete: "new-password", Required: true,
		Hint: "At least 12 characters. A sentence is easier to remember than a word.", Error: problems.Fields["password"],
	}
	confirmation = ui.Input{
		Name: "confirmation", Label: label + " once more", Type: "password", Autocomplete: "new-password", Required: true,
		Error: problems.Fields["confirmation"],
	}
	return password, confirmation
}
