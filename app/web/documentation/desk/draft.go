package desk

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/fault"
	"heliograph/app/web/listing"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	threadsview "heliograph/views/documentation/threads"
)

// Draft is a change set on a page, and what its user may do with it.
type Draft struct {
	Editing
	Set     models.ChangeSet
	Changes []models.Change
	Reviews []models.Review
	Threads []editorial.Thread
	Quality editorial.Quality
	Items   map[int64]models.EditItem // of the product
}

// OpenDraft reads the change set in the path.
func OpenDraft(c echo.Context, store db.Querier) (d Draft, err error) {
	id, err := page.ID(c)
	if err != nil {
		return d, err
	}
	ctx := c.Request().Context()
	d.Set, err = queries.ChangeSetGet(ctx, store, id)
	d.Actor = Actor(c)
	if db.IsNoRows(err) || err == nil && d.Set.PracticeOf != 0 && d.Set.PracticeOf != d.Actor.ID {
		return d, fault.New(fault.NotFound, "This change set does not exist.")
	}
	if err != nil {
		return d, err
	}
	if d.Product, err = queries.ItemGet(ctx, store, d.Set.ProductID); err != nil {
		return d, err
	}
	if err := permit(ctx, store, &d.Editing); err != nil {
		return d, err
	}
	if d.Changes, err = queries.ChangeSetItemList(ctx, store, id); err != nil {
		return d, err
	}
	if d.Reviews, err = queries.ReviewList(ctx, store, id); err != nil {
		return d, err
	}
	if d.Threads, err = editorial.Threads(ctx, store, id, d.Changes); err != nil {
		return d, err
	}
	items, err := queries.EditItemList(ctx, store, d.Set.ProductID)
	d.Items = make(map[int64]models.EditItem, len(items))
	for _, i := range items {
		d.Items[i.ID] = i
	}
	d.Title = d.Items[d.Set.ProductID].Name
	return d, err
}

// May reports whether the user may make a move now.
func (d Draft) May(m editorial.Move) bool {
	return d.Writes && editorial.May(d.Actor, d.Set, d.Changes, m) == nil
}

// IsOpen reports whether the change set can still be published.
func (d Draft) IsOpen() bool {
	return d.Set.State != editorial.StatePublished && d.Set.State != editorial.StateRejected && d.Set.State != editorial.StateWithdrawn
}

// Hash stands for the content of the change set, as a reviewer saw it.
func (d Draft) Hash() string { return hex.EncodeToString(editorial.Hash(d.Changes)) }

// SlugOf is the address of an item after the change set.
func (d Draft) SlugOf(id int64) string {
	for _, c := range d.Changes {
		if c.Item.ID == id && c.Action == "move" {
			return c.Slug
		}
	}
	return d.Items[id].Slug
}

// ParentOf is the parent of an item after the change set.
func (d Draft) ParentOf(c models.Change) int64 {
	return cmp.Or(c.ParentID, c.Item.ParentID)
}

// ReaderPath is the address at which readers will find an item, empty for one
// without a page.
func (d Draft) ReaderPath(c models.Change) string {
	product, slug := d.SlugOf(d.Product.ID), d.SlugOf(c.Item.ID)
	switch c.Item.Kind {
	case content.KindProduct:
		return "/docs/" + product
	case content.KindGuide:
		return "/productguide/" + product + "/" + slug
	case content.KindVersion:
		return "/docs/" + product + "/" + slug
	}
	version := "/docs/" + product + "/" + d.SlugOf(d.ParentOf(c))
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

// IsOutdated reports whether others published an item after its draft began.
func (d Draft) IsOutdated() bool {
	for _, c := range d.Changes {
		if c.RevisionID != c.Item.LiveRevisionID && (c.Action == "archive" || c.BaseID != c.Item.LiveRevisionID) {
			return true
		}
	}
	return false
}

// OpenDraftItem reads the change of an item in the path.
func OpenDraftItem(c echo.Context, store db.Querier) (d Draft, at int, err error) {
	if d, err = OpenDraft(c, store); err != nil {
		return d, 0, err
	}
	for i, change := range d.Changes {
		if listing.Plain(change.Item.ID) == c.Param("item") {
			return d, i, nil
		}
	}
	return d, 0, fault.New(fault.NotFound, "The change set does not hold this item.")
}

// Moved is a move that was refused, with what was typed.
type Moved struct {
	Move     string
	Problems *page.Problems
	Text     string
	About    string            // the part that a request for changes is about
	Reasons  map[string]string // for blocking checks, by check
}

// RequestOf is what a reviewer asked for last, of a change set that was sent back.
func RequestOf(set models.ChangeSet, reviews []models.Review, now time.Time) (r threadsview.Remark) {
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
	return threadsview.Remark{Who: last.ReviewerName, When: TalkTime(last.CreatedAt), Ago: listing.Ago(last.CreatedAt, now), Text: Prose(last.Reason)}
}
