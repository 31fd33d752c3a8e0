package editorial

import (
	"context"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// errNothingToUndo refuses to go back beyond the beginning of a draft.
var errNothingToUndo = fault.New(fault.Conflict, "There is nothing to undo in this draft.")

// Undo takes the last save of an author's own draft back: the save before it is the
// draft again, as a revision of its own. Another Undo goes one save further back, at
// most to what is live.
func Undo(ctx context.Context, b db.Beginner, actor Actor, itemID int64) error {
	return writeItem(ctx, b, actor, itemID, func(w *writer) error {
		item, err := w.item(ctx, itemID)
		if err != nil {
			return err
		}
		if err := w.checkAuthor(ctx, item); err != nil {
			return err
		}
		if item.DraftRevisionID == 0 || item.Trashed {
			return errNothingToUndo
		}
		d := drafter{w}
		to, err := d.saveBefore(ctx, item)
		if err != nil {
			return err
		}
		saved, err := d.draft(ctx, []pending{{item: item, content: to.Content, origin: originEdit, restored: to.ID}}, 0)
		if err != nil {
			return err
		}
		return w.record(ctx, "item.undo", itemTarget(itemID), map[string]any{"revision": saved[0].Item.DraftRevisionID, "undone_to": to.Number})
	})
}

// saveBefore returns the revision to which undoing the last save of a draft goes back.
func (d drafter) saveBefore(ctx context.Context, item models.Item) (r models.Revision, err error) {
	last, err := d.revision(ctx, item.DraftRevisionID)
	if err != nil {
		return r, err
	}
	if last.RestoredFromID != 0 && last.Origin == originEdit { // an Undo: continue from there
		if last, err = d.revision(ctx, last.RestoredFromID); err != nil {
			return r, err
		}
	}
	if last.ID == item.LiveRevisionID {
		return r, errNothingToUndo
	}
	r, err = queries.RevisionGetBefore(ctx, d.tx, item.ID, last.Number)
	if err != nil {
		return r, db.Absent(err, errNothingToUndo, "reading the save before of item %d", item.ID)
	}
	return r, nil
}
