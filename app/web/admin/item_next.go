package admin

import (
	"context"
	"strconv"
	"time"

	"heliograph/app/documentation/editorial"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// fillNext leads from an item to the review of its change set, and repeats what a
// reviewer asked for.
func fillNext(ctx context.Context, store db.Querier, p *view.ItemPage, e editing) error {
	if e.set.ID == 0 {
		return nil
	}
	var err error
	if p.Next, err = nextStep(ctx, store, e.set.ID); err != nil {
		return err
	}
	reviews, err := queries.ReviewList(ctx, store, e.set.ID)
	if err != nil {
		return err
	}
	p.Request = requestOf(e.set, reviews, time.Now())
	return nil
}

// nextStep leads to the review of a change set, if there is one with changes.
func nextStep(ctx context.Context, store db.Querier, setID int64) (next ui.Link, err error) {
	if setID == 0 {
		return next, nil
	}
	changes, err := queries.ChangeSetItemList(ctx, store, setID)
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
