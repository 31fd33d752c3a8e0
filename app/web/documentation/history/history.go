// Package history shows the revisions of an item, compares them and restores one.
package history

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/difference"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/history"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB      db.Querier  // read only
	Rules   db.Beginner // where the rules of editing write
	Signals *db.Signals // notifies open pages; may be nil
}

// origins says where revisions came from.
var origins = map[string]string{"seed": "Seed", "import": "Import", "edit": "Edit", "restore": "Restored"}

// List lists the revisions of an item.
func (h *Handlers) List(c echo.Context, e desk.Editing) error {
	found, err := queries.RevisionEntryList(c.Request().Context(), h.DB, e.Item.ID)
	if err != nil {
		return err
	}
	name := desk.Label(e.Item, desk.NameOf(e.Head.Content))
	p := view.HistoryPage{Frame: page.AdministrationFrame(c, "History of "+name, page.ProductsPath), Lead: "Every save is a revision and is kept. What a form saves while somebody types counts as one."}
	p.Up = ui.Link{Label: name, Href: e.Path()}
	p.Table = ui.Table{
		Caption: "Revisions", Quiet: true,
		Columns: []ui.Column{{Label: "Revision"}, {Label: "State"}, {Label: "By"}, {Label: "Origin"}, {Label: "Saved"}, {Label: "Published"}, {Label: "Compare"}},
	}
	now := time.Now()
	for _, r := range found {
		p.Table.Rows = append(p.Table.Rows, revisionRow(e, r, now))
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.History(p)})
}

func revisionRow(e desk.Editing, r models.RevisionEntry, now time.Time) []ui.Cell {
	number := strconv.Itoa(r.Number)
	state := ui.Cell{Text: "–"}
	switch r.ID {
	case e.Item.DraftRevisionID:
		state = ui.Cell{Text: "Draft", Badge: true, Tone: ui.Warn}
	case e.Item.LiveRevisionID:
		state = ui.Cell{Text: "Live", Badge: true, Tone: ui.Good}
	}
	origin := ui.Cell{Text: origins[r.Origin]}
	if r.Restored > 0 {
		origin.Note = "from " + strconv.Itoa(r.Restored)
	}
	by := cmp.Or(r.AuthorName, "The program")
	published := ui.Cell{Text: "–"}
	if r.PublishedAt != nil {
		published = listing.Lately(r.PublishedAt, now)
	}
	compare := ui.Cell{Text: "With the one before", Href: e.Path() + "/history/" + number}
	if r.Number == 1 {
		compare.Text = "Show"
	}
	return []ui.Cell{{Text: number}, state, {Text: by}, origin, {Text: listing.Ago(r.CreatedAt, now), Title: r.CreatedAt.UTC().Format("2 Jan 2006, 15:04:05 UTC")}, published, compare}
}

// numbered reads the revision that the path has the number of.
func (h *Handlers) numbered(c echo.Context) (e desk.Editing, r models.Revision, err error) {
	if e, err = desk.OpenItem(c, h.DB); err != nil {
		return e, r, err
	}
	r, err = h.byNumber(c, e, c.Param("number"))
	return e, r, err
}

func (h *Handlers) byNumber(c echo.Context, e desk.Editing, text string) (r models.Revision, err error) {
	missing := fault.New(fault.NotFound, "This revision does not exist.")
	number, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return r, missing
	}
	r, err = queries.RevisionGetNumbered(c.Request().Context(), h.DB, e.Item.ID, int(number))
	if db.IsNoRows(err) {
		return r, missing
	}
	return r, err
}

