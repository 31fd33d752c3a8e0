// Package previews makes and revokes the links that show a draft to anyone who has them,
// and opens them.
package previews

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/previews"
	"heliograph/views/forms"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	Documentation *published.Documentation
	DB            db.Querier  // read only
	Rules         db.Beginner // where the rules of editing write
	Gate          *page.Gate
	Limiter       *limit.Limiter
	PublicURL     string
	// Reader makes the page at a path as readers would get it from a snapshot that
	// is not published.
	Reader func(r *http.Request, now *published.Snapshot, path string) (page.View, error)
}

// previewRevisions is the number of revisions that a new preview link can show.
const previewRevisions = 20

// previewForm is the form that makes a preview link.
type previewForm struct {
	Revision int `form:"revision"` // its number, zero for the draft
	Days     int `form:"days"`

	problems page.Problems
}

// createdLink is a preview link that waits in the browser, encrypted, for the page
// that shows it once.
type createdLink struct {
	UserID int64  `json:"user"`
	ItemID int64  `json:"item"`
	Token  string `json:"token"`
}

const (
	createdLinkCookie = "heliograph-preview"
	createdLinkLife   = 10 * time.Minute
)

// Path is the page of the preview links of an item.
func Path(e desk.Editing) string { return e.Path() + "/previews" }

func linkPath(e desk.Editing, id int64) string {
	return Path(e) + "/" + listing.Plain(id) + "/revocation"
}

// List lists the preview links of an item.
func (h *Handlers) List(c echo.Context, e desk.Editing) error {
	return h.render(c, http.StatusOK, e, previewForm{Days: editorial.PreviewDays[0]})
}

// Create makes a preview link and redirects to the list, which shows it
// once.
func (h *Handlers) Create(c echo.Context, e desk.Editing) error {
	var form previewForm
	if err := page.Bind(c, &form); err != nil {
		return err
	}
	form.Days = cmp.Or(form.Days, editorial.PreviewDays[0])
	token, err := editorial.CreatePreviewLink(c.Request().Context(), h.Rules, e.Actor, editorial.PreviewLinkRequest{ItemID: e.Item.ID, Number: form.Revision, Days: form.Days})
	if err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error {
			form.problems = *problems
			return h.render(c, status, e, form)
		})
	}
	if err := h.Gate.Keep(c, createdLinkCookie, createdLink{e.Actor.ID, e.Item.ID, token}, createdLinkLife); err != nil {
		return err
	}
	return page.SeeOther(c, Path(e))
}

// createdPreview returns the new link that the page has to show, or an empty string.
func (h *Handlers) createdPreview(c echo.Context, e desk.Editing) string {
	var l createdLink
	if page.IsLive(c) || !h.Gate.Kept(c, createdLinkCookie, &l) {
		return ""
	}
	h.Gate.Forget(c, createdLinkCookie)
	if l.UserID != e.Actor.ID || l.ItemID != e.Item.ID {
		return ""
	}
	return h.PublicURL + "/preview/" + l.Token
}

func (h *Handlers) render(c echo.Context, status int, e desk.Editing, form previewForm) error {
	ctx, now := c.Request().Context(), time.Now()
	found, err := queries.PreviewLinkList(ctx, h.DB, e.Item.ID)
	if err != nil {
		return err
	}
	name := desk.Label(e.Item, desk.NameOf(e.Head.Content))
	p := view.PreviewLinksPage{Frame: page.AdministrationFrame(c, "Preview links of "+name, page.ProductsPath), Lead: "Whoever has a preview link sees the page as readers will, without signing in, and nothing of other drafts. Search engines leave it out."}
	p.Up = ui.Link{Label: name, Href: e.Path()}
	p.Done = map[string]string{"revoked": "The preview link is revoked."}[c.QueryParam("done")]
	if address := h.createdPreview(c, e); address != "" {
		p.Created = ui.Code{Title: "Preview link", Text: address}
	}
	p.Table = ui.Table{
		Caption: "Preview links", Quiet: true,
		Columns: []ui.Column{{Label: "Shows"}, {Label: "State"}, {Label: "Views"}, {Label: "Valid until (UTC)"}, {Label: "Made by"}, {Label: "Change"}},
	}
	for _, l := range found {
		p.Table.Rows = append(p.Table.Rows, previewRow(e, l, now))
	}
	if e.Writes && !e.Item.Trashed {
		history, err := queries.RevisionEntryList(ctx, h.DB, e.Item.ID)
		if err != nil {
			return err
		}
		p.Form = newLinkForm(e, p.CSRF, history, form)
	}
	if p.Form == nil {
		p.Reason = cmp.Or(e.Refusal, "Everything of this item is published. Save a draft to make a preview link.")
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.PreviewLinks(p), Region: page.Current(status)})
}

