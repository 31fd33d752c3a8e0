package registration

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/phone"
	"heliograph/app/web/page"
	"heliograph/app/web/people/code"
	"heliograph/views/layout"
	codeview "heliograph/views/people/code"
)

// Pending sends another code to who knows the password of an account that was
// never verified.
func (h *Handlers) Pending(c echo.Context, p *identity.PendingError) error {
	challenge, err := h.Enrolment.ContinueRegistration(c.Request().Context(), p, code.Visitor(c))
	if err != nil {
		return err
	}
	return code.Wait(c, h.Gate, challenge)
}

// enter begins the session of who entered a code and goes on to an address.
func (h *Handlers) enter(c echo.Context, session *identity.Session, to string) error {
	code.Forget(c, h.Gate)
	if err := h.Gate.Begin(c, session); err != nil {
		return err
	}
	return page.SeeOther(c, to)
}

// codeForm is the form of a registration's code, and what it is the code of.
type codeForm struct {
	Code      string `form:"code"`
	challenge identity.Challenge
}

// ShowVerify asks for the code of a registration.
func (h *Handlers) ShowVerify(c echo.Context) error {
	challenge, ok := code.Waiting(c, h.Gate, identity.ForRegistration)
	if !ok {
		return page.SeeOther(c, code.Places[identity.ForRegistration].Start)
	}
	return h.renderVerify(c, http.StatusOK, codeForm{challenge: challenge}, &page.Problems{})
}

// Verify checks the code and goes on to the account.
func (h *Handlers) Verify(c echo.Context, f codeForm) error {
	challenge, ok := code.Waiting(c, h.Gate, identity.ForRegistration)
	if !ok {
		return page.SeeOther(c, code.Places[identity.ForRegistration].Start)
	}
	f.challenge = challenge
	session, err := h.Enrolment.Verify(c.Request().Context(), challenge, f.Code, code.Visitor(c))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderVerify(c, status, f, problems)
		})
	}
	return h.enter(c, session, page.Account.Home)
}

// ResendRegistration sends another code of a registration.
func (h *Handlers) ResendRegistration(c echo.Context) error {
	return h.resend(c, identity.ForRegistration, func(challenge identity.Challenge, status int, problems *page.Problems) error {
		return h.renderVerify(c, status, codeForm{challenge: challenge}, problems)
	})
}

// resend sends another code, or shows the page of the present one with what is
// in the way.
func (h *Handlers) resend(c echo.Context, purpose string, show func(identity.Challenge, int, *page.Problems) error) error {
	challenge, ok := code.Waiting(c, h.Gate, purpose)
	if !ok {
		return page.SeeOther(c, code.Places[purpose].Start)
	}
	next, err := h.Enrolment.Resend(c.Request().Context(), challenge, code.Visitor(c))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return show(challenge, status, problems) })
	}
	return code.Wait(c, h.Gate, next)
}

func (h *Handlers) renderVerify(c echo.Context, status int, f codeForm, problems *page.Problems) error {
	again, announcement := code.Again(c, f.challenge, problems)
	p := codeview.VerifyPage{
		Page: layout.Page{Title: "Enter the code", Announcement: announcement},
		CSRF: page.Token(c), Problem: problems.Form, Action: code.Places[identity.ForRegistration].Enter,
		Phone: phone.Format(f.challenge.Phone), Code: code.Input(f.Code, problems), Again: again,
	}
	p.Code.Focus = true
	return page.Render(c, status, page.View{Frame: p.Page, Body: codeview.Verify(p)})
}
