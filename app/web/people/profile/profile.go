// Package profile serves a user's own profile, mobile number and sessions.
package profile

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/app/web/people/code"
	"heliograph/app/web/people/login"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	view "heliograph/views/people/profile"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB        db.Querier // read only
	Directory *identity.Directory
	Enrolment *identity.Enrolment
	Gate      *page.Gate // of the accounts
	Limiter   *limit.Limiter
}

// profileForm is what the forms of the profile send, each a part of it.
type profileForm struct {
	Name           string `form:"name"`
	Organisation   string `form:"organisation"`
	Mobile         string `form:"mobile"`
	MobilePassword string `form:"mobile_password"`
	Current        string `form:"current"`
	Password       string `form:"password"`
	Confirmation   string `form:"confirmation"`
}

// Show shows who is signed in, and where.
func (h *Handlers) Show(c echo.Context) error {
	return h.renderProfile(c, http.StatusOK, sentForm{})
}

// Rename gives the user another name.
func (h *Handlers) Rename(c echo.Context) error {
	return h.changeProfile(c, "name", "renamed", func(f profileForm) error {
		return h.Directory.Rename(c.Request().Context(), page.User(c), f.Name)
	})
}

// RenameOrganisation gives the organisation another name.
func (h *Handlers) RenameOrganisation(c echo.Context) error {
	return h.changeProfile(c, "organisation", "renamed", func(f profileForm) error {
		return h.Directory.RenameOrganisation(c.Request().Context(), page.User(c), f.Organisation)
	})
}

// ChangePassword sets another password and goes on with a new session.
func (h *Handlers) ChangePassword(c echo.Context) error {
	return h.changeProfile(c, "password", "password", func(f profileForm) error {
		if err := h.takePassword(c); err != nil {
			return err
		}
		s, err := h.Directory.ChangePassword(c.Request().Context(), page.User(c), identity.PasswordChange{
			Current: f.Current, New: f.Password, Confirmation: f.Confirmation, UserAgent: c.Request().UserAgent(),
		})
		if err != nil {
			return err
		}
		return h.Gate.Begin(c, s)
	})
}

func (h *Handlers) takePassword(c echo.Context) error {
	return h.Limiter.Take(c.Request().Context(), identity.PasswordTries, page.User(c).Actor())
}

// changeProfile carries one of the forms out; form is its id and word says what
// it did.
func (h *Handlers) changeProfile(c echo.Context, form, word string, do func(profileForm) error) error {
	var f profileForm
	if err := page.Bind(c, &f); err != nil {
		return err
	}
	err := do(f)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			return h.renderProfile(c, status, sentForm{form, f, problems})
		})
	}
	return page.Done(c, page.AccountProfilePath, word)
}

// sentForm is one of the forms as it was sent, with what is wrong. The zero
// sentForm is none.
type sentForm struct {
	id       string
	values   profileForm
	problems *page.Problems
}

// renderProfile shows the profile, with the form that was sent as it was.
func (h *Handlers) renderProfile(c echo.Context, status int, sent sentForm) error {
	ctx, user := c.Request().Context(), page.User(c)
	stored, err := queries.ProfileGet(ctx, h.DB, user.ID)
	if err != nil {
		return err
	}
	open, err := h.Directory.Sessions(ctx, page.Session(c))
	if err != nil {
		return err
	}
	shown := profileForm{Name: stored.Name, Organisation: user.Organisation, Mobile: stored.Mobile}.as(sent)
	p := view.ProfilePage{Frame: page.AccountFrame(c, "Profile", page.AccountProfilePath)}
	p.Sessions, p.EndOthers = login.SessionTable(open, page.AccountProfilePath+"/sessions", p.CSRF)
	for _, f := range profileForms(shown, stored, user.Role == identity.Owner) {
		f.CSRF = p.CSRF
		if f.ID == sent.id {
			f.Inputs, f.Problem = page.Wrong(f.Inputs, sent.problems), sent.problems.Form
		}
		p.Forms = append(p.Forms, f)
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Profile(p)})
}

// as returns what the forms hold with what was sent by one of them.
func (f profileForm) as(sent sentForm) profileForm {
	switch sent.id {
	case "name":
		f.Name = sent.values.Name
	case "organisation":
		f.Organisation = sent.values.Organisation
	case "mobile":
		f.Mobile = sent.values.Mobile
	}
	return f
}

// profileForms are the forms of the profile.
func profileForms(f profileForm, stored models.Profile, owner bool) []view.Form {
	none := &page.Problems{} // each form gets its own when it is shown again
	password, confirmation := login.NewPassword("New password", none)
	mobile := view.Form{
		ID: "mobile", Title: "Mobile number", Text: "If you forget your password, a code is sent here. Another number is yours once you have entered a code that it gets.", Action: code.MobilePath, Label: "Send a code", Username: stored.Email, Inputs: []ui.Input{
			{Name: "mobile", Label: "Mobile number", Type: "tel", Hint: "With its country code, for example +91 98123 45678", Value: f.Mobile, Autocomplete: "tel", Required: true},
			login.PresentPassword("mobile_password", none),
		},
	}
	if stored.Mobile == "" {
		mobile.Warning = "No number is stored. If you forget your password, no code can reach you."
	}
	forms := []view.Form{
		{ID: "name", Title: "Name", Text: "You sign in as " + stored.Email + ".", Action: page.AccountProfilePath + "/name", Label: "Change the name", Inputs: []ui.Input{
			{Name: "name", Label: "Your name", Value: f.Name, Autocomplete: "name", Required: true},
		}},
		mobile,
		{ID: "password", Title: "Password", Text: "Every other session ends when you change it.", Action: page.AccountProfilePath + "/password", Username: stored.Email, Label: "Change the password", Inputs: []ui.Input{
			login.PresentPassword("current", none), password, confirmation,
		}},
	}
	if owner {
		forms = append(forms, view.Form{ID: "organisation", Title: "Organisation", Action: page.AccountProfilePath + "/organisation", Label: "Rename the organisation", Inputs: []ui.Input{
			{Name: "organisation", Label: "Name of the organisation", Value: f.Organisation, Autocomplete: "organization", Required: true},
		}})
	}
	return forms
}
