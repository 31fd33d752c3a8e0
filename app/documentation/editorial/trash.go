package editorial

import (
	"context"
	"fmt"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Trash moves an item to the trash. The item must be archived, or unpublished
// and in no change set. Its address stays taken.
func Trash(ctx context.Context, b db.Beginner, actor Actor, itemID int64) error {
	return trash(ctx, b, actor, itemID, true)
}

// Untrash restores an item from the trash. An archived item stays archived.
func Untrash(ctx context.Context, b db.Beginner, actor Actor, itemID int64) error {
	return trash(ctx, b, actor, itemID, false)
}

func trash(ctx context.Context, b db.Beginner, actor Actor, itemID int64, trashed bool) error {
	return writeItem(ctx, b, actor, itemID, func(w *writer) error {
		item, err := w.item(ctx, itemID)
		if err != nil {
			return err
		}
		if item.Trashed == trashed {
			return nil
		}
		action := "item.untrash"
		if trashed {
			action = "item.trash"
			if err := w.mayTrash(ctx, item); err != nil {
				return err
			}
		}
		if err := writes.ItemUpdateTrashed(ctx, w.tx, itemID, trashed); err != nil {
			return fmt.Errorf("moving item %d: %w", itemID, err)
		}
		return w.record(ctx, action, itemTarget(itemID), map[string]any{"kind": item.Kind, "slug": item.Slug})
	})
}

func (w *writer) mayTrash(ctx context.Context, item models.Item) error {
	if item.Public() {
		return fault.New(fault.Conflict, "The %s %s is public: archive it first.", item.Kind, item.Slug)
	}
	set, err := queries.ChangeSetGetOpen(ctx, w.tx, item.ID)
	if err != nil {
		return db.Absent(err, nil, "looking for the change set of %s %s", item.Kind, item.Slug)
	}
	return fault.New(fault.Conflict, "The %s %s is in change set %d: take it out first.", item.Kind, item.Slug, set.ID)
}
