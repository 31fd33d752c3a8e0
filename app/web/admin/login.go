package admin

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/identity"
	"heliograph/app/limit"
	"heliograph/app/web/page"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// How often signing in may be tried. Passwords cost a hash each, so both stay
// closed while the count cannot be kept.
var (
	signInByClient  = limit.Limit{Name: "admin_sign_in_client", Burst: 30, Period: 15 * time.Minute}
	signInByAccount = limit.Limit{Name: "admin_sign_in_account", Burst: 10, Period: 15 * time.Minute}
)

// loginForm is what the sign-in form sends.
type loginForm struct {
	Email    string `form:"email"`
	Password string `form:"password"`
	Next     string `form:"next"`
}

func (f loginForm) check() error {
	var faults []fault.Field
	if strings.TrimSpace(f.Email) == "" {
		faults = append(faults, fault.Field{Name: "email", Message: "Enter your email address."})
	}
	if f.Password == "" {
		faults = append(faults, fault.Field{Name: "password", Message: "Enter your password."})
	}
	if faults == nil {
		return nil
	}
	return fault.InvalidFields(faults...)
}

// ShowLogin answers with the sign-in form, or goes on when somebody is signed
// in already.
func (h *Handlers) ShowLogin(c echo.Context) error {
	next := c.QueryParam("next")
	if page.Admin(c) != nil {
		return page.SeeOther(c, page.Next(next))
	}
	return renderLogin(c, http.StatusOK, loginForm{Next: next}, &page.Problems{})
}

// Login signs an administrator in and goes on to the page that was asked for.
func (h *Handlers) Login(c echo.Context) error {
	var form loginForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	session, err := h.signIn(c, form)
	if problems := page.Mend(err); problems != nil {
		return renderLogin(c, http.StatusUnprocessableEntity, form, problems)
	}
	if err != nil {
		return err
	}
	if err := h.Gate.Begin(c, session); err != nil {
		return err
	}
	return page.SeeOther(c, page.Next(form.Next))
}

func (h *Handlers) signIn(c echo.Context, form loginForm) (*identity.Session, error) {
	if err := form.check(); err != nil {
		return nil, err
	}
	ctx := c.Request().Context()
	if err := h.Limiter.Take(ctx, signInByClient, limit.Client(c.RealIP())); err != nil {
		return nil, err
	}
	if err := h.Limiter.Take(ctx, signInByAccount, strings.ToLower(strings.TrimSpace(form.Email))); err != nil {
		return nil, err
	}
	return h.Directory.SignInAdmin(ctx, identity.Credentials{Email: form.Email, Password: form.Password, UserAgent: c.Request().UserAgent()})
}

// Logout ends the session.
func (h *Handlers) Logout(c echo.Context) error {
	if err := h.Directory.SignOutAdmin(c.Request().Context(), page.Session(c)); err != nil {
		return err
	}
	h.Gate.End(c)
	return page.SeeOther(c, page.LoginPath)
}

func renderLogin(c echo.Context, status int, form loginForm, problems *page.Problems) error {
	p := view.LoginPage{
		Page:   frame("Sign in", nil),
		Action: page.LoginPath, CSRF: page.Token(c), Next: form.Next, Problem: problems.Form,
		Email: ui.Input{
			Name: "email", Label: "Email address", Type: "email", Autocomplete: "username", Required: true,
			Value: form.Email, Error: problems.Fields["email"],
		},
		Password: ui.Input{
			Name: "password", Label: "Password", Type: "password", Autocomplete: "current-password", Required: true,
			Error: problems.Fields["password"],
		},
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Login(p), Fragment: view.LoginForm(p)})
}
