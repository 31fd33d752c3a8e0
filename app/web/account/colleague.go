package account

import (
	"context"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/account"
	"heliograph/views/ui"
)

func colleaguePath(id int64) string { return teamPath + "/" + strconv.FormatInt(id, 10) }

// Colleague shows what a colleague may do.
func (h *Handlers) Colleague(c echo.Context) error {
	return h.renderColleague(c, http.StatusOK, &page.Problems{})
}

// ChangeRole gives a colleague another role.
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

// Deactivate keeps a colleague out.
func (h *Handlers) Deactivate(c echo.Context) error {
	return h.change(c, "deactivated", func(ctx context.Context, by *identity.User, id int64) error {
		return h.Team.SetActive(ctx, by, id, false)
	})
}

// Remove deletes a colleague.
func (h *Handlers) Remove(c echo.Context) error { return h.change(c, "removed", h.Team.Remove) }

// change does something to the colleague of the path; where a rule refuses, the
// colleague is shown again and why.
func (h *Handlers) change(c echo.Context, word string, do func(ctx context.Context, by *identity.User, id int64) error) error {
	id, err := page.ID(c)
	if err != nil {
		return err
	}
	err = do(c.Request().Context(), page.User(c), id)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.renderColleague(c, status, problems) })
	}
	return page.Done(c, teamPath, word)
}

// ConfirmRemove names the colleague who would be removed.
func (h *Handlers) ConfirmRemove(c echo.Context) error {
	who, err := h.colleague(c)
	if err != nil {
		return err
	}
	p := view.ConfirmPage{
		Frame: frame(c, "Remove "+name(who), teamPath),
		Text:  "They are signed out everywhere and cannot come back unless invited. What they did stays in the record; the keys they created keep working.",
		Facts: facts(who),
		Back:  ui.Link{Label: "Keep them", Href: colleaguePath(who.ID)},
	}
	p.Up = ui.Link{Label: "Team", Href: teamPath}
	p.Action = ui.Post{Action: c.Request().URL.Path, CSRF: p.CSRF, Label: "Remove " + name(who), Kind: ui.Danger}
	return page.Render(c, http.StatusOK, confirmView(c, p))
}

func (h *Handlers) renderColleague(c echo.Context, status int, problems *page.Problems) error {
	who, err := h.colleague(c)
	if err != nil {
		return err
	}
	path := colleaguePath(who.ID)
	p := view.ColleaguePage{
		Frame: frame(c, name(who), teamPath), Facts: facts(who), Problem: problems.Form,
		RoleAction: path + "/role", Role: ui.Select{Name: "role", Label: "Role", Value: who.Role, Options: roles, Error: problems.Fields["role"]},
		ActivityText: "Deactivating signs them out everywhere and keeps them out until you let them in again.",
		Remove:       ui.Link{Label: "Remove", Href: path + "/remove"},
	}
	p.Up = ui.Link{Label: "Team", Href: teamPath}
	p.Activity = ui.Post{Action: path + "/deactivate", CSRF: p.CSRF, Label: "Deactivate"}
	if !who.Active {
		p.ActivityText = "They cannot sign in."
		p.Activity.Action, p.Activity.Label = path+"/activate", "Activate"
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Colleague(p)})
}

// colleague reads the colleague of the path.
func (h *Handlers) colleague(c echo.Context) (models.Colleague, error) {
	id, err := page.ID(c)
	if err != nil {
		return models.Colleague{}, err
	}
	who, err := queries.ColleagueGet(c.Request().Context(), h.DB, page.User(c).OrganisationID, id)
	if db.IsNoRows(err) {
		return who, fault.New(fault.NotFound, "There is no such colleague in your organisation.")
	}
	return who, err
}

func name(who models.Colleague) string {
	if who.Name == "" {
		return who.Email
	}
	return who.Name
}

func facts(who models.Colleague) []ui.Pair {
	return []ui.Pair{
		{Key: "Email", Value: who.Email}, {Key: "Role", Value: page.RoleNames[who.Role]}, {Key: "Last sign-in (UTC)", Value: when(who.SignedInAt).Text},
	}
}
