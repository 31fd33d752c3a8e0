// Package login handles the sign-in form, which all areas share.
package login

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	view "heliograph/views/people/login"
	"heliograph/views/ui"
)

// Deps holds the dependencies of the handlers.
type Deps struct {
	Area      page.Area
	Directory *identity.Directory
	Gate      *page.Gate // of the area
	Limiter   *limit.Limiter
	// Heading is the heading of the form. Forgot links to the page for forgotten
	// passwords, and Register, if it exists, to the one for a new account.
	Heading          string
	Forgot, Register ui.Link
	// Pending responds to a correct password of an account that is not verified
	// yet; nil if accounts need no verification.
	Pending func(c echo.Context, p *identity.PendingError) error
}

// Handlers handles the sign-in form of one area.
type Handlers struct {
	Deps
	byClient, byAccount limit.Limit
}

// New returns the handlers. A network may try to sign in 30 times in 15 minutes,
// and an account, or a browser that is known for it, may be tried 10 times. Each
// attempt costs a password hash, so all are refused while attempts cannot be
// counted.
func New(deps Deps) *Handlers {
	name := string(deps.Area.Surface) + "_sign_in_"
	return &Handlers{
		Deps:      deps,
		byClient:  limit.Limit{Name: name + "client", Burst: 30, Period: 15 * time.Minute},
		byAccount: limit.Limit{Name: name + "account", Burst: 10, Period: 15 * time.Minute},
	}
}

// form holds the fields of the sign-in form.
type form struct {
	Email    string `form:"email"`
	Password string `form:"password"`
	Next     string `form:"next"`
}

func (f form) check() error {
	var faults fault.Fields
	faults.AddIf(strings.TrimSpace(f.Email) == "", "email", "Enter your email address.")
	faults.AddIf(f.Password == "", "password", "Enter your password.")
	return faults.Err()
}

// Show shows the sign-in form. A user who is signed in already is redirected.
func (h *Handlers) Show(c echo.Context) error {
	next := c.QueryParam("next")
	if page.User(c) != nil {
		return page.SeeOther(c, h.Area.Next(next))
	}
	return h.render(c, http.StatusOK, form{Next: next}, &page.Problems{})
}

// Login signs a user in and redirects to the requested page.
func (h *Handlers) Login(c echo.Context, f form) error {
	session, err := h.signIn(c, f)
	if pending := (*identity.PendingError)(nil); errors.As(err, &pending) {
		if err = h.Pending(c, pending); err == nil {
			return nil
		}
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, f, problems) })
	}
	if err := h.remember(c, f.Email, session); err != nil {
		return err
	}
	if err := h.Gate.Begin(c, session); err != nil {
		return err
	}
	return page.SeeOther(c, h.Area.Next(f.Next))
}

func (h *Handlers) signIn(c echo.Context, f form) (*identity.Session, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	ctx := c.Request().Context()
	if err := h.Limiter.Take(ctx, h.byClient, limit.Client(c.RealIP())); err != nil {
		return nil, err
	}
	browser := h.known(c, f.Email)
	if err := h.Limiter.Take(ctx, h.byAccount, strings.TrimSpace(counted(f.Email)+" "+browser.ID)); err != nil {
		return nil, err
	}
	return h.Directory.SignIn(ctx, h.Area.Surface, identity.Credentials{
		Email: f.Email, Password: f.Password, UserAgent: c.Request().UserAgent(), Known: browser.Version,
	})
}

// Logout ends the session.
func (h *Handlers) Logout(c echo.Context) error {
	if err := h.Directory.SignOut(c.Request().Context(), page.Session(c)); err != nil {
		return err
	}
	h.Gate.End(c)
	return page.SeeOther(c, h.Area.Login)
}

func (h *Handlers) render(c echo.Context, status int, f form, problems *page.Problems) error {
	p := view.Page{
		Page:    layout.Page{Title: h.Heading},
		Heading: h.Heading, Forgot: h.Forgot, Register: h.Register,
		Action: h.Area.Login, CSRF: page.Token(c), Next: f.Next, Problem: problems.Form,
		Email: ui.Input{
			Name: "email", Label: "Email address", Type: "email", Autocomplete: "username", Required: true,
			Value: f.Email, Error: problems.Fields["email"],
		},
		Password: ui.Input{
			Name: "password", Label: "Password", Type: "password", Autocomplete: "current-password", Required: true,
			Error: problems.Fields["password"],
		},
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Login(p)})
}
