// Package code serves what pages share on which a visitor enters a code that was sent by
// SMS.
package code

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	view "heliograph/views/people/code"
	"heliograph/views/ui"
)

// The cookie that says which code a browser waits for, sealed, and for how
// long: another code can be asked for after the first has expired.
const (
	cookie = "heliograph-code"
	life   = time.Hour
)

// Places are where the codes of a purpose are entered and asked for again.
var Places = map[string]struct{ Enter, Resend, Start string }{
	identity.ForRegistration: {"/register/verify", "/register/resend", "/register"},
	identity.ForRecovery:     {"/forgot-password/reset", "/forgot-password/resend", "/forgot-password"},
	identity.ForMobile:       {MobilePath, MobilePath + "/resend", page.AccountProfilePath},
}

// MobilePath is the address at which a user enters the code of another mobile number.
const MobilePath = page.AccountProfilePath + "/mobile"

// Wait has the browser wait for a code, and goes where it is entered.
func Wait(c echo.Context, gate *page.Gate, challenge *identity.Challenge) error {
	if err := gate.Keep(c, cookie, challenge, life); err != nil {
		return err
	}
	return page.SeeOther(c, Places[challenge.Purpose].Enter)
}

// Waiting returns the code that the browser waits for.
func Waiting(c echo.Context, gate *page.Gate, purpose string) (challenge identity.Challenge, ok bool) {
	ok = gate.Kept(c, cookie, &challenge)
	return challenge, ok && challenge.Purpose == purpose
}

// Forget ends the waiting, once the code was entered.
func Forget(c echo.Context, gate *page.Gate) { gate.Forget(c, cookie) }

// Visitor is who sent a request, as the limits see it.
func Visitor(c echo.Context) identity.Visitor {
	return identity.Visitor{Client: limit.Client(c.RealIP()), UserAgent: c.Request().UserAgent()}
}

// Input is the field of a code.
func Input(value string, problems *page.Problems) ui.Input {
	return ui.Input{
		Name: "code", Label: "Code", Autocomplete: "one-time-code", InputMode: "numeric", Required: true, Value: value,
		Hint: "Valid for 10 minutes and five attempts.", Error: problems.Fields["code"],
	}
}

// Again is the form for another code, with what is left of the pause, and what
// is announced when none is left. It takes the problem of who pressed its button.
func Again(c echo.Context, challenge identity.Challenge, problems *page.Problems) (a view.Again, announcement string) {
	at := Places[challenge.Purpose]
	a = view.Again{Action: at.Resend, Address: at.Enter}
	if c.Path() == at.Resend {
		a.Problem, problems.Form = problems.Form, ""
	}
	from := challenge.NextAt()
	if left := time.Until(from); left > 0 {
		a.Wait = int((left + time.Second - 1) / time.Second)
		a.From, a.At = from.Add(time.Second-1).UTC().Format("15:04:05 MST"), from.UTC().Format(time.RFC3339)
	} else if c.Request().Method == http.MethodGet {
		announcement = "Another code can be sent now"
	}
	return a, announcement
}
