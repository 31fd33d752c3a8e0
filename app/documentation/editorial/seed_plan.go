package editorial

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"

	"heliograph/app/lists"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// seedPlan separates the items that a seed releases from those that people must
// decide.
type seedPlan struct {
	direct, review struct {
		list []pending
		gone []models.Item
	}
}

// sort separates the items that the seed may release from those that people
// must decide: they published or archived them since. Items that people are
// changing are in neither list.
func (d *importer) sort(ctx context.Context, list []pending, gone []models.Item) (plan seedPlan, err error) {
	ids := lists.Map(list, func(p pending) int64 { return p.item.ID })
	for _, item := range gone {
		ids = append(ids, item.ID)
	}
	heads, err := queries.ItemHeadList(ctx, d.tx, ids)
	if err != nil {
		return plan, fmt.Errorf("reading what is there already: %w", err)
	}
	sets := &openSets{writer: d.writer, known: map[int64]models.ChangeSet{}}
	for _, p := range list {
		head := heads[p.item.ID]
		to, err := d.decide(ctx, sets, head, p.content)
		if err != nil {
			return plan, err
		}
		switch to {
		case toRelease:
			plan.direct.list = append(plan.direct.list, p)
		case toReview:
			plan.review.list = append(plan.review.list, p)
		}
	}
	for _, item := range gone {
		to, err := d.decideGone(ctx, sets, heads[item.ID])
		if err != nil {
			return plan, err
		}
		switch to {
		case toRelease:
			plan.direct.gone = append(plan.direct.gone, item)
		case toReview:
			plan.review.gone = append(plan.review.gone, item)
		}
	}
	return plan, nil
}

// decision is what the seed does with an item.
type decision int

const (
	toKeep decision = iota
	toRelease
	toReview
)

func (d *importer) decide(ctx context.Context, sets *openSets, head models.ItemHead, content []byte) (decision, error) {
	byPeople := head.LiveRevisionID != 0 && head.LiveOrigin != originSeed
	if head.Archived && !byPeople {
		archiver, err := queries.ArchiverGet(ctx, d.tx, head.ID)
		if err != nil && !db.IsNoRows(err) { // none: a seed from before change sets archived
			return toKeep, fmt.Errorf("reading who archived %s %s: %w", head.Kind, head.Slug, err)
		}
		byPeople = archiver != 0
	}
	if head.Trashed || byPeople && bytes.Equal(head.LiveHash, sum(content)) {
		return toKeep, nil
	}
	last, err := queries.RevisionGetSeed(ctx, d.tx, head.ID)
	if err != nil && !db.IsNoRows(err) {
		return toKeep, fmt.Errorf("reading what the seed had for %s %s: %w", head.Kind, head.Slug, err)
	}
	isNews := !bytes.Equal(last.ContentHash, sum(content))
	if byPeople && !isNews {
		return toKeep, nil
	}
	busy, err := d.isBusy(ctx, sets, head)
	if err != nil {
		return toKeep, err
	}
	switch {
	case busy:
		if isNews {
			slog.WarnContext(ctx, "somebody is changing what the seed has in a newer form: it is left alone", "product", d.product.Slug, "kind", head.Kind, "slug", head.Slug)
		}
		return toKeep, nil
	case byPeople:
		return toReview, nil
	}
	return toRelease, nil
}

// decideGone decides about a part of a version that the seed does not have.
func (d *importer) decideGone(ctx context.Context, sets *openSets, head models.ItemHead) (decision, error) {
	busy, err := d.isBusy(ctx, sets, head)
	if err != nil || busy {
		return toKeep, err
	}
	if head.LiveRevisionID == 0 || head.LiveOrigin == originSeed {
		return toRelease, nil
	}
	if _, err := queries.RevisionGetSeed(ctx, d.tx, head.ID); db.IsNoRows(err) {
		return toKeep, nil // people added it
	} else if err != nil {
		return toKeep, fmt.Errorf("reading what the seed had for %s %s: %w", head.Kind, head.Slug, err)
	}
	refused, err := queries.ArchiveRefused(ctx, d.tx, head.ID)
	if err != nil {
		return toKeep, fmt.Errorf("reading what was decided about %s %s: %w", head.Kind, head.Slug, err)
	}
	if refused {
		return toKeep, nil
	}
	return toReview, nil
}

// isBusy reports whether an item is in somebody else's change set, or in one of the
// program with a draft that somebody else wrote: who rebased it decided what it says.
func (d *importer) isBusy(ctx context.Context, sets *openSets, head models.ItemHead) (bool, error) {
	if head.ChangeSetID == 0 {
		return false, nil
	}
	set, err := sets.get(ctx, head.ChangeSetID)
	if err != nil || set.AuthorID != 0 || set.State == StateScheduled {
		return true, err
	}
	draft, err := d.revision(ctx, head.DraftRevisionID)
	return draft.AuthorID != 0, err
}

// leave puts items for people to decide into a change set in review and returns
// its id, zero when there are none.
func (d *importer) leave(ctx context.Context, plan seedPlan) (int64, error) {
	if len(plan.review.list)+len(plan.review.gone) == 0 {
		return 0, nil
	}
	set, err := queries.ChangeSetGetReview(ctx, d.tx, d.productID)
	if err == nil {
		return set.ID, d.into(ctx, &set.ID, plan.review.list, plan.review.gone)
	}
	if !db.IsNoRows(err) {
		return 0, fmt.Errorf("looking for what a seed left for review: %w", err)
	}
	var id int64
	if err := d.into(ctx, &id, plan.review.list, plan.review.gone); err != nil || id == 0 {
		return 0, err
	}
	return id, Submit(ctx, d.tx, System, id, "Update "+d.product.Slug+" to what the program brings")
}

// unfinished returns the change set that a seed before could not finish, zero for
// none. It holds only items that the seed may release: people may have taken others
// back to draft, which it had left for review.
func (d *importer) unfinished(ctx context.Context, plan seedPlan) (int64, error) {
	ids := lists.Map(plan.direct.list, func(p pending) int64 { return p.item.ID })
	for _, item := range plan.direct.gone {
		ids = append(ids, item.ID)
	}
	set, err := queries.ChangeSetGetUnfinished(ctx, d.tx, d.productID, ids)
	if err != nil && !db.IsNoRows(err) {
		return 0, fmt.Errorf("looking for the change set of a seed: %w", err)
	}
	return set.ID, nil
}
