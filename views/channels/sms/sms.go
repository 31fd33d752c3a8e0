// Package sms renders what an account has registered for SMS.
package sms

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// SMSPage shows what an organisation sends SMS with.
type SMSPage struct {
	layout.Frame
	Facts   []ui.Pair
	Reports ui.Link // page of the report address
	Docs    ui.Link
	Headers ui.Table
	Texts   ui.Table
	// Edit holds the forms; nil where the role does not allow them.
	Edit *SMSEdit
	// Recipients say what happens to messages by their last digits; empty where
	// messages go out for real.
	Recipients ui.Table
	Sample     ui.Code // a request to try
}

// SMSEdit holds the forms of an SMS page.
type SMSEdit struct {
	CSRF    string
	Problem string
	Add     SMSHeaderForm
	Header  ui.Input
	Entity  ui.Input
	Reports ui.Select
	Text    SMSTextForm
}

// isTextWrong reports whether the form of a text has a mistake.
func (e *SMSEdit) isTextWrong() bool {
	return e.Problem != "" || e.Text.Name.Error != "" || e.Text.DLTTemplate.Error != "" || e.Text.Header.Error != "" || e.Text.Text.Error != ""
}

// SMSHeaderForm holds the words of the form for a header, which differ in a sandbox.
type SMSHeaderForm struct{ Title, Note, Submit string }

// SMSTextForm stores a text.
type SMSTextForm struct {
	Name, DLTTemplate ui.Input
	Header            ui.Select
	Text              ui.TextArea
}
