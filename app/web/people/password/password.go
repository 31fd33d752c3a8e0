// Package password serves an administrator's own password, sessions and emails.
package password

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/people/login"
	"heliograph/views/forms"
	"heliograph/views/layout"
	view "heliograph/views/people/password"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	// Administrators manages the accounts of this area.
	Administrators *identity.Administrators
	Directory      *identity.Directory
	Gate           *page.Gate
	Limiter        *limit.Limiter
}

const (
	forgotPath = "/admin/forgot-password"
	changePath = "/admin/change-password"
	// sessionsPath is the path below which the user's own sessions are ended.
	sessionsPath = "/admin/sessions"
)

// The limits of asking for a link and of using one.
var (
	resetByClient  = limit.Limit{Name: "admin_reset_client", Burst: 10, Period: time.Hour}
	resetByAccount = limit.Limit{Name: "admin_reset_account", Burst: 3, Period: time.Hour}
	setByClient    = limit.Limit{Name: "admin_set_password_client", Burst: 20, Period: time.Hour}
)

// passwordForm holds the fields of the forms about passwords.
type passwordForm struct {
	Email        string `form:"email"`
	Token        string `form:"token"`
	Current      string `form:"current"`
	Password     string `form:"password"`
	Confirmation string `form:"confirmation"`
}

// ShowForgot shows the form that asks for a password link.
func (h *Handlers) ShowForgot(c echo.Context) error {
	return renderForgot(c, http.StatusOK, passwordForm{}, &page.Problems{})
}

// Forgot sends a password link. Its answer is the same for unknown addresses.
func (h *Handlers) Forgot(c echo.Context, form passwordForm) error {
	if err := h.requestReset(c, form.Email); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return renderForgot(c, status, form, problems) })
	}
	return page.Done(c, forgotPath, "sent")
}

func (h *Handlers) requestReset(c echo.Context, email string) error {
	ctx := c.Request().Context()
	if err := h.Limiter.Take(ctx, resetByClient, limit.Client(c.RealIP())); err != nil {
		return err
	}
	if err := h.Limiter.Take(ctx, resetByAccount, strings.ToLower(strings.TrimSpace(email))); err != nil {
		return err
	}
	return h.Administrators.RequestReset(ctx, email)
}

func renderForgot(c echo.Context, status int, form passwordForm, problems *page.Problems) error {
	p := view.VisitorPage{Page: layout.Page{Title: "Set a new password – Administration"}, Heading: "Set a new password"}
	if c.QueryParam("done") == "sent" {
		p.Heading = "Check your email"
		p.Lead = "If the address belongs to an administrator, a link is on its way. The link works once, within an hour."
		p.Next = ui.Link{Label: "Sign in", Href: page.Administration.Login}
	} else {
		p.Lead = "Enter your email address. You receive a link that sets a new password."
		p.Form = forms.Form{
			Name: "forgot", Action: forgotPath, CSRF: page.Token(c), Problem: problems.Form, Submit: "Send the link", Other: ui.Link{Label: "Sign in", Href: page.Administration.Login},
			Inputs: []ui.Input{{Name: "email", Label: "Email address", Type: "email", Autocomplete: "username", Required: true, Value: form.Email, Error: problems.Fields["email"]}},
		}
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Visitor(p)})
}

// ShowReset shows the form of a password link.
func (h *Handlers) ShowReset(c echo.Context) error {
	if c.QueryParam("done") == "set" {
		p := view.VisitorPage{
			Page: layout.Page{Title: "Password set – Administration"}, Heading: "The password is set",
			Lead: "Every session has ended. Sign in with the new password.", Next: ui.Link{Label: "Sign in", Href: page.Administration.Login},
		}
		return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Visitor(p)})
	}
	token := c.QueryParam("token")
	_, err := h.Administrators.CheckLink(c.Request().Context(), token)
	if fault.Is(err, fault.NotFound) {
		return renderEnded(c, err)
	}
	if err != nil {
		return err
	}
	return renderReset(c, http.StatusOK, token, &page.Problems{})
}

