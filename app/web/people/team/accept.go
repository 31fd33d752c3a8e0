package team

import (
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/people/code"
	"heliograph/app/web/people/login"
	"heliograph/views/layout"
	view "heliograph/views/people/team"
	"heliograph/views/ui"
)

// acceptances bounds how often one network may try links, which costs a hash.
var acceptances = limit.Limit{Name: "invitation_accept", Burst: 20, Period: 15 * time.Minute}

// acceptForm is what the form of an invitation sends.
type acceptForm struct {
	Token    string `form:"token" query:"token"`
	Name     string `form:"name"`
	Mobile   string `form:"mobile"`
	Password string `form:"password"`
}

// ShowInvitation shows what a link invites to.
func (h *Handlers) ShowInvitation(c echo.Context) error {
	return h.renderInvitation(c, http.StatusOK, acceptForm{Token: c.QueryParam("token")}, &page.Problems{})
}

// AcceptInvitation makes the user and goes on to the account.
func (h *Handlers) AcceptInvitation(c echo.Context, f acceptForm) error {
	session, err := h.accept(c, f)
	if fault.Is(err, fault.NotFound) {
		return ended(c)
	}
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderInvitation(c, status, f, problems) })
	}
	if err := h.Gate.Begin(c, session); err != nil {
		return err
	}
	if f.Mobile == "" {
		return page.Done(c, "/account", "joined")
	}
	challenge, err := h.Enrolment.RequestMobileCode(c.Request().Context(), session.UserID, f.Mobile, uuid.Nil, code.Visitor(c))
	if fault.As(err) != nil {
		return page.Done(c, page.AccountProfilePath, "joined-without-number")
	}
	if err != nil {
		return err
	}
	return code.Wait(c, h.Gate, challenge)
}

func (h *Handlers) accept(c echo.Context, f acceptForm) (*identity.Session, error) {
	ctx := c.Request().Context()
	if err := h.Limiter.Take(ctx, acceptances, limit.Client(c.RealIP())); err != nil {
		return nil, err
	}
	return h.Team.Accept(ctx, identity.Acceptance{
		Token: f.Token, Name: f.Name, Mobile: f.Mobile, Password: f.Password, UserAgent: c.Request().UserAgent(),
	})
}

// ended says that a link does not work, and not why.
func ended(c echo.Context) error {
	frame := layout.Page{Title: "The invitation has ended"}
	return page.Render(c, http.StatusGone, page.View{Frame: frame, Body: view.InvitationEnded()})
}

func (h *Handlers) renderInvitation(c echo.Context, status int, f acceptForm, problems *page.Problems) error {
	i, err := h.Team.Invitation(c.Request().Context(), f.Token)
	if fault.Is(err, fault.NotFound) {
		return ended(c)
	}
	if err != nil {
		return err
	}
	password, _ := login.NewPassword("Password", problems)
	p := view.InvitationPage{
		Page:         layout.Page{Title: "Join " + i.Organisation},
		Organisation: i.Organisation, Role: page.Roles[i.Role], Email: i.Email, Token: f.Token, CSRF: page.Token(c), Problem: problems.Form,
		Inputs: page.Wrong([]ui.Input{
			{Name: "name", Label: "Your name", Value: f.Name, Autocomplete: "name", Required: true},
			{
				Name: "mobile", Label: "Mobile number", Type: "tel",
				Hint:  "If you forget your password, a code is sent here; one is sent now to see that it works. With its country code, for example +91 98123 45678",
				Value: f.Mobile, Autocomplete: "tel",
			},
			password,
		}, problems),
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Invitation(p)})
}
