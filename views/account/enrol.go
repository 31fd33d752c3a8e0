package account

import (
	"strconv"

	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

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

// VerifyPage asks for the code of a registration.
type VerifyPage struct {
	layout.Page
	CSRF    string
	Problem string
	Action  string // where the code is sent
	Phone   string // where the code went, as people read it
	Code    ui.Input
	Again   Again
}

// MobilePage asks a user for the code that went to another number.
type MobilePage struct {
	layout.Frame
	VerifyPage
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
	Again                        Again
}

func (p ResetPage) inputs() []ui.Input { return []ui.Input{p.Code, p.Password, p.Confirmation} }

// Again is the form that asks for another code.
type Again struct {
	Action  string
	Address string // of the page that the form stands on
	Problem string // why no code was sent
	Wait    int    // seconds until another code can be asked for
	From    string // the time of day then, with its zone; empty when nobody waits
	At      string // that time for machines
}

// left says how long the pause lasts.
func (a Again) left() string {
	if a.Wait == 1 {
		return "1 second"
	}
	return strconv.Itoa(a.Wait) + " seconds"
}

// refreshed are the attributes that show the form again when the pause is over.
func (a Again) refreshed() templ.Attributes {
	attributes := ui.Into(ui.Form.Of("again"))
	attributes["hx-get"], attributes["hx-trigger"] = a.Address, "load delay:"+strconv.Itoa(a.Wait)+"s"
	return attributes
}
