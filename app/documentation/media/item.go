package media

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
)

// preparing is after which time an image that is being prepared may be asked for
// again.
const preparing = 2 * time.Second

const maxAlt = 500 // characters

// Details are what can be changed of an item.
type Details struct {
	Name     string // without a change of the extension
	Alt      string // required for images
	FolderID int64
}

// Update renames, describes and moves an item. Its address stays: the old name leads
// to the new one. Invalid input names its fields.
func (l *Library) Update(ctx context.Context, by Actor, id string, d Details) error {
	return db.InTx(ctx, l.DB, func(tx pgx.Tx) error {
		item, err := lock(ctx, tx, id)
		if err != nil {
			return err
		}
		after := item
		if after.Name, err = rename(item.Name, d.Name); err != nil {
			return err
		}
		if after.Alt = cleanAlt(d.Alt); after.Alt == "" && item.Kind == Image {
			return fault.InvalidFields(fault.Field{Name: "alt", Message: "Describe what the image shows, for readers who do not see it."})
		}
		if len([]rune(after.Alt)) > maxAlt {
			return fault.InvalidFields(fault.Field{Name: "alt", Message: "Enter at most 500 characters."})
		}
		if after.FolderID = d.FolderID; d.FolderID != item.FolderID {
			if err := checkFolder(ctx, tx, d.FolderID); err != nil {
				return err
			}
		}
		if after == item {
			return nil
		}
		if _, err := writes.GalleryItemUpdate(ctx, tx, after); err != nil {
			return fmt.Errorf("changing %s of the gallery: %w", id, err)
		}
		return record(ctx, tx, by, "media.update", id, map[string]any{
			"before": map[string]any{"name": item.Name, "alt": item.Alt, "folder": item.FolderID},
			"after":  map[string]any{"name": after.Name, "alt": after.Alt, "folder": after.FolderID},
		})
	})
}

// Describe sets the alternative text of an image.
func (l *Library) Describe(ctx context.Context, by Actor, id, alt string) error {
	item, err := l.Item(ctx, id)
	if err != nil {
		return err
	}
	return l.Update(ctx, by, id, Details{Name: item.Name, Alt: alt, FolderID: item.FolderID})
}

// lock returns an item that is not in the trash, locked.
func lock(ctx context.Context, tx pgx.Tx, id string) (models.GalleryItem, error) {
	err := writes.GalleryItemLock(ctx, tx, id)
	if err != nil {
		return models.GalleryItem{}, db.Absent(err, missing(), "locking %s of the gallery", id)
	}
	item, err := queries.GalleryItemGet(ctx, tx, id)
	if err != nil {
		return item, fmt.Errorf("reading %s of the gallery: %w", id, err)
	}
	if item.TrashedAt != nil {
		return item, fault.New(fault.Conflict, "The file is in the trash. Restore it first.")
	}
	return item, nil
}

// rename returns a new name with the extension of the old one.
func rename(old, given string) (string, error) {
	given = strings.TrimSpace(given)
	extension := path.Ext(old)
	if given == old {
		return old, nil
	}
	if len([]rune(given)) > maxName {
		return "", fault.InvalidFields(fault.Field{Name: "name", Message: "Enter at most 120 characters."})
	}
	stem := given
	if strings.EqualFold(path.Ext(given), extension) {
		stem = given[:len(given)-len(extension)]
	} else if other := path.Ext(given); other != "" && len(other) <= 6 && !strings.Contains(other, " ") {
		return "", fault.InvalidFields(fault.Field{Name: "name", Message: "The name must end with " + extension + ". The type of a file changes when the file is replaced."})
	}
	name := slug(stem, "")
	if name == "" {
		return "", fault.InvalidFields(fault.Field{Name: "name", Message: "Enter a name of letters and digits, such as delivery-flow" + extension + "."})
	}
	return name + extension, nil
}

// cleanAlt makes a text one line.
func cleanAlt(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// Publish makes a held item public before a release does.
func (l *Library) Publish(ctx context.Context, by Actor, id string) error {
	return db.InTx(ctx, l.DB, func(tx pgx.Tx) error {
		if _, err := lock(ctx, tx, id); err != nil {
			return err
		}
		changed, err := writes.GalleryItemPublish(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("publishing %s of the gallery: %w", id, err)
		}
		if !changed {
			return nil
		}
		return record(ctx, tx, by, "media.publish", id, nil)
	})
}
