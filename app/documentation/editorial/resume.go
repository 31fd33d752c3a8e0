package editorial

import (
	"bytes"
	"context"
	"fmt"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Resume drafts the changes of a rejected or discarded change set once more, in a new
// change set of the actor, and returns its id. The drafts keep the revisions that they
// were written on: where others published since, the new change set needs a rebase.
// Items that another change set holds are a Conflict with code draft_exists.
func Resume(ctx context.Context, b db.Beginner, actor Actor, setID int64) (id int64, err error) {
	err = move(ctx, b, actor, setID, MoveResume, func(s *setMove) error {
		var resumed []models.Change
		for _, c := range s.changes {
			next, ok, err := s.resume(ctx, c)
			if err != nil {
				return err
			}
			if ok {
				resumed = append(resumed, next)
			}
		}
		if len(resumed) == 0 {
			return fault.New(fault.Conflict, "Everything that change set %d changes is published or gone. There is nothing to continue.", setID)
		}
		if id, err = writes.ChangeSetInsert(ctx, s.tx, s.productID, s.set.Summary, actor.ID); err != nil {
			return fmt.Errorf("opening a change set: %w", err)
		}
		s.details["into"], s.details["items"] = id, len(resumed)
		return s.put(ctx, id, resumed)
	})
	return id, err
}

// resume drafts one change once more. It reports false for one that changes nothing
// now.
func (s *setMove) resume(ctx context.Context, c models.Change) (models.Change, bool, error) {
	set, err := queries.ChangeSetGetOpen(ctx, s.tx, c.Item.ID)
	if err == nil {
		return c, false, &fault.Error{Kind: fault.Conflict, Code: "draft_exists",
			Message: fmt.Sprintf("Change set %d holds the %s %s: it must be published, discarded or rejected first.", set.ID, c.Item.Kind, c.Item.Slug)}
	}
	if !db.IsNoRows(err) {
		return c, false, fmt.Errorf("looking for the change set of %s %s: %w", c.Item.Kind, c.Item.Slug, err)
	}
	if c.Item.Trashed || c.Action == actionArchive && !c.Item.Public() {
		return c, false, nil
	}
	if c.Action == actionArchive {
		c.RevisionID = c.Item.LiveRevisionID
		return c, true, nil
	}
	live, err := s.revision(ctx, c.Item.LiveRevisionID)
	if err != nil {
		return c, false, err
	}
	if bytes.Equal(live.ContentHash, c.Hash) && !c.Item.Archived {
		c.RevisionID = c.Item.LiveRevisionID
		return c, c.Action == actionMove, nil
	}
	ids, err := writes.RevisionInsert(ctx, s.tx, []models.Revision{{ItemID: c.Item.ID, Content: c.Content, ContentHash: c.Hash, BaseID: c.BaseID, AuthorID: s.actor.ID, Origin: originEdit}})
	if err != nil {
		return c, false, fmt.Errorf("adding a revision of %s %s: %w", c.Item.Kind, c.Item.Slug, err)
	}
	c.RevisionID = ids[c.Item.ID]
	if err := writes.ItemUpdateDraft(ctx, s.tx, []int64{c.Item.ID}, []int64{c.RevisionID}); err != nil {
		return c, false, fmt.Errorf("drafting %s %s: %w", c.Item.Kind, c.Item.Slug, err)
	}
	return c, true, nil
}
