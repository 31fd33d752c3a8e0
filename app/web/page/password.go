package page

import "heliograph/views/ui"

// PresentPassword asks users who are signed in for the password that they have.
func PresentPassword(name string, problems *Problems) ui.Input {
	return ui.Input{
		Name: name, Label: "Present password", Type: "password", Autocomplete: "current-password", Required: true,
		Error: problems.Fields[name],
	}
}

// NewPassword asks for a password to set and for the same once more, in the
// fields password and confirmation.
func NewPassword(label string, problems *Problems) (password, confirmation ui.Input) {
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
