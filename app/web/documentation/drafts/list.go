// Package drafts lists the change sets, and shows one with its differences and what its
// user may do next.
package drafts

import (
	"cmp"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/filters"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	peoplequeries "heliograph/db/queries/people"
	view "heliograph/views/documentation/drafts"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	Documentation *published.Documentation
	DB            db.Querier  // read only
	Rules         db.Beginner // where the rules of editing write
	// Reader makes the page at a path as readers would get it from a snapshot that
	// is not published.
	Reader    func(r *http.Request, now *published.Snapshot, path string) (page.View, error)
	Scheduler *editorial.Scheduler
	Signals   *db.Signals // notifies open pages; may be nil
}

// draftsQuery is the query of the list of change sets.
type draftsQuery struct {
	listing.Position
	State   string `query:"state"`
	Product int64  `query:"product"`
	Whose   string `query:"whose"` // "mine", or "review" for what waits for the user
	Before  int64  `query:"before"`
}

func (q draftsQuery) listing() listing.List {
	product := ""
	if q.Product > 0 {
		product = listing.Plain(q.Product)
	}
	return listing.List{
		Position: q.Position, Path: page.DraftsPath, Filter: page.Query("state", q.State, "product", product, "whose", q.Whose),
		Later: q.Before > 0, One: "change set", Many: "change sets",
	}
}

// filter is the filter of the list. Without a state it shows what is open.
func (q draftsQuery) filter(userID int64) models.ChangeSetFilter {
	f := models.ChangeSetFilter{State: q.State, Product: max(0, q.Product), Before: max(0, q.Before), Limit: q.Rows() + 1, Viewer: userID}
	switch {
	case f.State == "":
		f.State = "open"
	case f.State == "all":
		f.State = ""
	}
	switch q.Whose {
	case "mine":
		f.Author = userID
	case "review":
		f.Reviewer = userID
	}
	return f
}

// List lists the change sets.
func (h *Handlers) List(c echo.Context, asked draftsQuery) error {
	ctx, l := c.Request().Context(), asked.listing()
	found, err := queries.ChangeSetEntryList(ctx, h.DB, asked.filter(page.User(c).ID))
	if err != nil {
		return err
	}
	products, err := peoplequeries.ProductNameList(ctx, h.DB)
	if err != nil {
		return err
	}
	shown := found[:min(len(found), l.Rows())]
	p := view.DraftsPage{Frame: page.AdministrationFrame(c, "Drafts and reviews", page.DraftsPath), Lead: "A change set holds changes of one product that are reviewed and published together."}
	p.Done = cmp.Or(draftDone[c.QueryParam("done")], filters.Done[c.QueryParam("done")])
	p.List = draftList(asked, shown, products)
	p.List.Save = filters.SaveLink(filters.Drafts, l)
	if p.Saved, err = filters.Of(c, h.DB, filters.Drafts, l); err != nil {
		return err
	}
	l.Finish(c, &p.List, listing.Rows{Count: len(shown), More: len(found) > len(shown), Mark: func(v url.Values) { v.Set("before", listing.Plain(shown[len(shown)-1].ID)) }})
	p.List.Live = page.Refresh(c, ui.List, desk.DraftsTopic)
	p.Announcement = p.List.Announcement()
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Drafts(p), Address: l.Address()})
}

func draftList(asked draftsQuery, shown []models.ChangeSetEntry, products []models.ProductName) ui.Listing {
	states := []ui.Option{{Label: "Open"}}
	for _, s := range []string{
		editorial.StateDraft, editorial.StateInReview, editorial.StateChangesRequested, editorial.StateApproved, editorial.StateScheduled,
		editorial.StateBlocked, editorial.StatePublished, editorial.StateRejected, editorial.StateWithdrawn,
	} {
		states = append(states, ui.Option{Value: s, Label: desk.StateNames[s]})
	}
	ofProducts := []ui.Option{{Label: "All"}}
	for _, p := range products {
		ofProducts = append(ofProducts, ui.Option{Value: listing.Plain(p.ID), Label: p.Name})
	}
	l := ui.Listing{
		Filter: ui.Filter{Selects: []ui.Select{
			{Name: "whose", Label: "Whose", Value: asked.Whose, Options: []ui.Option{{Label: "Everybody's"}, {Value: "review", Label: "Waiting for my review"}, {Value: "mine", Label: "Mine"}}},
			{Name: "state", Label: "State", Value: asked.State, Options: append(states, ui.Option{Value: "all", Label: "All"})},
			{Name: "product", Label: "Product", Value: asked.listing().Filter.Get("product"), Options: ofProducts},
		}},
		Table: ui.Table{Caption: "Change sets", Columns: []ui.Column{{Label: "Change set"}, {Label: "State"}, {Label: "Product"}, {Label: "Author"}, {Label: "Items", Numeric: true}, {Label: "Open comments", Numeric: true}, {Label: "Waits for"}, {Label: "Changed"}}},
		Empty: ui.EmptyState{
			Title: "No change sets found", Text: "A change set is opened when somebody saves a draft. Open a product to edit it.",
			Next: ui.Link{Label: "Products", Href: page.ProductsPath},
		},
	}
	now := time.Now()
	for _, s := range shown {
		mark := desk.StateMark(s.State)
		l.Table.Rows = append(l.Table.Rows, []ui.Cell{
			{Text: listing.Clip(s.Summary, listing.LongestValue), Note: listing.Plain(s.ID), Href: desk.DraftPath(s.ID)}, {Text: mark.Text, Badge: true, Tone: mark.Tone}, {Text: s.Product},
			{Text: desk.AuthorName(s.ChangeSet)}, {Text: listing.Number(s.Items)}, {Text: listing.Number(s.Threads)}, {Text: waitsFor(s.ChangeSet)}, {Text: listing.Ago(s.UpdatedAt, now), Title: s.UpdatedAt.UTC().Format("2 Jan 2006, 15:04:05 UTC")},
		})
	}
	return l
}

// waitsFor names who has to act before a change set goes on.
func waitsFor(s models.ChangeSet) string {
	switch s.State {
	case editorial.StateDraft, editorial.StateChangesRequested:
		return desk.AuthorName(s)
	case editorial.StateInReview:
		if s.OwnApproval {
			return "An approval"
		}
		return "A reviewer other than " + desk.AuthorName(s)
	case editorial.StateApproved, editorial.StateBlocked:
		return "An Editor who publishes"
	case editorial.StateScheduled:
		return s.ScheduledFor.UTC().Format("2 Jan 2006, 15:04 UTC")
	}
	return "–"
}

// Old redirects earlier addresses to the list.
func (h *Handlers) Old(c echo.Context) error {
	return c.Redirect(http.StatusPermanentRedirect, page.DraftsPath)
}
