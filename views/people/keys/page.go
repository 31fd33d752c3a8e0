// Package keys renders the keys of an account.
package keys

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// KeysPage lists API keys.
type KeysPage struct {
	layout.Frame
	// Created is a key that was just created. It is shown once.
	Created ui.Code
	Keys    ui.Table
	// Form creates a key; nil if the user may not, or if Full says why no key can
	// be created.
	Form *KeyForm
	Full string
	// Docs links to the documentation of keys.
	Docs ui.Link
}

// KeyForm creates an API key.
type KeyForm struct {
	Name     ui.Input
	Channels ui.Checks
	Problem  string
	CSRF     string
}

// isWrong reports whether the form was sent with a mistake.
func (f *KeyForm) isWrong() bool { return f.Problem != "" || ui.AnyWrong(f.Name, f.Channels.Input()) }
