package editorial

import (
	"context"
	"fmt"
	"slices"

	"heliograph/app/fault"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Restore drafts the content of an earlier revision as a new revision. Only a
// Super Admin may restore, and on a practice product its owner. The base is the head that the actor saw; another
// head is a Conflict with code stale.
func Restore(ctx context.Context, b db.Beginner, actor Actor, revisionID, base int64) (saved Saved, err error) {
	old, err := queries.RevisionGet(ctx, b, revisionID)
	if err != nil {
		return saved, db.Absent(err, fault.New(fault.NotFound, "There is no revision %d.", revisionID), "reading revision %d", revisionID)
	}
	err = writeItem(ctx, b, actor, old.ItemID, func(w *writer) error {
		if err := w.mayRestore(); err != nil {
			return err
		}
		item, err := w.item(ctx, old.ItemID)
		if err != nil {
			return err
		}
		d := drafter{w}
		if err := d.current(ctx, item, Edit{ItemID: item.ID, Content: old.Content, Base: base}); err != nil {
			return err
		}
		list, err := d.draft(ctx, []pending{{item: item, content: old.Content, origin: originRestore, restored: old.ID}}, 0)
		if err != nil {
			return err
		}
		saved = list[0]
		return w.record(ctx, "revision.restore", itemTarget(item.ID), map[string]any{"number": old.Number, "change_set": saved.ChangeSetID})
	})
	return saved, err
}

// MayRestore reports whether an administrator may restore what was published of a
// product: a Super Admin, and on a practice product its owner.
func MayRestore(actor Actor, product models.Item) bool {
	return actor.Role == identity.SuperAdmin || product.PracticeOf != 0 && product.PracticeOf == actor.ID
}

func (w *writer) mayRestore() error {
	if w.actor.Role == identity.SuperAdmin || w.practice {
		return nil
	}
	return fault.New(fault.Forbidden, "Only a Super Admin restores what was published before.")
}

// Revert reverts a release with a new one. Items get their contents of the
// release before as new revisions. Items that the release added are archived,
// and archived ones return. Addresses stay. Only a Super Admin may revert, and
// not the first release of a scope. An item that was published again since is a
// Conflict with code outdated. It returns the change set of the new release.
func Revert(ctx context.Context, b db.Beginner, actor Actor, releaseID int64) (changeSetID int64, err error) {
	productID, release, previousID, err := queries.ReleaseGet(ctx, b, releaseID)
	if err != nil {
		return 0, db.Absent(err, fault.New(fault.NotFound, "There is no release %d.", releaseID), "reading release %d", releaseID)
	}
	err = write(ctx, b, actor, productID, func(w *writer) error {
		if err := w.mayRestore(); err != nil {
			return err
		}
		if previousID == 0 {
			return fault.New(fault.Conflict, "This is the first release: archive what it published in place of reverting it.")
		}
		changes, err := w.backwards(ctx, releaseID, previousID)
		if err != nil {
			return err
		}
		if changeSetID, err = writes.ChangeSetInsert(ctx, w.tx, productID, fmt.Sprintf("Revert release %d", release.Number), actor.ID); err != nil {
			return fmt.Errorf("opening a change set: %w", err)
		}
		// Not open: others may have drafts of these items, which are outdated then.
		if err := writes.ChangeSetItemPut(ctx, w.tx, changeSetID, changes, false); err != nil {
			return fmt.Errorf("filling change set %d: %w", changeSetID, err)
		}
		s := &setMove{writer: w, details: map[string]any{"reverts": releaseID}, reverts: true}
		if s.set, err = w.set(ctx, changeSetID); err != nil {
			return err
		}
		if s.changes, err = w.changes(ctx, changeSetID); err != nil {
			return err
		}
		if err := s.publish(ctx); err != nil {
			return err
		}
		if err := s.to(ctx, StatePublished); err != nil {
			return err
		}
		return w.record(ctx, "release.revert", setTarget(changeSetID), s.details)
	})
	return changeSetID, err
}

// backwards lists the changes from a release to the one before.
func (w *writer) backwards(ctx context.Context, releaseID, previousID int64) ([]models.Change, error) {
	now, err := queries.ReleaseRevisionList(ctx, w.tx, releaseID)
	if err != nil {
		return nil, fmt.Errorf("reading release %d: %w", releaseID, err)
	}
	before, err := queries.ReleaseRevisionList(ctx, w.tx, previousID)
	if err != nil {
		return nil, fmt.Errorf("reading release %d: %w", previousID, err)
	}
	var ids []int64
	for id, revision := range now {
		if before[id] != revision {
			ids = append(ids, id)
		}
	}
	for id := range before {
		if now[id] == 0 {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, fault.New(fault.Conflict, "The release changed no content: there is nothing to revert.")
	}
	slices.Sort(ids)
	var changes []models.Change
	for _, id := range ids {
		c, err := w.backward(ctx, id, now[id], before[id])
		if err != nil {
			return nil, err
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// backward returns the change of an item from the revision of a release to that
// of the one before. Zero stands for no revision.
func (w *writer) backward(ctx context.Context, id, now, before int64) (models.Change, error) {
	item, err := w.item(ctx, id)
	if err != nil {
		return models.Change{}, err
	}
	if now != 0 && (item.LiveRevisionID != now || item.Archived) || now == 0 && !item.Archived {
		return models.Change{}, &fault.Error{Kind: fault.Conflict, Code: "outdated",
			Message: fmt.Sprintf("The %s %s was published again since: restore its revision in place of reverting the release.", item.Kind, item.Slug)}
	}
	if before == 0 {
		return models.Change{Item: item, Action: actionArchive, RevisionID: now}, nil
	}
	old, err := w.revision(ctx, before)
	if err != nil {
		return models.Change{}, err
	}
	draft := item.DraftRevisionID
	next, err := w.forward(ctx, item, models.Revision{Content: old.Content, Origin: originRestore, RestoredFromID: old.ID})
	if err != nil {
		return models.Change{}, err
	}
	if draft != 0 { // somebody is at it: their draft stays theirs
		err = writes.ItemUpdateDraft(ctx, w.tx, []int64{id}, []int64{draft})
	}
	return models.Change{Item: item, Action: actionUpdate, RevisionID: next}, err
}
