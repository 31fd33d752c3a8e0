package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/media/picture"
	"heliograph/app/fault"
	"heliograph/app/operation/metric"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/db/queries/errands"
	"heliograph/storage"
)

// prepareAttempts is how often the sizes of an image are tried. One that ends its worker
// each time is refused then.
const prepareAttempts = 4

// Prepare makes the sizes of a waiting image, and has its item serve them. attempt counts
// from 1. finish is called in the transaction of the effect. A file that is gone or ready
// is left alone.
func (l *Library) Prepare(ctx context.Context, fileID int64, attempt int, finish func(pgx.Tx) error) error {
	if attempt > prepareAttempts {
		return l.refuse(ctx, fileID, "The sizes of the image could not be made in time. Export it again, or use a smaller one.", finish)
	}
	file, err := queries.GalleryFileGet(ctx, l.DB, fileID)
	if db.IsNoRows(err) || err == nil && file.State != "waiting" {
		return db.InTx(ctx, l.DB, finish)
	}
	if err != nil {
		return fmt.Errorf("reading file %d of the gallery: %w", fileID, err)
	}
	began := time.Now()
	list, err := l.sizes(ctx, file)
	metric.Sized(time.Since(began))
	var known picture.Problem
	switch {
	case errors.As(err, &known):
		return l.refuse(ctx, fileID, string(known), finish)
	case fault.Is(err, fault.NotFound):
		return l.refuse(ctx, fileID, "The uploaded file was lost before its sizes were made. Upload it again.", finish)
	case err != nil:
		return err
	}
	stored := make([]models.GalleryRendition, 0, len(list))
	for _, v := range list {
		object, err := l.put(ctx, storage.GalleryKey, bytes.NewReader(v.Body), storage.PutOptions{ContentType: v.MIMEType, Size: int64(len(v.Body))})
		if err != nil {
			return fmt.Errorf("storing a size of file %d: %w", fileID, err)
		}
		stored = append(stored, rendition(fileID, v, object))
	}
	return db.InTx(ctx, l.DB, func(tx pgx.Tx) error { return l.serve(ctx, tx, file, stored, finish) })
}

// sizes decodes an upload and encodes its sizes.
func (l *Library) sizes(ctx context.Context, file models.GalleryFile) ([]picture.Variant, error) {
	key, err := storage.ParseKey(file.Object)
	if err != nil {
		return nil, err
	}
	source, err := storage.Open(ctx, l.Store, key)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	return picture.Make(ctx, source, file.MIMEType)
}

// serve makes an item serve the sizes of a file.
func (l *Library) serve(ctx context.Context, tx pgx.Tx, file models.GalleryFile, list []models.GalleryRendition, finish func(pgx.Tx) error) error {
	if err := writes.GalleryItemLock(ctx, tx, file.ItemID); db.IsNoRows(err) {
		return finish(tx) // deleted meanwhile; its objects are listed for removal
	} else if err != nil {
		return fmt.Errorf("locking %s of the gallery: %w", file.ItemID, err)
	}
	item, err := queries.GalleryItemGet(ctx, tx, file.ItemID)
	if err != nil {
		return fmt.Errorf("reading %s of the gallery: %w", file.ItemID, err)
	}
	waiting, err := writes.GalleryFileUpdateReady(ctx, tx, file.ID)
	if err != nil || !waiting {
		return errors.Join(err, finish(tx))
	}
	for _, r := range list {
		if err := errands.DiscardKeep(ctx, tx, r.Object); err != nil {
			return err
		}
		if err := writes.GalleryRenditionInsert(ctx, tx, r); err != nil {
			return fmt.Errorf("adding a size of file %d: %w", file.ID, err)
		}
	}
	if err := writes.GalleryItemServe(ctx, tx, file.ItemID, file.ID, withExtension(item.Name, formatOf(list[0].MIMEType))); err != nil {
		return fmt.Errorf("serving file %d: %w", file.ID, err)
	}
	return finish(tx)
}

// refuse ends a waiting file when its sizes cannot be made. What its item served before
// stays.
func (l *Library) refuse(ctx context.Context, fileID int64, why string, finish func(pgx.Tx) error) error {
	return db.InTx(ctx, l.DB, func(tx pgx.Tx) error {
		if _, err := writes.GalleryFileUpdateRefused(ctx, tx, fileID, why); err != nil {
			return fmt.Errorf("refusing file %d: %w", fileID, err)
		}
		return finish(tx)
	})
}

// withExtension gives a name an extension of a format.
func withExtension(name string, f format) string {
	extension := strings.ToLower(path.Ext(name))
	if len(f.extensions) == 0 || slices.Contains(f.extensions, extension) {
		return name
	}
	return strings.TrimSuffix(name, path.Ext(name)) + f.extensions[0]
}
