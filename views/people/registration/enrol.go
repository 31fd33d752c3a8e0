// Package registration renders registration and the reset of a password.
package registration

import (
	"heliograph/views/layout"
	"heliograph/views/people/code"
	"heliograph/views/ui"
)

// ResetLinkPage sets a new password by a link from an email.
type ResetLinkPage struct {
	layout.Page
	Heading, Lead                       string
	Action, Email, Token, CSRF, Problem string
	Inputs                              []ui.Input // none if there is nothing to set
}

// RegisterPage is the form that an organisation registers with.
type RegisterPage struct {
	layout.Page
	CSRF    string
	Problem string // with the attempt as a whole
	Waiting bool   // this browser has registered, and its code is not entered yet
	// Organisation to Confirmation are the fields in their order.
	Organisation, Email, Mobile, Password, Confirmation ui.Input
}

func (p RegisterPage) inputs() []ui.Input {
	return []ui.Input{p.Organisation, p.Email, p.Mobile, p.Password, p.Confirmation}
}

// ForgotPage asks for the account with the forgotten password.
type ForgotPage struct {
	layout.Page
	CSRF    string
	Problem string
	Email   ui.Input
}

// ResetPage asks for the code of a recovery and for another password.
type ResetPage struct {
	layout.Page
	CSRF    string
	Problem string
	Address string // that was entered
	// Code to Confirmation are the fields in their order.
	Code, Password, Confirmation ui.Input
	Again                        code.Again
}

func (p ResetPage) inputs() []ui.Input { return []ui.Input{p.Code, p.Password, p.Confirmation} }