// Compare shows how an item changed between two revisions.
func (h *Handlers) Compare(c echo.Context) error {
	e, r, err := h.numbered(c)
	if err != nil {
		return err
	}
	found, err := queries.RevisionEntryList(c.Request().Context(), h.DB, e.Item.ID)
	if err != nil {
		return err
	}
	from := c.QueryParam("from")
	if from == "" {
		from = numberBefore(found, r.Number)
	}
	var before models.Revision
	if from != "0" {
		if before, err = h.byNumber(c, e, from); err != nil {
			return err
		}
	}
	name, number := desk.Label(e.Item, desk.NameOf(e.Head.Content)), strconv.Itoa(r.Number)
	p := view.ComparePage{Frame: page.AdministrationFrame(c, name+", revision "+number, page.ProductsPath), Note: "Both revisions have the same content."}
	p.Up = ui.Link{Label: "History of " + name, Href: e.Path() + "/history"}
	choice := ui.Select{Name: "from", Label: "Compare with", Value: from}
	for _, o := range found {
		choice.Options = append(choice.Options, ui.Option{Value: strconv.Itoa(o.Number), Label: "Revision " + strconv.Itoa(o.Number)})
		if o.ID == r.ID {
			row := revisionRow(e, o, time.Now())
			p.Facts = []ui.Pair{{Key: "Saved", Value: ui.Moment(o.CreatedAt).Text + " UTC"}, {Key: "By", Value: row[2].Text}, {Key: "Origin", Value: row[3].Text + " " + row[3].Note}, {Key: "Published", Value: row[5].Text}}
		}
	}
	choice.Options = append(choice.Options, ui.Option{Value: "0", Label: "Nothing"})
	p.Filter = ui.Filter{Action: e.Path() + "/history/" + number, Selects: []ui.Select{choice}}
	if p.Differences, err = difference.Between(e.Item.Kind, before.Content, r.Content); err != nil {
		return err
	}
	if editorial.MayRestore(e.Actor, e.Product) && e.Refusal == "" && r.ID != e.Item.Head() {
		p.Restore = ui.Link{Label: "Restore this revision", Href: e.Path() + "/history/" + number + "/restore"}
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Compare(p)})
}

// numberBefore returns the number of the revision before one, 0 for the first.
func numberBefore(history []models.RevisionEntry, number int) string {
	for _, r := range history { // the newest first
		if r.Number < number {
			return strconv.Itoa(r.Number)
		}
	}
	return "0"
}

// restorable is numbered for those who may restore.
func (h *Handlers) restorable(c echo.Context) (e desk.Editing, r models.Revision, err error) {
	if e, r, err = h.numbered(c); err == nil && !editorial.MayRestore(e.Actor, e.Product) {
		err = fault.New(fault.Forbidden, "Only a Super Admin restores what was published before.")
	}
	return e, r, err
}

// ShowRestore shows what restoring a revision changes, and asks.
func (h *Handlers) ShowRestore(c echo.Context) error {
	e, r, err := h.restorable(c)
	if err != nil {
		return err
	}
	name, number := desk.Label(e.Item, desk.NameOf(e.Head.Content)), strconv.Itoa(r.Number)
	changed, err := difference.Between(e.Item.Kind, e.Head.Content, r.Content)
	if err != nil {
		return err
	}
	back := e.Path() + "/history/" + number
	p := view.RestorePage{Frame: page.AdministrationFrame(c, "Restore revision "+number+" of "+name, page.ProductsPath), Differences: changed,
		Lead: "The content of revision " + number + " becomes a new draft in your change set. Readers see it when that is reviewed and published. This is what changes from the content as it is now:"}
	p.Up = ui.Link{Label: "Revision " + number, Href: back}
	p.Action = ui.Post{Action: back + "/restore", CSRF: p.CSRF, Label: "Restore the revision", Kind: ui.Primary, Values: []ui.Pair{{Key: "base", Value: listing.Plain(e.Item.Head())}}}
	p.Back = ui.Link{Label: "Change nothing", Href: back}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Restore(p)})
}

// Restore drafts the content of an earlier revision.
func (h *Handlers) Restore(c echo.Context) error {
	e, r, err := h.restorable(c)
	if err != nil {
		return err
	}
	var form struct {
		Base int64 `form:"base"`
	}
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	if _, err := editorial.Restore(c.Request().Context(), h.Rules, e.Actor, r.ID, form.Base); err != nil {
		return err
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	return page.Done(c, e.Path(), "restored")
}
