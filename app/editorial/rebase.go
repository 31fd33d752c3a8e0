package editorial

import (
	"context"
	"encoding/json"
	"fmt"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Overlaps is the detail of a rebase that an author must decide: the fields of
// each item that were changed in two ways.
type Overlaps struct {
	Items map[int64][]Overlap
}

// Error counts the items, for the log.
func (o *Overlaps) Error() string {
	return fmt.Sprintf("%d items were changed in two ways", len(o.Items))
}

// Choices decide overlaps: the value of each item and field, nil for none.
type Choices map[int64]map[string]json.RawMessage

// Rebase rebases the items of a change set that others published since. Changes
// of only one side are merged. A field that both changed must be among the
// choices; otherwise nothing changes, and the Conflict with code overlap has an
// *Overlaps error within. Approvals stay if the merged content is the approved
// one.
func Rebase(ctx context.Context, b db.Beginner, actor Actor, setID int64, choices Choices) error {
	return move(ctx, b, actor, setID, MoveRebase, func(s *step) error {
		open := &Overlaps{map[int64][]Overlap{}}
		var changed []models.Change
		for _, c := range s.changes {
			if !outdated(c) {
				continue
			}
			next, overlaps, err := s.rebase(ctx, c, choices[c.Item.ID])
			if err != nil {
				return err
			}
			if len(overlaps) > 0 {
				open.Items[c.Item.ID] = overlaps
			}
			changed = append(changed, next)
		}
		if len(open.Items) > 0 {
			return &fault.Error{Kind: fault.Conflict, Code: "overlap", Err: open,
				Message: "Others published changes of the same fields. Choose for each which one holds."}
		}
		if len(changed) == 0 {
			return nil
		}
		s.details["items"] = len(changed)
		return s.put(ctx, setID, changed)
	})
}

// rebase bases a change on the live revision. Archiving or moving without a
// draft needs no merge.
func (s *step) rebase(ctx context.Context, c models.Change, chosen map[string]json.RawMessage) (models.Change, []Overlap, error) {
	live := c.Item.LiveRevisionID
	if c.Action == actionArchive || c.Item.DraftRevisionID == 0 {
		c.RevisionID = live
		return c, nil, nil
	}
	base, err := s.revision(ctx, c.BaseID)
	if err != nil {
		return c, nil, err
	}
	theirs, err := s.revision(ctx, live)
	if err != nil {
		return c, nil, err
	}
	mine, err := s.revision(ctx, c.Item.DraftRevisionID)
	if err != nil {
		return c, nil, err
	}
	merged, overlaps, err := merge(base.Content, theirs.Content, mine.Content, chosen)
	if err != nil || len(overlaps) > 0 {
		return c, overlaps, err
	}
	c.RevisionID, err = s.forward(ctx, c.Item, models.Revision{Content: merged, Origin: originEdit})
	return c, nil, err
}

// outdated reports whether others published the item after the change began.
func outdated(c models.Change) bool {
	return c.RevisionID != c.Item.LiveRevisionID && (c.Action == actionArchive || c.BaseID != c.Item.LiveRevisionID)
}

// forward writes the next revision of an item, based on the live one, as its
// draft.
func (w *writer) forward(ctx context.Context, item models.Item, r models.Revision) (int64, error) {
	r.ItemID, r.ContentHash, r.BaseID, r.AuthorID = item.ID, sum(r.Content), item.LiveRevisionID, w.actor.ID
	ids, err := queries.RevisionInsert(ctx, w.tx, []models.Revision{r})
	if err != nil {
		return 0, fmt.Errorf("adding a revision of %s %s: %w", item.Kind, item.Slug, err)
	}
	id := ids[item.ID]
	if err := queries.ItemUpdateDraft(ctx, w.tx, []int64{item.ID}, []int64{id}); err != nil {
		return 0, fmt.Errorf("drafting %s %s: %w", item.Kind, item.Slug, err)
	}
	return id, nil
}
