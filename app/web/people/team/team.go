// Package team serves the colleagues of an organisation and their invitations.
package team

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	view "heliograph/views/people/team"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB        db.Querier // read only
	Enrolment *identity.Enrolment
	Gate      *page.Gate // of the accounts
	Limiter   *limit.Limiter
	Team      *identity.Team
}

// roles holds the roles of colleagues with their permissions.
var roles = []ui.Option{
	{Value: identity.Developer, Label: "Developer: keys, webhooks and messages"},
	{Value: identity.Viewer, Label: "Viewer: reads"},
	{Value: identity.Owner, Label: "Owner: everything, and the team"},
}

// List lists the team and the open invitations.
func (h *Handlers) List(c echo.Context) error {
	return h.renderTeam(c, http.StatusOK, inviteForm{Role: identity.Developer}, &page.Problems{})
}

func (h *Handlers) renderTeam(c echo.Context, status int, f inviteForm, problems *page.Problems) error {
	ctx, user := c.Request().Context(), page.User(c)
	colleagues, err := queries.ColleagueList(ctx, h.DB, user.OrganisationID)
	if err != nil {
		return err
	}
	invited, err := queries.InvitationList(ctx, h.DB, user.OrganisationID)
	if err != nil {
		return err
	}
	p := view.TeamPage{
		Frame: page.AccountFrame(c, "Team", page.AccountTeamPath), Colleagues: colleagueTable(colleagues, user.ID), Problem: problems.Form,
		Email: ui.Input{Name: "email", Label: "Email", Type: "email", Value: f.Email, Required: true, Error: problems.Fields["email"]},
		Role:  ui.Select{Name: "role", Label: "Role", Value: f.Role, Options: roles, Error: problems.Fields["role"]},
	}
	bounced, err := h.Team.Bounced(ctx, invited)
	if err != nil {
		return err
	}
	p.Invitations = invitationTable(invited, bounced, p.CSRF, time.Now())
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Team(p)})
}

func colleagueTable(colleagues []models.Colleague, self int64) ui.Table {
	t := ui.Table{Caption: "Colleagues", Quiet: true, Columns: []ui.Column{
		{Label: "Name"}, {Label: "Email", Plain: true}, {Label: "Role", Plain: true}, {Label: "State"}, {Label: "Last sign-in (UTC)"},
	}}
	for _, p := range colleagues {
		name := ui.Cell{Text: p.Name, Href: colleaguePath(p.ID)}
		if p.Name == "" {
			name.Text = p.Email
		}
		if p.ID == self {
			name.Note = "you"
		}
		state := ui.Cell{Text: "Active", Badge: true, Tone: ui.Good}
		if !p.Active {
			state = ui.Cell{Text: "Inactive", Badge: true}
		}
		t.Rows = append(t.Rows, []ui.Cell{name, {Text: p.Email}, {Text: page.Roles[p.Role]}, state, listing.Minute(p.SignedInAt)})
	}
	return t
}

func invitationTable(invited []models.Invitation, bounced map[int64]bool, csrf string, now time.Time) ui.Table {
	t := ui.Table{Caption: "Invitations", Quiet: true, Columns: []ui.Column{
		{Label: "Email"}, {Label: "Role", Plain: true}, {Label: "Expires (UTC)"}, {Label: "Change"},
	}}
	for _, i := range invited {
		until := listing.Minute(&i.ExpiresAt)
		if i.ExpiresAt.Before(now) {
			until = ui.Cell{Text: "Expired", Badge: true, Tone: ui.Warn}
		}
		path := page.AccountTeamPath + "/invitations/" + strconv.FormatInt(i.ID, 10)
		change := ui.Cell{Body: view.Actions(
			ui.Post{Action: path + "/resend", CSRF: csrf, Label: "Send again", Small: true},
			ui.Post{Action: path + "/withdraw", CSRF: csrf, Label: "Withdraw", Small: true},
		)}
		email := ui.Cell{Text: i.Email}
		if bounced[i.ID] {
			email.Note = "not delivered: check the address"
		}
		t.Rows = append(t.Rows, []ui.Cell{email, {Text: page.Roles[i.Role]}, until, change})
	}
	return t
}