// newLinkForm makes the form for a new link, nil where there is nothing to show.
func newLinkForm(e desk.Editing, csrf string, history []models.RevisionEntry, form previewForm) *forms.Form {
	shows := ui.Select{Name: "revision", Label: "Shows", Value: strconv.Itoa(form.Revision), Error: form.problems.Fields["revision"]}
	if e.Item.DraftRevisionID != 0 {
		shows.Options = append(shows.Options, ui.Option{Value: "0", Label: "The draft, as it changes"})
	}
	for _, r := range history {
		if r.PublishedAt == nil && r.ID != e.Item.LiveRevisionID && len(shows.Options) <= previewRevisions {
			number := strconv.Itoa(r.Number)
			shows.Options = append(shows.Options, ui.Option{Value: number, Label: "Revision " + number + ", as it is"})
		}
	}
	if len(shows.Options) == 0 {
		return nil
	}
	days := ui.Select{Name: "days", Label: "Valid for", Value: strconv.Itoa(form.Days), Error: form.problems.Fields["days"]}
	for _, n := range editorial.PreviewDays {
		days.Options = append(days.Options, ui.Option{Value: strconv.Itoa(n), Label: strings.TrimSuffix(strconv.Itoa(n)+" days", map[bool]string{true: "s"}[n == 1])})
	}
	return &forms.Form{Name: "preview", Action: Path(e), CSRF: csrf, Problem: form.problems.Form, Selects: []ui.Select{shows, days}, Submit: "Make a preview link"}
}

func previewShows(l models.PreviewLink) string {
	if l.RevisionID == 0 {
		return "The draft, as it changes"
	}
	return "Revision " + strconv.Itoa(l.Number)
}

func previewRow(e desk.Editing, l models.PreviewLink, now time.Time) []ui.Cell {
	state := ui.Cell{Text: "Works", Badge: true, Tone: ui.Good}
	switch {
	case l.RevokedAt != nil:
		state = ui.Cell{Text: "Revoked", Badge: true, Tone: ui.Bad}
	case !now.Before(l.ExpiresAt):
		state = ui.Cell{Text: "Expired", Badge: true}
	case l.EndedAt != nil:
		state = ui.Cell{Text: "Draft ended", Badge: true}
	}
	views := ui.Cell{Text: strconv.Itoa(l.Views)}
	if l.LastViewedAt != nil {
		views.Note = "last " + listing.Ago(*l.LastViewedAt, now)
	}
	change := ui.Cell{Text: "–"}
	if e.Writes && l.Works(now) {
		region := ui.Confirm.Of(listing.Plain(l.ID))
		change = ui.Cell{Opens: region, Body: ui.AskButton(ui.Ask{Link: ui.Link{Label: "Revoke", Href: linkPath(e, l.ID)}, Object: "the link to: " + previewShows(l), Region: region, Small: true})}
	}
	return []ui.Cell{{Text: previewShows(l)}, state, views, ui.Moment(l.ExpiresAt), {Text: l.CreatorName, Note: listing.Ago(l.CreatedAt, now)}, change}
}

// previewLink reads the item and the id of a preview link in the path.
func (h *Handlers) previewLink(c echo.Context) (e desk.Editing, l models.PreviewLink, err error) {
	if e, err = desk.OpenItem(c, h.DB); err != nil {
		return e, l, err
	}
	if err := e.Guard(); err != nil {
		return e, l, err
	}
	missing := fault.New(fault.NotFound, "This preview link does not exist.")
	id, err := strconv.ParseInt(c.Param("link"), 10, 64)
	if err != nil {
		return e, l, missing
	}
	l, err = queries.PreviewLinkGet(c.Request().Context(), h.DB, e.Item.ID, id)
	if db.IsNoRows(err) {
		return e, l, missing
	}
	return e, l, err
}

// AskRevoke asks before a preview link is revoked.
func (h *Handlers) AskRevoke(c echo.Context) (*page.Question, error) {
	e, l, err := h.previewLink(c)
	if err != nil {
		return nil, err
	}
	f := page.AdministrationFrame(c, "Revoke the preview link", page.ProductsPath).Under("Preview links of "+desk.Label(e.Item, desk.NameOf(e.Head.Content)), Path(e))
	return &page.Question{Frame: f, Question: ui.Question{
		Region: ui.Confirm.Of(listing.Plain(l.ID)), Text: "Whoever opens it reads that the preview has ended. A revoked link cannot be restored.",
		Facts:  []ui.Pair{{Key: "Shows", Value: previewShows(l)}, {Key: "Views", Value: strconv.Itoa(l.Views)}, {Key: "Valid until", Value: ui.Moment(l.ExpiresAt).Text + " UTC"}},
		Action: ui.Post{Label: "Revoke the link", Kind: ui.Danger},
		Back:   ui.Link{Label: "Keep the link"},
	}}, nil
}

// Revoke ends a preview link.
func (h *Handlers) Revoke(c echo.Context) error {
	e, l, err := h.previewLink(c)
	if err != nil {
		return err
	}
	if err := editorial.RevokePreviewLink(c.Request().Context(), h.Rules, e.Actor, e.Item.ID, l.ID); err != nil {
		return err
	}
	return page.Done(c, Path(e), "revoked")
}
