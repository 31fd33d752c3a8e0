// Package code renders the fields in which a code is entered.
package code

import (
	"strconv"

	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

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
	return ui.Counted(a.Wait, "second", "seconds")
}

// refreshed are the attributes that show the form again when the pause is over.
func (a Again) refreshed() templ.Attributes {
	attributes := ui.Into(ui.Form.Of("again"))
	attributes["hx-get"], attributes["hx-trigger"] = a.Address, "load delay:"+strconv.Itoa(a.Wait)+"s"
	return attributes
}
