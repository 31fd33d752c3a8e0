package editorial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Divergence is what a change set and others, who published its items since, have
// done to them.
type Divergence struct {
	Seen  string // identifies the state, for [Choices]
	Items []Diverged
}

// Diverged is an item that others published after its change began.
type Diverged struct {
	Change models.Change
	Merge  mergeResult // with what is live; without content for an item that has no draft
}

// Choices decide overlaps.
type Choices struct {
	Seen   string                               // the state that they were made for, empty for any
	Values map[int64]map[string]json.RawMessage // of each item and field, nil for none
}

// Rebased is the outcome of a rebase, as numbers of fields.
type Rebased struct {
	Taken, Joined, Chosen int
}

// Diverge returns what a rebase of changes has to merge. Items that nobody published
// since are left out.
func Diverge(ctx context.Context, q db.Querier, changes []models.Change) (Divergence, error) {
	return diverge(ctx, q, changes, nil)
}

func diverge(ctx context.Context, q db.Querier, changes []models.Change, chosen map[int64]map[string]json.RawMessage) (d Divergence, err error) {
	seen := sha256.New()
	for _, c := range changes {
		if !outdated(c) {
			continue
		}
		fmt.Fprintf(seen, "%d %s %d %d\n", c.Item.ID, c.Action, c.Item.LiveRevisionID, c.Item.DraftRevisionID)
		item := Diverged{Change: c}
		if c.Action != actionArchive && c.Item.DraftRevisionID != 0 {
			if item.Merge, err = mergeWithLive(ctx, q, c, chosen[c.Item.ID]); err != nil {
				return d, err
			}
		}
		d.Items = append(d.Items, item)
	}
	d.Seen = hex.EncodeToString(seen.Sum(nil))
	return d, nil
}

// mergeWithLive merges the draft of a change with the live revision.
func mergeWithLive(ctx context.Context, q db.Querier, c models.Change, chosen map[string]json.RawMessage) (mergeResult, error) {
	base, live, draft := c.BaseID, c.Item.LiveRevisionID, c.Item.DraftRevisionID
	contents, err := queries.RevisionContentList(ctx, q, []int64{base, live, draft})
	if err != nil {
		return mergeResult{}, fmt.Errorf("reading what a rebase merges: %w", err)
	}
	return mergeContents(contents[base], contents[live], contents[draft], chosen)
}

// Rebase bases the items of a change set that others published since on what is live.
// What only one side changed is merged. A field that both changed in the same place
// must be among the choices. Otherwise nothing changes, and the error is a Conflict
// with code overlap. It is one with code changed where the items are no longer as
// they were when the choices were made. Approvals stay if the merged content is the
// approved one.
func Rebase(ctx context.Context, b db.Beginner, actor Actor, setID int64, choices Choices) (done Rebased, err error) {
	err = move(ctx, b, actor, setID, MoveRebase, func(s *setMove) error {
		d, err := diverge(ctx, s.tx, s.changes, choices.Values)
		if err != nil {
			return err
		}
		if choices.Seen != "" && choices.Seen != d.Seen {
			return &fault.Error{Kind: fault.Conflict, Code: "changed", Message: "The change set or what is live changed after you opened the page. Look at it again."}
		}
		var changed []models.Change
		for _, item := range d.Items {
			if len(item.Merge.Overlaps) > 0 {
				return &fault.Error{
					Kind: fault.Conflict, Code: "overlap",
					Message: fmt.Sprintf("Others published changes of the same fields of the %s %s. Choose for each field what stays.", item.Change.Item.Kind, item.Change.Item.Slug),
				}
			}
			c := item.Change
			if c.RevisionID = c.Item.LiveRevisionID; item.Merge.Content != nil {
				if c.RevisionID, err = s.forward(ctx, c.Item, models.Revision{Content: item.Merge.Content, Origin: originEdit}); err != nil {
					return err
				}
			}
			changed = append(changed, c)
			done.Taken, done.Joined, done.Chosen = done.Taken+len(item.Merge.Taken), done.Joined+len(item.Merge.Joined), done.Chosen+len(item.Merge.Chosen)
		}
		if len(changed) == 0 {
			return nil
		}
		s.details["items"], s.details["taken"], s.details["joined"], s.details["chosen"] = len(changed), done.Taken, done.Joined, done.Chosen
		return s.put(ctx, setID, changed)
	})
	return done, err
}

// outdated reports whether others published the item after the change began.
func outdated(c models.Change) bool {
	return c.RevisionID != c.Item.LiveRevisionID && (c.Action == actionArchive || c.BaseID != c.Item.LiveRevisionID)
}

// forward writes the next revision of an item, based on the live one, as its
// draft.
func (w *writer) forward(ctx context.Context, item models.Item, r models.Revision) (int64, error) {
	r.ItemID, r.ContentHash, r.BaseID, r.AuthorID = item.ID, sum(r.Content), item.LiveRevisionID, w.actor.ID
	ids, err := writes.RevisionInsert(ctx, w.tx, []models.Revision{r})
	if err != nil {
		return 0, fmt.Errorf("adding a revision of %s %s: %w", item.Kind, item.Slug, err)
	}
	id := ids[item.ID]
	if err := writes.ItemUpdateDraft(ctx, w.tx, []int64{item.ID}, []int64{id}); err != nil {
		return 0, fmt.Errorf("drafting %s %s: %w", item.Kind, item.Slug, err)
	}
	return id, nil
}
