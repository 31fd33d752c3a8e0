package admin

import (
	"encoding/hex"
	"encoding/json"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
)

// draft is a change set on a page, and what its user may do with it.
type draft struct {
	editing
	set     models.ChangeSet
	changes []models.Change
	reviews []models.Review
	threads []editorial.Thread
	quality editorial.Quality
	items   map[int64]models.EditItem // of the product
}

// OpenDraft reads the change set in the path.
func OpenDraft(c echo.Context, store db.Querier) (d draft, err error) {
	id, err := page.ID(c)
	if err != nil {
		return d, err
	}
	ctx := c.Request().Context()
	d.set, err = queries.ChangeSetGet(ctx, store, id)
	d.actor = actor(c)
	if db.IsNoRows(err) || err == nil && d.set.PracticeOf != 0 && d.set.PracticeOf != d.actor.ID {
		return d, fault.New(fault.NotFound, "This change set does not exist.")
	}
	if err != nil {
		return d, err
	}
	if d.product, err = queries.ItemGet(ctx, store, d.set.ProductID); err != nil {
		return d, err
	}
	if err := permit(ctx, store, &d.editing); err != nil {
		return d, err
	}
	if d.changes, err = queries.ChangeSetItemList(ctx, store, id); err != nil {
		return d, err
	}
	if d.reviews, err = queries.ReviewList(ctx, store, id); err != nil {
		return d, err
	}
	if d.threads, err = editorial.Threads(ctx, store, id, d.changes); err != nil {
		return d, err
	}
	items, err := queries.EditItemList(ctx, store, d.set.ProductID)
	d.items = make(map[int64]models.EditItem, len(items))
	for _, i := range items {
		d.items[i.ID] = i
	}
	d.title = d.items[d.set.ProductID].Name
	return d, err
}

// may reports whether the user may make a move now.
func (d draft) may(m editorial.Move) bool {
	return d.writes && editorial.May(d.actor, d.set, d.changes, m) == nil
}

// isOpen reports whether the change set can still be published.
func (d draft) isOpen() bool {
	return d.set.State != editorial.StatePublished && d.set.State != editorial.StateRejected && d.set.State != editorial.StateWithdrawn
}

// hash stands for the content of the change set, as a reviewer saw it.
func (d draft) hash() string { return hex.EncodeToString(editorial.Hash(d.changes)) }

// slugOf is the address of an item after the change set.
func (d draft) slugOf(id int64) string {
	for _, c := range d.changes {
		if c.Item.ID == id && c.Action == "move" {
			return c.Slug
		}
	}
	return d.items[id].Slug
}

// parentOf is the parent of an item after the change set.
func (d draft) parentOf(c models.Change) int64 {
	if c.ParentID != 0 {
		return c.ParentID
	}
	return c.Item.ParentID
}

// readerPath is the address at which readers will find an item, empty for one
// without a page.
func (d draft) readerPath(c models.Change) string {
	product, slug := d.slugOf(d.product.ID), d.slugOf(c.Item.ID)
	switch c.Item.Kind {
	case content.KindProduct:
		return "/docs/" + product
	case content.KindGuide:
		return "/productguide/" + product + "/" + slug
	case content.KindVersion:
		return "/docs/" + product + "/" + slug
	}
	version := "/docs/" + product + "/" + d.slugOf(d.parentOf(c))
	switch c.Item.Kind {
	case content.KindCategory:
		return version
	case content.KindSchema:
		var s struct{ Name string }
		if json.Unmarshal(c.Content, &s) != nil {
			return version
		}
		return version + "/schemas/" + url.PathEscape(s.Name)
	}
	return version + "/" + slug
}

// isOutdated reports whether others published an item after its draft began.
func (d draft) isOutdated() bool {
	for _, c := range d.changes {
		if c.RevisionID != c.Item.LiveRevisionID && (c.Action == "archive" || c.BaseID != c.Item.LiveRevisionID) {
			return true
		}
	}
	return false
}

// OpenDraftItem reads the change of an item in the path.
func OpenDraftItem(c echo.Context, store db.Querier) (d draft, at int, err error) {
	if d, err = OpenDraft(c, store); err != nil {
		return d, 0, err
	}
	for i, change := range d.changes {
		if plain(change.Item.ID) == c.Param("item") {
			return d, i, nil
		}
	}
	return d, 0, fault.New(fault.NotFound, "The change set does not hold this item.")
}

// moved is a move that was refused, with what was typed.
type moved struct {
	move     string
	problems *page.Problems
	text     string
	about    string            // the part that a request for changes is about
	reasons  map[string]string // for blocking checks, by check
}

// requestOf is what a reviewer asked for last, of a change set that was sent back.
func requestOf(set models.ChangeSet, reviews []models.Review, now time.Time) (r view.Remark) {
	if set.State != editorial.StateChangesRequested {
		return r
	}
	var last models.Review
	for _, review := range reviews {
		if review.Verdict == "changes_requested" && review.CreatedAt.After(last.CreatedAt) {
			last = review
		}
	}
	if last.ID == 0 {
		return r
	}
	return view.Remark{Who: last.ReviewerName, When: talkTime(last.CreatedAt), Ago: ago(last.CreatedAt, now), Text: prose(last.Reason)}
}