// Reset sets the password of the user of a link.
func (h *Handlers) Reset(c echo.Context, form passwordForm) error {
	ctx := c.Request().Context()
	err := h.Limiter.Take(ctx, setByClient, limit.Client(c.RealIP()))
	if err == nil {
		err = h.Administrators.Reset(ctx, form.Token, form.Password, form.Confirmation)
	}
	if fault.Is(err, fault.NotFound) {
		return renderEnded(c, err)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return renderReset(c, status, form.Token, problems)
		})
	}
	h.Gate.End(c)
	return page.Done(c, identity.LinkPath, "set")
}

// renderEnded shows why a link no longer works.
func renderEnded(c echo.Context, err error) error {
	p := view.VisitorPage{
		Page: layout.Page{Title: "Set your password – Administration"}, Heading: "This link no longer works",
		Lead: fault.As(err).Message, Next: ui.Link{Label: "Ask for another link", Href: forgotPath},
	}
	return page.Render(c, http.StatusGone, page.View{Frame: p.Page, Body: view.Visitor(p)})
}

func renderReset(c echo.Context, status int, token string, problems *page.Problems) error {
	p := view.VisitorPage{Page: layout.Page{Title: "Set your password – Administration"}, Heading: "Set your password"}
	password, confirmation := login.NewPassword("New password", problems)
	p.Form = forms.Form{
		Name: "reset", Action: identity.LinkPath, CSRF: page.Token(c), Problem: problems.Form, Submit: "Set the password", Hidden: []ui.Pair{{Key: "token", Value: token}},
		Inputs: []ui.Input{password, confirmation},
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Visitor(p)})
}

// ShowChangePassword shows the password form and the sessions of the user.
func (h *Handlers) ShowChangePassword(c echo.Context) error {
	return h.renderChange(c, http.StatusOK, &page.Problems{})
}

// ChangePassword changes the password and ends the other sessions.
func (h *Handlers) ChangePassword(c echo.Context, form passwordForm) error {
	session, err := h.changePassword(c, form)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderChange(c, status, problems) })
	}
	if err := h.Gate.Begin(c, session); err != nil {
		return err
	}
	return page.Done(c, changePath, "changed")
}

func (h *Handlers) changePassword(c echo.Context, form passwordForm) (*identity.Session, error) {
	user, ctx := page.User(c), c.Request().Context()
	if err := h.Limiter.Take(ctx, identity.PasswordTries, user.Actor()); err != nil {
		return nil, err
	}
	return h.Directory.ChangePassword(ctx, user, identity.PasswordChange{
		Current: form.Current, New: form.Password, Confirmation: form.Confirmation, UserAgent: c.Request().UserAgent(),
	})
}

// EndSession ends one of the user's own sessions.
func (h *Handlers) EndSession(c echo.Context) error {
	if err := h.Directory.EndSession(c.Request().Context(), page.Session(c), c.Param("id")); err != nil {
		return err
	}
	return page.Done(c, changePath, "session-ended")
}

// EndOtherSessions ends every session of the user but the current one.
func (h *Handlers) EndOtherSessions(c echo.Context) error {
	if err := h.Directory.EndOtherSessions(c.Request().Context(), page.Session(c)); err != nil {
		return err
	}
	return page.Done(c, changePath, "sessions-ended")
}

func (h *Handlers) renderChange(c echo.Context, status int, problems *page.Problems) error {
	open, err := h.Directory.Sessions(c.Request().Context(), page.Session(c))
	if err != nil {
		return err
	}
	p := view.OwnPage{Frame: page.AdministrationFrame(c, "Password and sessions", changePath), Lead: "Changing the password ends your other sessions. You stay signed in here."}
	p.Done = map[string]string{
		"emails": "Saved.", "changed": "The password is changed. Other sessions have ended.", "session-ended": "The session has ended.", "sessions-ended": "Your other sessions have ended.",
	}[c.QueryParam("done")]
	p.Sessions, p.EndOthers = login.SessionTable(open, sessionsPath, p.CSRF)
	password, confirmation := login.NewPassword("New password", problems)
	p.Form = forms.Form{
		Name: "password", Action: changePath, CSRF: p.CSRF, Problem: problems.Form, Submit: "Change the password", Username: page.User(c).Email,
		Inputs: []ui.Input{login.PresentPassword("current", problems), password, confirmation},
	}
	if p.Emails, err = h.reviewEmails(c); err != nil {
		return err
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Own(p)})
}
