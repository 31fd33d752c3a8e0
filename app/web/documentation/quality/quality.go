// Package quality shows what the checks found in a draft.
package quality

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/documentation/editorial/fields"
	"heliograph/app/lists"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/documentation/itemform"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/quality"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	DB db.Querier // read only
}

// shownFindings is the number of findings that a page shows.
const shownFindings = 100

// Item shows what the checks found in the draft of an item.
func (h *Handlers) Item(c echo.Context, e desk.Editing) error {
	if !page.WantsFragment(c) {
		return page.SeeOther(c, e.Path())
	}
	q, err := OfItem(c.Request().Context(), h.DB, e)
	if err != nil {
		return err
	}
	return page.Render(c, http.StatusOK, page.View{Body: view.Part(q)})
}

// OfItem is what the checks found in the draft of an item. An item without one
// has none, and the region waits for it. What is checked as it is typed stands above it
// and is not told twice.
func OfItem(ctx context.Context, store db.Querier, e desk.Editing) (view.Findings, error) {
	q := view.Findings{Live: qualityLive(e.Path()), IsUntitled: itemform.IsChecked(e.Item.Kind)} // which stands below what is checked as it is typed
	if e.Set.ID == 0 {
		return q, nil
	}
	changes, err := queries.ChangeSetItemList(ctx, store, e.Set.ID)
	if err != nil {
		return q, err
	}
	own := lists.Where(changes, func(c models.Change) bool { return c.Item.ID == e.Item.ID && c.Action != "archive" })
	if len(own) == 0 {
		return q, nil
	}
	found, err := editorial.ReadQuality(ctx, store, e.Set, own)
	if err != nil {
		return q, err
	}
	if itemform.IsChecked(e.Item.Kind) && e.Refusal == "" {
		found.Findings = slices.DeleteFunc(found.Findings, editorial.Finding.IsTyped)
	}
	fillQuality(&q, found, func(f editorial.Finding) ui.Link { return placeOf(e.Item.Kind, f, "") })
	return q, nil
}

// qualityLive refreshes the findings of a page at a path.
func qualityLive(path string) templ.Attributes {
	live := ui.Refresh(view.Region, path+"/quality", editorial.ChecksTopic, desk.DraftsTopic)
	live["hx-headers"] = ui.QuietHeaders
	return live
}

func fillQuality(q *view.Findings, found editorial.Quality, place func(editorial.Finding) ui.Link) {
	q.Title = "Checks"
	switch {
	case found.Pending > 0 && found.CheckedAt.IsZero():
		q.State = "Being checked."
	case found.Pending > 0:
		q.State = "Being checked again. The findings are those of an earlier text."
	case len(found.Findings) == 0 && !found.CheckedAt.IsZero():
		q.State = "Nothing found. Checked " + clock(found.CheckedAt) + "."
		if q.IsUntitled { // below what is checked as it is typed
			q.State = "Nothing else found. Checked " + clock(found.CheckedAt) + "."
		}
	case !found.CheckedAt.IsZero():
		q.State = "Checked " + clock(found.CheckedAt) + "."
	}
	for i, f := range found.Findings {
		if i == shownFindings {
			q.More = listing.Number(len(found.Findings)-i) + " more are not shown."
			break
		}
		q.List = append(q.List, view.Finding{Tone: levelTones[f.Level], Level: levelWords[f.Level], Check: f.Label, Text: f.Message, Place: place(f)})
	}
}

func clock(t time.Time) string { return t.UTC().Format("2 Jan, 15:04:05 UTC") }

var (
	levelWords = map[checks.Level]string{checks.Block: "Blocks", checks.Warn: "Warning"}
	levelTones = map[checks.Level]ui.Tone{checks.Block: ui.Bad, checks.Warn: ui.Warn}
)

// placeOf links to the field of a finding on the page of its item.
func placeOf(kind string, f editorial.Finding, path string) ui.Link {
	label, anchor := "", "#item"
	for _, field := range fields.Of(kind) {
		if field.Name == f.Field {
			label = field.Label
			if field.Type != fields.Code {
				anchor = "#field-" + f.Field
			}
		}
	}
	// Code is shown as rows, which have no lines.
	if f.Line > 0 && anchor != "#item" {
		label += ", line " + strconv.Itoa(f.Line)
	}
	return ui.Link{Label: label, Href: path + anchor}
}

// Draft shows what the checks found in a change set.
func (h *Handlers) Draft(c echo.Context, d desk.Draft) error {
	if !page.WantsFragment(c) {
		return page.SeeOther(c, desk.DraftPath(d.Set.ID))
	}
	if err := Read(c.Request().Context(), h.DB, &d); err != nil {
		return err
	}
	return page.Render(c, http.StatusOK, page.View{Body: view.Part(OfDraft(d))})
}

// Read reads what the checks found in an open change set.
func Read(ctx context.Context, store db.Querier, d *desk.Draft) (err error) {
	if d.IsOpen() {
		d.Quality, err = editorial.ReadQuality(ctx, store, d.Set, d.Changes)
	}
	return err
}

// OfDraft is what the checks found in an open change set.
func OfDraft(d desk.Draft) (q view.Findings) {
	if !d.IsOpen() || len(d.Changes) == 0 {
		return q
	}
	q.Live = qualityLive(desk.DraftPath(d.Set.ID))
	fillQuality(&q, d.Quality, func(f editorial.Finding) ui.Link {
		for _, c := range d.Changes {
			if c.Item.ID == f.ItemID {
				link := placeOf(c.Item.Kind, f, desk.ItemPath(d.Set.ProductID, f.ItemID))
				link.Label = desk.Label(c.Item, desk.NameOf(c.Content)) + ": " + link.Label
				return link
			}
		}
		return ui.Link{}
	})
	return q
}
