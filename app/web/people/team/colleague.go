package team

import (
	"cmp"
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	view "heliograph/views/people/team"
	"heliograph/views/ui"
)

func colleaguePath(id int64) string { return page.AccountTeamPath + "/" + strconv.FormatInt(id, 10) }

// Show shows the role and access of a colleague.
func (h *Handlers) Show(c echo.Context) error {
	return h.renderColleague(c, http.StatusOK, &page.Problems{})
}

// ChangeRole changes the role of a colleague.
func (h *Handlers) ChangeRole(c echo.Context) error {
	return h.change(c, "role", func(ctx context.Context, by *identity.User, id int64) error {
		return h.Team.ChangeRole(ctx, by, id, c.FormValue("role"))
	})
}

// Activate lets a colleague sign in again.
func (h *Handlers) Activate(c echo.Context) error {
	return h.change(c, "activated", func(ctx context.Context, by *identity.User, id int64) error {
		return h.Team.SetActive(ctx, by, id, true)
	})
}

// Deactivate keeps a colleague from signing in.
func (h *Handlers) Deactivate(c echo.Context) error {
	return h.change(c, "deactivated", func(ctx context.Context, by *identity.User, id int64) error {
		return h.Team.SetActive(ctx, by, id, false)
	})
}

// SendLink sends a colleague a link that sets a new password.
func (h *Handlers) SendLink(c echo.Context) error {
	return h.change(c, "link", func(ctx context.Context, by *identity.User, id int64) error {
		if err := h.takeInvitation(c); err != nil {
			return err
		}
		return h.Team.SendLink(ctx, by, id)
	})
}

// AskDeactivate asks before a colleague is deactivated.
func (h *Handlers) AskDeactivate(c echo.Context) (*page.Question, error) {
	return h.askColleague(c, colleagueQuestion{
		verb: "Deactivate", region: deactivateRegion, path: "/deactivate", keep: "Keep the account active",
		text: "Your colleague is signed out everywhere and cannot sign in until you activate the account again. The keys that they created keep working.",
	})
}

// Remove deletes a colleague.
func (h *Handlers) Remove(c echo.Context) error { return h.change(c, "removed", h.Team.Remove) }

// change changes the colleague of the path. If a rule refuses, it shows the
// colleague with the reason.
func (h *Handlers) change(c echo.Context, word string, do func(ctx context.Context, by *identity.User, id int64) error) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	err = do(c.Request().Context(), page.User(c), id)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderColleague(c, status, problems) })
	}
	return page.Done(c, page.AccountTeamPath, word)
}

// AskRemove asks before a colleague is removed.
func (h *Handlers) AskRemove(c echo.Context) (*page.Question, error) {
	return h.askColleague(c, colleagueQuestion{
		verb: "Remove", region: removeRegion, path: "/remove", keep: "Keep the colleague",
		text: "Your colleague is signed out everywhere and needs an invitation to come back. The keys that they created keep working.",
	})
}

// colleagueQuestion asks before something is done to a colleague. verb and path
// name what is done, and keep what happens otherwise.
type colleagueQuestion struct {
	verb, text, path, keep string
	region                 ui.Region
}

func (h *Handlers) askColleague(c echo.Context, q colleagueQuestion) (*page.Question, error) {
	who, err := h.colleague(c)
	if err != nil {
		return nil, err
	}
	label := q.verb + " " + name(who)
	f := page.AccountFrame(c, label, page.AccountTeamPath).Under("Team", page.AccountTeamPath)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: q.region, Text: q.text, Facts: facts(who),
		Action: ui.Post{Label: label, Kind: ui.Danger},
		Back:   ui.Link{Label: q.keep, Href: colleaguePath(who.ID)},
	}}, nil
}

// removeRegion and deactivateRegion are where the questions open before a colleague
// is removed or deactivated.
const (
	removeRegion     = ui.Confirm + "-remove"
	deactivateRegion = ui.Confirm + "-deactivate"
)

func (h *Handlers) renderColleague(c echo.Context, status int, problems *page.Problems) error {
	who, err := h.colleague(c)
	if err != nil {
		return err
	}
	path := colleaguePath(who.ID)
	p := view.ColleaguePage{
		Frame: page.AccountFrame(c, name(who), page.AccountTeamPath), Facts: facts(who), Problem: problems.Form,
		RoleAction: path + "/role", Role: ui.Select{Name: "role", Label: "Role", Value: who.Role, Options: roles, Error: problems.Fields["role"]},
		ActivityText: "A deactivated colleague is signed out everywhere and cannot sign in.",
		Remove:       ui.Ask{Link: ui.Link{Label: "Remove", Href: path + "/remove"}, Region: removeRegion, Kind: ui.Danger},
	}
	p.Up = ui.Link{Label: "Team", Href: page.AccountTeamPath}
	p.Deactivate = ui.Ask{Link: ui.Link{Label: "Deactivate", Href: path + "/deactivate"}, Region: deactivateRegion}
	p.Actions = []ui.Post{{Action: path + "/link", CSRF: p.CSRF, Label: "Send a link to set a new password"}}
	if !who.Active {
		p.ActivityText, p.Deactivate = "Your colleague cannot sign in.", ui.Ask{}
		p.Actions[0].Action, p.Actions[0].Label = path+"/activate", "Activate"
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Colleague(p)})
}

// colleague returns the colleague of the path.
func (h *Handlers) colleague(c echo.Context) (models.Colleague, error) {
	id, err := page.ID(c)
	if err != nil {
		return models.Colleague{}, err
	}
	who, err := queries.ColleagueGet(c.Request().Context(), h.DB, page.User(c).OrganisationID, id)
	if db.IsNoRows(err) {
		return who, fault.New(fault.NotFound, "This colleague does not exist in your organisation.")
	}
	return who, err
}

func name(who models.Colleague) string {
	return cmp.Or(who.Name, who.Email)
}

func facts(who models.Colleague) []ui.Pair {
	return []ui.Pair{
		{Key: "Email", Value: who.Email}, {Key: "Role", Value: page.Roles[who.Role]}, {Key: "Last sign-in (UTC)", Value: listing.Minute(who.SignedInAt).Text, At: listing.Minute(who.SignedInAt).At},
	}
}
