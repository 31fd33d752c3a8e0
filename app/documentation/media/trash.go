package media

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// Uses returns the pages that have items in their published revision or in their
// draft.
func (l *Library) Uses(ctx context.Context, ids ...string) ([]models.GalleryUse, error) {
	list, err := queries.GalleryUseList(ctx, l.DB, ids)
	if err != nil {
		return nil, fmt.Errorf("looking for pages that use files: %w", err)
	}
	return list, nil
}

// Trash puts an item into the trash, so that its address serves nothing. It is
// refused while a published page uses the item.
func (l *Library) Trash(ctx context.Context, by Actor, id string) error {
	return db.InTx(ctx, l.DB, func(tx pgx.Tx) error {
		item, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := checkUnused(ctx, tx, []string{id}); err != nil {
			return err
		}
		if _, err := writes.GalleryItemUpdateTrashed(ctx, tx, []string{id}, true); err != nil {
			return fmt.Errorf("moving %s to the trash: %w", id, err)
		}
		return record(ctx, tx, by, "media.trash", id, map[string]any{"name": item.Name})
	})
}

// checkUnused refuses items that published pages use.
func checkUnused(ctx context.Context, q db.Querier, ids []string) error {
	list, err := queries.GalleryUseList(ctx, q, ids)
	if err != nil {
		return fmt.Errorf("looking for pages that use files: %w", err)
	}
	var titles []string
	for _, u := range list {
		if u.IsLive {
			titles = append(titles, u.Title)
		}
	}
	if len(titles) == 0 {
		return nil
	}
	const shown = 5
	more := ""
	if len(titles) > shown {
		more = fmt.Sprintf(" and %d more", len(titles)-shown)
	}
	return fault.New(fault.Conflict, "Published pages use it: %s%s. Remove it from them first, or replace the file.", strings.Join(titles[:min(shown, len(titles))], ", "), more)
}

// Restore takes an item out of the trash. It is at the top of the gallery then.
func (l *Library) Restore(ctx context.Context, by Actor, id string) error {
	return db.InTx(ctx, l.DB, func(tx pgx.Tx) error {
		n, err := writes.GalleryItemUpdateTrashed(ctx, tx, []string{id}, false)
		if err != nil {
			return fmt.Errorf("restoring %s: %w", id, err)
		}
		if n == 0 {
			return missing()
		}
		return record(ctx, tx, by, "media.restore", id, nil)
	})
}

// EmptyTrash deletes everything in the trash, and returns the number of items.
func (l *Library) EmptyTrash(ctx context.Context, by Actor) (n int64, err error) {
	err = db.InTx(ctx, l.DB, func(tx pgx.Tx) error {
		if n, err = writes.GalleryItemDeleteTrashed(ctx, tx, time.Now().Add(time.Minute)); err != nil {
			return fmt.Errorf("emptying the trash of the gallery: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: by.Name, Action: "media.empty_trash", Target: "media", Details: map[string]any{"files": n}})
	})
	return n, err
}

// maxWaiting is how long the sizes of an image may take. After that its job counts
// as cancelled.
const maxWaiting = 24 * time.Hour

// Sweep deletes what has been in the trash for longer than KeepTrash, and refuses
// images if their sizes were not made within a day.
func (l *Library) Sweep(ctx context.Context, now time.Time) error {
	if _, err := writes.GalleryItemDeleteTrashed(ctx, l.DB, now.Add(-KeepTrash)); err != nil {
		return fmt.Errorf("sweeping the trash of the gallery: %w", err)
	}
	stuck, err := queries.GalleryFileListWaiting(ctx, l.DB, now.Add(-maxWaiting))
	if err != nil {
		return fmt.Errorf("looking for images that wait: %w", err)
	}
	for _, id := range stuck {
		if err := l.refuse(ctx, id, "The sizes of the image were not made within a day. Upload it again.", func(pgx.Tx) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}
