package admin

import (
	"context"
	"strconv"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// fillNext leads from an item to the review of its change set, and repeats what a
// reviewer asked for.
func (h *Handlers) fillNext(ctx context.Context, p *view.ItemPage, e editing) error {
	if e.set.ID == 0 {
		return nil
	}
	var err error
	if p.Next, err = h.next(ctx, e.set.ID); err != nil {
		return err
	}
	reviews, err := queries.ReviewList(ctx, h.DB, e.set.ID)
	if err != nil {
		return err
	}
	p.Request = requestOf(e.set, reviews, time.Now())
	return nil
}

// next leads to the review of a change set, if there is one with changes.
func (h *Handlers) next(ctx context.Context, setID int64) (next ui.Link, err error) {
	if setID == 0 {
		return next, nil
	}
	changes, err := queries.ChangeSetItemList(ctx, h.DB, setID)
	if err == nil && len(changes) > 0 {
		next = ui.Link{Label: "Review changes (" + strconv.Itoa(len(changes)) + ") →", Href: draftPath(setID)}
	}
	return next, err
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
