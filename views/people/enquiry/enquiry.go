// Package enquiry shows the contact form.
package enquiry

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// FormPage is the contact form.
type FormPage struct {
	layout.Page
	CSRF string
	// Problem is about the form as a whole.
	Problem string
	// The fields in their order: the sender, then the message.
	Organisation, Website, Name, Email, Phones, GST ui.Input
	Message                                         ui.TextArea
	Consent                                         ui.Checks
	// About is the path of the page that the form was opened from; it may be empty.
	About string
	// Stamp is the signed stamp of the form, and Work the bits of the proof of work
	// that it asks for; 0 is none.
	Stamp string
	Work  int
	// Trap is what was entered in the field that people do not see.
	Trap string
}

// inputs lists the fields for the summary of errors.
func (p FormPage) inputs() []ui.Input {
	return []ui.Input{p.Organisation, p.Website, p.GST, p.Name, p.Email, p.Phones, p.Message.Input(), p.Consent.Input()}
}

// region is the region of the form.
var region = ui.Form.Of("contact")

// AnswerPage says what happens with an enquiry.
type AnswerPage struct {
	layout.Page
	Heading, Lead string
	// Reference is what people quote; it may be empty.
	Reference string
	Notes     []string
	// Action confirms an enquiry; nil is none.
	Action *ui.Post
	Next   ui.Link
}
