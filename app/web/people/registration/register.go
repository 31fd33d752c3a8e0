// Package registration serves how an organisation registers, and how its users get back in.
package registration

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/phone"
	"heliograph/app/web/page"
	"heliograph/app/web/people/code"
	"heliograph/app/web/people/login"
	"heliograph/views/layout"
	view "heliograph/views/people/registration"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	Enrolment *identity.Enrolment
	Gate      *page.Gate // of the accounts
	Limiter   *limit.Limiter
	Team      *identity.Team
}

// registration is what the form sends.
type registration struct {
	Organisation string `form:"organisation"`
	Email        string `form:"email"`
	Mobile       string `form:"mobile"`
	Password     string `form:"password"`
	Confirmation string `form:"confirmation"`
}

// ShowRegister answers with the form, filled with what this browser entered
// before: that is the way back from a wrong number.
func (h *Handlers) ShowRegister(c echo.Context) error {
	if page.User(c) != nil {
		return page.SeeOther(c, page.Account.Home)
	}
	var f registration
	if before, ok := code.Waiting(c, h.Gate, identity.ForRegistration); ok {
		f.Organisation, f.Email, f.Mobile = before.Organisation, before.Email, phone.Format(before.Phone)
	}
	return h.renderRegister(c, http.StatusOK, f, &page.Problems{})
}

// Register stores an organisation and goes on to its code.
func (h *Handlers) Register(c echo.Context, f registration) error {
	challenge, err := h.Enrolment.Register(c.Request().Context(), identity.Registration(f), code.Visitor(c))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderRegister(c, status, f, problems) })
	}
	return code.Wait(c, h.Gate, challenge)
}

func (h *Handlers) renderRegister(c echo.Context, status int, f registration, problems *page.Problems) error {
	p := view.RegisterPage{
		Page: layout.Page{Title: "Register an organisation"},
		CSRF: page.Token(c), Problem: problems.Form,
		Organisation: ui.Input{Name: "organisation", Label: "Organisation", Autocomplete: "organization", Value: f.Organisation},
		Email:        ui.Input{Name: "email", Label: "Your email address", Type: "email", Autocomplete: "username", Value: f.Email},
		Mobile: ui.Input{
			Name: "mobile", Label: "Your mobile number", Type: "tel", Autocomplete: "tel", Value: f.Mobile,
			Hint: "With the country code, such as +91 98123 45678. We send a code to it.",
		},
	}
	p.Password, p.Confirmation = login.NewPassword("Password", problems)
	_, p.Waiting = code.Waiting(c, h.Gate, identity.ForRegistration)
	for _, in := range []*ui.Input{&p.Organisation, &p.Email, &p.Mobile} {
		in.Required, in.Error = true, problems.Fields[in.Name]
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Register(p)})
}
