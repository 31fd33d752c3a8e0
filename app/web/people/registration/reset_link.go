package registration

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/people/login"
	"heliograph/views/layout"
	view "heliograph/views/people/registration"
	"heliograph/views/ui"
)

// linkUses limits how often one network may use links, because each costs a hash.
var linkUses = limit.Limit{Name: "user_link", Burst: 20, Period: time.Hour}

// linkForm holds the fields of the form of a password link.
type linkForm struct {
	Token        string `form:"token" query:"token"`
	Password     string `form:"password"`
	Confirmation string `form:"confirmation"`
}

// ShowResetLink shows the form of a password link.
func (h *Handlers) ShowResetLink(c echo.Context) error {
	if c.QueryParam("done") == "set" {
		return renderNoForm(c, http.StatusOK, "The password is set", "Every session has ended. Sign in with the new password.")
	}
	return h.renderResetLink(c, http.StatusOK, c.QueryParam("token"), &page.Problems{})
}

// ResetByLink sets the password of the user of a link. The user signs in with it.
func (h *Handlers) ResetByLink(c echo.Context, f linkForm) error {
	ctx := c.Request().Context()
	err := h.Limiter.Take(ctx, linkUses, limit.Client(c.RealIP()))
	if err == nil {
		err = h.Team.Reset(ctx, f.Token, f.Password, f.Confirmation)
	}
	if fault.Is(err, fault.NotFound) {
		return renderNoForm(c, http.StatusGone, "This link no longer works", fault.As(err).Message)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderResetLink(c, status, f.Token, problems)
		})
	}
	h.Gate.End(c)
	return page.Done(c, identity.UserLinkPath, "set")
}

// renderNoForm shows that a password is set, or why a link no longer works.
func renderNoForm(c echo.Context, status int, heading, lead string) error {
	p := view.ResetLinkPage{Page: layout.Page{Title: heading}, Heading: heading, Lead: lead}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.ResetLink(p)})
}

func (h *Handlers) renderResetLink(c echo.Context, status int, token string, problems *page.Problems) error {
	user, err := h.Team.CheckLink(c.Request().Context(), token)
	if fault.Is(err, fault.NotFound) {
		return renderNoForm(c, http.StatusGone, "This link no longer works", fault.As(err).Message)
	}
	if err != nil {
		return err
	}
	password, confirmation := login.NewPassword("New password", problems)
	p := view.ResetLinkPage{
		Page: layout.Page{Title: "Set a new password"}, Heading: "Set a new password",
		Lead:   "The new password of " + user.Email + ". Every session ends when it is set.",
		Action: identity.UserLinkPath,
		Email:  user.Email, Token: token, CSRF: page.Token(c), Problem: problems.Form, Inputs: []ui.Input{password, confirmation},
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.ResetLink(p)})
}
