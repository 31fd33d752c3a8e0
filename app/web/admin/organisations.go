package admin

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

const organisationsPath = "/admin/organisations"

// organisationsQuery is the query of the list.
type organisationsQuery struct {
	Position
	Text     string `query:"q"`
	Status   string `query:"status"`
	Verified string `query:"verified"`
	Activity string `query:"activity"`
	Webhooks string `query:"webhooks"`
	Before   int64  `query:"before"` // the organisation that the page follows
}

func (q organisationsQuery) listing() listing {
	return listing{
		Position: q.Position, path: organisationsPath, standard: "desc", later: q.Before > 0, one: "organisation", many: "organisations",
		filter: page.Query("q", q.Text, "status", q.Status, "verified", q.Verified, "activity", q.Activity, "webhooks", q.Webhooks),
	}
}

// Organisations lists the organisations.
func (h *Handlers) Organisations(c echo.Context) error {
	asked, err := page.Ask[organisationsQuery](c)
	if err != nil {
		return err
	}
	l := asked.listing()
	found, err := queries.OrganisationEntryList(c.Request().Context(), h.DB, models.OrganisationFilter{
		Text: strings.TrimSpace(asked.Text), Status: asked.Status, Verified: asked.Verified, Activity: asked.Activity, Webhooks: asked.Webhooks,
		After: max(0, asked.Before), OldestFirst: l.reversed(), Limit: l.rows() + 1,
	})
	if err != nil {
		return err
	}
	shown := found[:min(len(found), l.rows())]
	p := view.OrganisationsPage{Frame: frame(c, "Organisations", organisationsPath), List: organisationList(asked, shown, time.Now())}
	l.finish(c, &p.List, rows{len(shown), len(found) > len(shown), func(v url.Values) { v.Set("before", plain(shown[len(shown)-1].ID)) }})
	p.Announcement = p.List.Summary
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Organisations(p), Address: l.address()})
}

func organisationList(asked organisationsQuery, found []models.OrganisationEntry, now time.Time) view.List {
	l := view.List{
		Filter: ui.Filter{
			Inputs: []ui.Input{{Name: "q", Label: "Name, id or email of a user", Type: "search", Value: asked.Text}},
			Selects: []ui.Select{
				{Name: "status", Label: "Status", Value: asked.Status, Options: []ui.Option{{Label: "All"}, {Value: "active", Label: "Active"}, {Value: "inactive", Label: "Not verified"}, {Value: "suspended", Label: "Deactivated"}}},
				{Name: "verified", Label: "Verification", Value: asked.Verified, Options: []ui.Option{{Label: "All"}, {Value: "yes", Label: "Verified"}, {Value: "no", Label: "Not verified"}}},
				{Name: "activity", Label: "Activity", Value: asked.Activity, Options: []ui.Option{{Label: "All"}, {Value: "recent", Label: "Within 30 days"}, {Value: "idle", Label: "None for 30 days"}}},
				{Name: "webhooks", Label: "Webhooks", Value: asked.Webhooks, Options: []ui.Option{{Label: "All"}, {Value: "failing", Label: "Failing now"}, {Value: "disabled", Label: "Disabled"}}},
			},
		},
		Table: ui.Table{Caption: "Organisations", Columns: []ui.Column{
			{Label: "Organisation"}, {Label: "Status"}, {Label: "Verified"}, {Label: "Users", Numeric: true}, {Label: "Last sign-in"}, {Label: "Key used"}, asked.listing().head(ui.Column{Label: "Registered"}),
		}},
		Empty: view.Empty{Title: "No organisation found", Text: "No organisation matches this filter. Organisations appear here when they register."},
	}
	for _, o := range found {
		name := ui.Cell{Text: o.Name, Href: organisationsPath + "/" + plain(o.ID), Opens: ui.Details.Of(plain(o.ID))}
		if o.Sandbox {
			name.Note = "sandbox"
		}
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			name, organisationStatus(o.Status), verified(o.VerifiedAt, now), {Text: number(int64(o.Users))}, lately(o.LastSignInAt, now), lately(o.LastKeyAt, now),
			{Text: o.CreatedAt.UTC().Format("2 Jan 2006"), Title: ago(o.CreatedAt, now)},
		})
	}
	return l
}

func organisationStatus(status string) ui.Cell {
	switch status {
	case "active":
		return ui.Cell{Text: "Active", Badge: true, Tone: ui.Good}
	case "suspended":
		return ui.Cell{Text: "Deactivated", Badge: true, Tone: ui.Bad}
	}
	return ui.Cell{Text: "Not verified", Badge: true, Tone: ui.Warn}
}

func verified(at *time.Time, now time.Time) ui.Cell {
	if at == nil {
		return ui.Cell{Text: "Not yet"}
	}
	return ui.Cell{Text: at.UTC().Format("2 Jan 2006"), Title: ago(*at, now)}
}
