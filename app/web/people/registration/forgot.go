package registration

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/people/code"
	"heliograph/app/web/people/login"
	"heliograph/views/layout"
	view "heliograph/views/people/registration"
	"heliograph/views/ui"
)

// forgotForm names the account with the forgotten password.
type forgotForm struct {
	Email string `form:"email"`
}

// ShowForgot asks for the account with the forgotten password.
func (h *Handlers) ShowForgot(c echo.Context) error {
	var f forgotForm
	if before, ok := code.Waiting(c, h.Gate, identity.ForRecovery); ok {
		f.Email = before.Email
	}
	return h.renderForgot(c, http.StatusOK, f, &page.Problems{})
}

// Forgot sends a code if there is somebody to send it to, and goes on to
// entering it.
func (h *Handlers) Forgot(c echo.Context, f forgotForm) error {
	challenge, err := h.Enrolment.Recover(c.Request().Context(), f.Email, code.Visitor(c))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderForgot(c, status, f, problems) })
	}
	return code.Wait(c, h.Gate, challenge)
}

func (h *Handlers) renderForgot(c echo.Context, status int, f forgotForm, problems *page.Problems) error {
	p := view.ForgotPage{
		Page: layout.Page{Title: "Forgot your password?"},
		CSRF: page.Token(c), Problem: problems.Form,
		Email: ui.Input{
			Name: "email", Label: "Email address", Type: "email", Autocomplete: "username", Required: true, Focus: true,
			Value: f.Email, Error: problems.Fields["email"],
		},
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Forgot(p)})
}

// resetForm is a code with another password, and what it is the code of.
type resetForm struct {
	Code         string `form:"code"`
	Password     string `form:"password"`
	Confirmation string `form:"confirmation"`
	challenge    identity.Challenge
}

// ShowReset asks for the code and for another password.
func (h *Handlers) ShowReset(c echo.Context) error {
	challenge, ok := code.Waiting(c, h.Gate, identity.ForRecovery)
	if !ok {
		return page.SeeOther(c, code.Places[identity.ForRecovery].Start)
	}
	return h.renderReset(c, http.StatusOK, resetForm{challenge: challenge}, &page.Problems{})
}

// Reset sets the password and goes on to the account.
func (h *Handlers) Reset(c echo.Context, f resetForm) error {
	challenge, ok := code.Waiting(c, h.Gate, identity.ForRecovery)
	if !ok {
		return page.SeeOther(c, code.Places[identity.ForRecovery].Start)
	}
	f.challenge = challenge
	chosen := identity.NewPassword{Code: f.Code, Password: f.Password, Confirmation: f.Confirmation}
	session, err := h.Enrolment.Reset(c.Request().Context(), challenge, chosen, code.Visitor(c))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderReset(c, status, f, problems)
		})
	}
	return h.enter(c, session, page.Account.Home+"?done=password")
}

// ResendRecovery sends another code of a recovery.
func (h *Handlers) ResendRecovery(c echo.Context) error {
	return h.resend(c, identity.ForRecovery, func(challenge identity.Challenge, status int, problems *page.Problems) error {
		return h.renderReset(c, status, resetForm{challenge: challenge}, problems)
	})
}

func (h *Handlers) renderReset(c echo.Context, status int, f resetForm, problems *page.Problems) error {
	again, announcement := code.Again(c, f.challenge, problems)
	p := view.ResetPage{
		Page: layout.Page{Title: "Choose another password", Announcement: announcement},
		CSRF: page.Token(c), Problem: problems.Form,
		Address: f.challenge.Email, Code: code.Input(f.Code, problems), Again: again,
	}
	p.Password, p.Confirmation = login.NewPassword("New password", problems)
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Reset(p)})
}
