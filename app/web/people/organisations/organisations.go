// Package organisations serves what administrators see and change of an organisation.
package organisations

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/sms"
	"heliograph/app/people/identity"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	view "heliograph/views/people/organisations"
	"heliograph/views/ui"
)

// addPath is the address of the form that adds an organisation.
const addPath = page.OrganisationsPath + "/new"

// Handlers answers the routes.
type Handlers struct {
	// Administrators manages the accounts of this area.
	Administrators *identity.Administrators
	Assets         *assets.Service
	DB             db.Querier    // read only
	SMS            *sms.Registry // what organisations may send
}

// organisationsQuery is the query of the list.
type query struct {
	listing.Position
	Text     string `query:"q"`
	Status   string `query:"status"`
	Verified string `query:"verified"`
	Activity string `query:"activity"`
	Webhooks string `query:"webhooks"`
	Before   int64  `query:"before"` // the organisation that the page follows
}

func (q query) listing() listing.List {
	return listing.List{
		Position: q.Position, Path: page.OrganisationsPath, Standard: "desc", Orders: listing.Newest, Later: q.Before > 0, One: "organisation", Many: "organisations",
		Filter: page.Query("q", q.Text, "status", q.Status, "verified", q.Verified, "activity", q.Activity, "webhooks", q.Webhooks),
	}
}

// List lists the organisations.
func (h *Handlers) List(c echo.Context, asked query) error {
	l := asked.listing()
	found, err := queries.OrganisationEntryList(c.Request().Context(), h.DB, models.OrganisationFilter{
		Text: strings.TrimSpace(asked.Text), Status: asked.Status, Verified: asked.Verified, Activity: asked.Activity, Webhooks: asked.Webhooks,
		After: max(0, asked.Before), OldestFirst: l.Reversed(), Limit: l.Rows() + 1,
	})
	if err != nil {
		return err
	}
	shown := found[:min(len(found), l.Rows())]
	p := view.OrganisationsPage{Frame: page.AdministrationFrame(c, "Organisations", page.OrganisationsPath), List: list(asked, shown, time.Now())}
	if page.User(c).Role == identity.SuperAdmin {
		p.Add = ui.Link{Label: "Add an organisation", Href: addPath}
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(shown), More: len(found) > len(shown), Mark: func(v url.Values) { v.Set("before", listing.Plain(shown[len(shown)-1].ID)) }})
	p.Announcement = p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Organisations(p), Address: l.Address()})
}

func list(asked query, found []models.OrganisationEntry, now time.Time) ui.Listing {
	l := ui.Listing{
		Filter: ui.Filter{
			Inputs: []ui.Input{{Name: "q", Label: "Name, id or email of a user", Type: "search", Value: asked.Text}},
			Selects: []ui.Select{
				{
					Name: "status", Label: "Status", Value: asked.Status,
					Options: []ui.Option{{Label: "All"}, {Value: "active", Label: "Active"}, {Value: "inactive", Label: "Not verified"}, {Value: "suspended", Label: "Deactivated"}},
				},
				{Name: "verified", Label: "Verification", Value: asked.Verified, Options: []ui.Option{{Label: "All"}, {Value: "yes", Label: "Verified"}, {Value: "no", Label: "Not verified"}}},
				{Name: "activity", Label: "Activity", Value: asked.Activity, Options: []ui.Option{{Label: "All"}, {Value: "recent", Label: "Within 30 days"}, {Value: "idle", Label: "None for 30 days"}}},
				{Name: "webhooks", Label: "Webhooks", Value: asked.Webhooks, Options: []ui.Option{{Label: "All"}, {Value: "failing", Label: "Failing now"}, {Value: "disabled", Label: "Disabled"}}},
			},
		},
		Table: ui.Table{Caption: "Organisations", Columns: []ui.Column{
			{Label: "Organisation"}, {Label: "Status"}, {Label: "Verified"}, {Label: "Users", Numeric: true}, {Label: "Last sign-in"}, {Label: "Key used"}, asked.listing().Sorted(ui.Column{Label: "Registered"}),
		}},
		Empty: ui.EmptyState{Title: "No organisation found", Text: "No organisation matches this filter. Organisations appear here when they register."},
	}
	for _, o := range found {
		name := ui.Cell{Text: o.Name, Href: page.OrganisationsPath + "/" + listing.Plain(o.ID), Opens: ui.Details.Of(listing.Plain(o.ID))}
		if o.Sandbox {
			name.Note = "sandbox"
		}
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			name, organisationStatus(o.Status), verified(o.VerifiedAt, now), {Text: listing.Number(o.Users)}, listing.Lately(o.LastSignInAt, now), listing.Lately(o.LastKeyAt, now),
			{Text: o.CreatedAt.UTC().Format("2 Jan 2006"), Title: listing.Ago(o.CreatedAt, now)},
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
	return ui.Cell{Text: at.UTC().Format("2 Jan 2006"), Title: listing.Ago(*at, now)}
}
