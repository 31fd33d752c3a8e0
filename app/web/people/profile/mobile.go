package profile

import (
	"net/http"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"heliograph/app/people/identity"
	"heliograph/app/phone"
	"heliograph/app/web/page"
	"heliograph/app/web/people/code"
	codeview "heliograph/views/people/code"
)

// mobileForm is the form of the code, and what it is the code of.
type mobileForm struct {
	Code      string `form:"code"`
	challenge identity.Challenge
}

// ChangeMobile sends a code to the number that is to recover the account. It
// needs the password, or whoever finds a browser open could take the account.
func (h *Handlers) ChangeMobile(c echo.Context, f profileForm) error {
	challenge, err := h.askMobile(c, f)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderProfile(c, status, sentForm{"mobile", f, problems})
		})
	}
	return code.Wait(c, h.Gate, challenge)
}

func (h *Handlers) askMobile(c echo.Context, f profileForm) (*identity.Challenge, error) {
	ctx, user := c.Request().Context(), page.User(c)
	if err := h.takePassword(c); err != nil {
		return nil, err
	}
	if err := h.Directory.ConfirmPassword(ctx, user, "mobile_password", f.MobilePassword); err != nil {
		return nil, err
	}
	return h.Enrolment.RequestMobileCode(ctx, user.ID, f.Mobile, uuid.Nil, code.Visitor(c))
}

// ShowMobile asks for the code that went to the number.
func (h *Handlers) ShowMobile(c echo.Context) error {
	challenge, ok := code.Waiting(c, h.Gate, identity.ForMobile)
	if !ok {
		return page.SeeOther(c, page.AccountProfilePath)
	}
	return h.renderMobile(c, http.StatusOK, mobileForm{challenge: challenge}, &page.Problems{})
}

// VerifyMobile checks the code and stores the number.
func (h *Handlers) VerifyMobile(c echo.Context, f mobileForm) error {
	challenge, ok := code.Waiting(c, h.Gate, identity.ForMobile)
	if !ok {
		return page.SeeOther(c, page.AccountProfilePath)
	}
	f.challenge = challenge
	err := h.Enrolment.SetMobile(c.Request().Context(), identity.MobileProof{User: page.User(c), Session: page.Session(c), Challenge: challenge, Code: f.Code}, code.Visitor(c))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderMobile(c, status, f, problems) })
	}
	code.Forget(c, h.Gate)
	return page.Done(c, page.AccountProfilePath, "mobile")
}

// ResendMobile sends another code to the number.
func (h *Handlers) ResendMobile(c echo.Context) error {
	challenge, ok := code.Waiting(c, h.Gate, identity.ForMobile)
	if !ok {
		return page.SeeOther(c, page.AccountProfilePath)
	}
	next, err := h.Enrolment.RequestMobileCode(c.Request().Context(), page.User(c).ID, challenge.Phone, challenge.ID, code.Visitor(c))
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderMobile(c, status, mobileForm{challenge: challenge}, problems)
		})
	}
	return code.Wait(c, h.Gate, next)
}

func (h *Handlers) renderMobile(c echo.Context, status int, f mobileForm, problems *page.Problems) error {
	p := codeview.MobilePage{Frame: page.AccountFrame(c, "Enter the code", page.AccountProfilePath).Under("Profile", page.AccountProfilePath)}
	var again codeview.Again
	again, p.Frame.Announcement = code.Again(c, f.challenge, problems)
	p.VerifyPage = codeview.VerifyPage{
		CSRF: p.Frame.CSRF, Problem: problems.Form, Action: code.MobilePath + "/verify",
		Phone: phone.Format(f.challenge.Phone), Code: code.Input(f.Code, problems), Again: again,
	}
	p.Code.Focus = true
	return page.Render(c, status, page.View{Frame: p.Frame.Page, Body: codeview.Mobile(p)})
}
