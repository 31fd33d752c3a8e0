package admin

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// releasesListed is the number of releases on the page that lists them.
const releasesListed = 200

// Releases lists the releases of a product.
func (h *Handlers) Releases(c echo.Context) error {
	e, err := OpenProduct(c, h.DB)
	if err != nil {
		return err
	}
	found, err := queries.ReleaseEntryList(c.Request().Context(), h.DB, e.product.ID, releasesListed)
	if err != nil {
		return err
	}
	p := view.ReleasesPage{Frame: frame(c, "Releases of "+e.title, productsPath), Table: releaseTable(e, found, time.Now()),
		Lead: "A release is what became public together. A Super Admin can revert one: a new release then publishes what was public before."}
	p.Up = ui.Link{Label: e.title, Href: productPath(e.product.ID)}
	p.Table.Quiet = true
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Releases(p)})
}

// releaseTable lists releases, with what a Super Admin may do.
func releaseTable(e editing, found []models.ReleaseEntry, now time.Time) ui.Table {
	t := ui.Table{Caption: "Releases", Columns: []ui.Column{{Label: "Release"}, {Label: "What changed"}, {Label: "Published"}, {Label: "By"}, {Label: "Change"}}}
	for _, r := range found {
		name := "Product, release " + strconv.Itoa(r.Number)
		if r.Kind == content.KindVersion {
			name = "Version " + r.Scope + ", release " + strconv.Itoa(r.Number)
		}
		what := ui.Cell{Text: clip(r.Summary, longestValue)}
		if r.ChangeSetID != 0 {
			what.Href = draftPath(r.ChangeSetID)
		}
		by := r.Publisher
		if by == "" {
			by = "The program"
		}
		row := []ui.Cell{{Text: name}, what, {Text: ago(r.PublishedAt, now), Title: r.PublishedAt.UTC().Format("2 Jan 2006, 15:04:05 UTC")}, {Text: by}, {Text: "–"}}
		if r.Number > 1 && e.actor.Role == identity.SuperAdmin {
			region := ui.Confirm.Of(plain(r.ID))
			ask := ui.Ask{Link: ui.Link{Label: "Revert", Href: productPath(e.product.ID) + "/releases/" + plain(r.ID) + "/revert"}, Object: name, Small: true, Region: region}
			row[4] = ui.Cell{Body: ui.AskButton(ask), Opens: region}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// release reads the release in the path.
func (h *Handlers) release(c echo.Context) (e editing, id int64, number int, err error) {
	if e, err = OpenProduct(c, h.DB); err != nil {
		return e, 0, 0, err
	}
	missing := fault.New(fault.NotFound, "This release does not exist.")
	if id, err = strconv.ParseInt(c.Param("release"), 10, 64); err != nil {
		return e, 0, 0, missing
	}
	owner, r, _, err := queries.ReleaseGet(c.Request().Context(), h.DB, id)
	if db.IsNoRows(err) || err == nil && owner != e.product.ID {
		return e, 0, 0, missing
	}
	return e, id, r.Number, err
}

// ConfirmRevert asks before a release is reverted.
func (h *Handlers) ConfirmRevert(c echo.Context) error {
	e, id, number, err := h.release(c)
	if err != nil {
		return err
	}
	back := productPath(e.product.ID) + "/releases"
	f := frame(c, "Revert release "+strconv.Itoa(number), productsPath)
	f.Up = ui.Link{Label: "Releases", Href: back}
	return page.Confirm(c, f, ui.Question{
		Region: ui.Confirm.Of(plain(id)),
		Text:   "A new release publishes what was public before this one, immediately and without a review. The history keeps both. What was published again since is not reverted.",
		Action: ui.Post{Action: back + "/" + plain(id) + "/revert", Label: "Revert the release", Kind: ui.Danger},
		Back:   ui.Link{Label: "Change nothing", Href: back},
	}, "")
}

// Revert reverts a release.
func (h *Handlers) Revert(c echo.Context) error {
	e, id, _, err := h.release(c)
	if err != nil {
		return err
	}
	set, err := editorial.Revert(c.Request().Context(), h.Documentation, e.actor, id)
	if err != nil {
		return err
	}
	h.Signals.Add(draftsTopic, 0)
	return page.Done(c, draftPath(set), "reverted")
}
