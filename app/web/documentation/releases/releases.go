// Package releases lists the releases of a product and reverts one.
package releases

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/releases"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB      db.Querier  // read only
	Rules   db.Beginner // where the rules of editing write
	Signals *db.Signals // notifies open pages; may be nil
}

// releasesListed is the number of releases on the page that lists them.
const releasesListed = 200

// List lists the releases of a product.
func (h *Handlers) List(c echo.Context, e desk.Editing) error {
	found, err := queries.ReleaseEntryList(c.Request().Context(), h.DB, e.Product.ID, releasesListed)
	if err != nil {
		return err
	}
	p := view.ReleasesPage{Frame: page.AdministrationFrame(c, "Releases of "+e.Title, page.ProductsPath), Table: Table(e, found, time.Now()),
		Lead: "A release is what became public together. A Super Admin can revert one: a new release then publishes what was public before."}
	p.Up = ui.Link{Label: e.Title, Href: desk.ProductPath(e.Product.ID)}
	p.Table.Quiet = true
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Releases(p)})
}

// Table lists releases, with what a Super Admin may do.
func Table(e desk.Editing, found []models.ReleaseEntry, now time.Time) ui.Table {
	t := ui.Table{Caption: "Releases", Columns: []ui.Column{{Label: "Release"}, {Label: "What changed"}, {Label: "Published"}, {Label: "By"}, {Label: "Change"}}}
	for _, r := range found {
		name := "Product, release " + strconv.Itoa(r.Number)
		if r.Kind == content.KindVersion {
			name = "Version " + r.Scope + ", release " + strconv.Itoa(r.Number)
		}
		what := ui.Cell{Text: listing.Clip(r.Summary, listing.LongestValue)}
		if r.ChangeSetID != 0 {
			what.Href = desk.DraftPath(r.ChangeSetID)
		}
		by := cmp.Or(r.Publisher, "The program")
		row := []ui.Cell{{Text: name}, what, {Text: listing.Ago(r.PublishedAt, now), Title: r.PublishedAt.UTC().Format("2 Jan 2006, 15:04:05 UTC")}, {Text: by}, {Text: "–"}}
		if r.Number > 1 && e.Actor.Role == identity.SuperAdmin {
			region := ui.Confirm.Of(listing.Plain(r.ID))
			ask := ui.Ask{Link: ui.Link{Label: "Revert", Href: desk.ProductPath(e.Product.ID) + "/releases/" + listing.Plain(r.ID) + "/revert"}, Object: name, Small: true, Region: region}
			row[4] = ui.Cell{Body: ui.AskButton(ask), Opens: region}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// release reads the release in the path.
func (h *Handlers) release(c echo.Context) (e desk.Editing, id int64, number int, err error) {
	if e, err = desk.OpenProduct(c, h.DB); err != nil {
		return e, 0, 0, err
	}
	missing := fault.New(fault.NotFound, "This release does not exist.")
	if id, err = strconv.ParseInt(c.Param("release"), 10, 64); err != nil {
		return e, 0, 0, missing
	}
	owner, r, _, err := queries.ReleaseGet(c.Request().Context(), h.DB, id)
	if db.IsNoRows(err) || err == nil && owner != e.Product.ID {
		return e, 0, 0, missing
	}
	return e, id, r.Number, err
}

// AskRevert asks before a release is reverted.
func (h *Handlers) AskRevert(c echo.Context) (*page.Question, error) {
	e, id, number, err := h.release(c)
	if err != nil {
		return nil, err
	}
	back := desk.ProductPath(e.Product.ID) + "/releases"
	f := page.AdministrationFrame(c, "Revert release "+strconv.Itoa(number), page.ProductsPath).Under("Releases", back)
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of(listing.Plain(id)),
		Text:   "A new release publishes what was public before this one, immediately and without a review. The history keeps both. What was published again since is not reverted.",
		Action: ui.Post{Label: "Revert the release", Kind: ui.Danger},
		Back:   ui.Link{Label: "Change nothing"},
	}}, nil
}

// Revert reverts a release.
func (h *Handlers) Revert(c echo.Context) error {
	e, id, _, err := h.release(c)
	if err != nil {
		return err
	}
	set, err := editorial.Revert(c.Request().Context(), h.Rules, e.Actor, id)
	if err != nil {
		return err
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	return page.Done(c, desk.DraftPath(set), "reverted")
}
