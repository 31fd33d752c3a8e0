// Package threads shows the comments on a change set beside what they are about, and
// begins others.
package threads

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/threads"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB      db.Querier  // read only
	Rules   db.Beginner // where the rules of editing write
	Signals *db.Signals // notifies open pages; may be nil
}

// newThread is a thread that begins: what it is about, and where.
type newThread struct {
	desk.Draft
	about   editorial.Subject
	page    string // item, or empty for the change set's own
	kind    string
	heading string
	excerpt string
}

// newThreadQuery is what a thread will be about.
type newThreadQuery struct {
	Field    string `query:"field" form:"field"`
	Revision int64  `query:"revision" form:"revision"`
	From     int    `query:"from" form:"from"`
	To       int    `query:"to" form:"to"`
	Version  int64  `query:"version"`
	Change   string `query:"change"`
	Page     string `query:"page"` // item for the page of the item, where the form asks for the field
	Text     string `form:"text"`
}

// newThread reads the item in the path and the part that a thread will be about.
func (h *Handlers) newThread(c echo.Context, asked newThreadQuery) (n newThread, err error) {
	d, at, err := desk.OpenDraftItem(c, h.DB)
	if err != nil {
		return n, err
	}
	change := d.Changes[at]
	n = newThread{
		Draft: d,
		about: editorial.Subject{ItemID: change.Item.ID, Field: asked.Field, RevisionID: asked.Revision, From: asked.From, To: asked.To, VersionID: asked.Version, Change: asked.Change},
		page:  asked.Page, kind: change.Item.Kind,
	}
	n.heading = "Comment on " + desk.Label(change.Item, desk.NameOf(change.Content))
	if asked.Change != "" {
		n.heading = "Comment on a change of the contract"
		n.excerpt, err = editorial.ContractExcerpt(c.Request().Context(), h.DB, d.Changes, n.about)
		return n, err
	}
	if asked.Field == "" {
		return n, nil
	}
	n.heading += ": " + desk.FieldLabel(change.Item.Kind, asked.Field)
	n.excerpt, err = editorial.Excerpt(c.Request().Context(), h.DB, change.Item, n.about)
	return n, err
}

// region is where the form of a new thread opens.
func newThreadRegion(about editorial.Subject) ui.Region {
	place := listing.Plain(about.ItemID)
	if about.Change != "" {
		return view.CommentRegion.Of(place + "-" + listing.Plain(about.VersionID) + "-" + about.Change)
	}
	if about.Field != "" {
		place += "-" + about.Field
	}
	if about.From != 0 {
		place += "-" + strconv.Itoa(about.From) + "-" + strconv.Itoa(about.To)
	}
	return view.CommentRegion.Of(place)
}

func newThreadPath(setID int64, about editorial.Subject) string {
	path := desk.DraftPath(setID) + "/items/" + listing.Plain(about.ItemID) + "/threads/new"
	if about.Change != "" {
		return page.Address(path, page.Query("version", listing.Plain(about.VersionID), "change", about.Change))
	}
	if about.Field == "" {
		return path
	}
	asked := page.Query("field", about.Field, "revision", listing.Plain(about.RevisionID))
	if about.From != 0 {
		asked.Set("from", strconv.Itoa(about.From))
		asked.Set("to", strconv.Itoa(about.To))
	}
	return page.Address(path, asked)
}

// ShowNew asks for the first comment of a thread.
func (h *Handlers) ShowNew(c echo.Context, asked newThreadQuery) error {
	n, err := h.newThread(c, asked)
	if err != nil {
		return err
	}
	if !n.May(editorial.MoveComment) {
		return fault.New(fault.Conflict, "This change set takes no comments from you now.")
	}
	if n.page == pageOfItem && n.about.RevisionID == 0 {
		item, err := queries.ItemGet(c.Request().Context(), h.DB, n.about.ItemID)
		if err != nil {
			return err
		}
		n.about.RevisionID = item.Head()
	}
	return n.render(c, http.StatusOK, "", &page.Problems{})
}

func (n newThread) render(c echo.Context, status int, text string, problems *page.Problems) error {
	region := n.region()
	p := view.NewThreadPage{Frame: page.AdministrationFrame(c, n.heading, page.DraftsPath), Region: region, InPlace: page.WantsFragment(c) && page.Target(c) == region, Excerpt: n.excerpt}
	p.Up = ui.Link{Label: listing.Clip(n.Set.Summary, listing.LongestValue), Href: desk.DraftPath(n.Set.ID)}
	p.Back = ui.Link{Label: "Do not comment", Href: desk.DraftPath(n.Set.ID) + "#" + desk.ItemAnchor(n.about.ItemID)}
	p.Form = forms.Form{
		Name: string(region), Action: newThreadPath(n.Set.ID, n.about), CSRF: p.CSRF, Submit: "Comment", Problem: problems.Form,
		Areas: []ui.TextArea{{
			Name: "text", ID: string(region), Label: "Comment", Hint: "Markdown. The author sees it beside the text.", Value: text,
			Rows: 3, Required: true, Error: problems.Fields["text"],
		}},
	}
	if n.page == pageOfItem {
		p.Up = ui.Link{Label: "The item", Href: desk.ItemPath(n.Set.ProductID, n.about.ItemID)}
		p.Back.Href = p.Up.Href
		p.Form.Action = itemThreadPath(n.Draft, n.about.ItemID)
		p.Form.Hidden = []ui.Pair{{Key: "revision", Value: listing.Plain(n.about.RevisionID)}}
		p.Form.Selects = []ui.Select{fieldSelect(n.kind, n.about.Field)}
	}
	if p.InPlace {
		p.Form.Into, p.Form.Quiet = region, true
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.NewThread(p)})
}

// Open begins a thread. In place the answer is the thread.
func (h *Handlers) Open(c echo.Context, asked newThreadQuery) error {
	query, err := page.Ask[newThreadQuery](c)
	if err != nil {
		return err
	}
	query.Text = asked.Text
	if query.Page == pageOfItem {
		query.Field, query.Revision = asked.Field, asked.Revision
	}
	n, err := h.newThread(c, query)
	if err != nil {
		return err
	}
	id, err := editorial.OpenThread(c.Request().Context(), h.Rules, n.Actor, n.Set.ID, n.about, query.Text)
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return n.render(c, status, query.Text, problems) })
	}
	h.Signals.Add(desk.DraftsTopic, 0)
	region, back := n.region(), desk.DraftPath(n.Set.ID)
	if n.page == pageOfItem {
		back = desk.ItemPath(n.Set.ProductID, n.about.ItemID)
	}
	if page.Target(c) != region {
		return page.SeeOther(c, back+"?done=thread"+Region(id).Selector())
	}
	d, err := desk.OpenDraft(c, h.DB)
	if err != nil {
		return err
	}
	t, err := Find(d, listing.Plain(id))
	if err != nil {
		return err
	}
	shown := Shown(d, t, n.page, desk.Moved{Problems: &page.Problems{}})
	shown.CSRF, shown.Focus = page.Token(c), true
	return page.Render(c, http.StatusOK, page.View{Frame: page.AdministrationFrame(c, d.Set.Summary, page.DraftsPath).Page, Body: view.NewThread(view.NewThreadPage{Region: region, Opened: &shown})})
}
