package media

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/media/picture"
	"heliograph/app/fault"
	"heliograph/app/operation/metric"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// Upload is a file that arrives.
type Upload struct {
	Name     string // as the browser gives it
	Body     io.Reader
	FolderID int64  // 0 for the top
	Alt      string // of an image; may be added later
	// Held keeps the file from the public until a release uses it.
	Held bool
	// Kind is the only kind that is taken; empty for all.
	Kind string
}

// Added is the outcome of an upload.
type Added struct {
	ID   string
	Name string
	Kind string
	// Same is true if the gallery has the same bytes already. ID is their item, and
	// nothing was added.
	Same bool
}

// pixelHead is how much of an image is read for the number of its pixels, in bytes.
const pixelHead = 256 << 10

// received is a file that is stored and that nothing refers to yet.
type received struct {
	format  format
	name    string
	object  storage.Object
	variant picture.Variant // of what is served as it is stored
	source  string          // SHA-256 of the uploaded bytes
}

// Add stores a file as a new item. Files that cannot be accepted are Invalid or
// TooLarge, with a message about the file.
func (l *Library) Add(ctx context.Context, by Actor, u Upload) (Added, error) {
	file, err := l.receive(ctx, u)
	if err != nil {
		count(file, false, err)
		return Added{}, err
	}
	added := Added{ID: newID(), Name: file.name, Kind: file.format.kind}
	err = db.InTx(ctx, l.DB, func(tx pgx.Tx) error {
		same, err := queries.GalleryItemFindSame(ctx, tx, file.source)
		if err != nil {
			return fmt.Errorf("looking for the same file: %w", err)
		}
		if len(same) > 0 {
			added = Added{ID: same[0].ID, Name: same[0].Name, Kind: same[0].Kind, Same: true}
			return nil
		}
		if err := checkFolder(ctx, tx, u.FolderID); err != nil {
			return err
		}
		item := models.GalleryItem{ID: added.ID, FolderID: u.FolderID, Name: file.name, Kind: file.format.kind, Alt: cleanAlt(u.Alt), IsPublic: !u.Held}
		if err := writes.GalleryItemInsert(ctx, tx, item, by.ID); err != nil {
			return fmt.Errorf("adding a file to the gallery: %w", err)
		}
		if err := l.attach(ctx, tx, by, added.ID, file); err != nil {
			return err
		}
		return record(ctx, tx, by, "media.add", added.ID, map[string]any{"name": file.name, "type": file.format.mimeType, "bytes": file.object.Size, "sha256": file.source})
	})
	if err != nil || added.Same {
		l.discard(ctx, file.object.Key)
	}
	count(file, added.Same, err)
	return added, err
}

// Replace gives an item new bytes of the same kind. Its address stays. Readers get
// them at once, images as soon as their sizes are made; until then they get the old
// ones.
func (l *Library) Replace(ctx context.Context, by Actor, id string, u Upload) (Added, error) {
	item, err := l.Item(ctx, id)
	if err != nil {
		return Added{}, err
	}
	if item.TrashedAt != nil {
		return Added{}, fault.New(fault.Conflict, "The file is in the trash. Restore it first.")
	}
	file, err := l.receive(ctx, u)
	if err != nil {
		count(file, false, err)
		return Added{}, err
	}
	added := Added{ID: id, Name: item.Name, Kind: item.Kind}
	err = db.InTx(ctx, l.DB, func(tx pgx.Tx) error {
		if file.format.kind != item.Kind {
			return fault.New(fault.Invalid, "The item is %s and the new file is %s. Upload it as a new file.", withArticle(item.Kind), withArticle(file.format.kind))
		}
		if err := writes.GalleryItemLock(ctx, tx, id); err != nil {
			return fmt.Errorf("locking %s of the gallery: %w", id, err)
		}
		same, err := queries.GalleryItemFindSame(ctx, tx, file.source)
		if err != nil {
			return fmt.Errorf("looking for the same file: %w", err)
		}
		if len(same) > 0 {
			added = Added{ID: same[0].ID, Name: same[0].Name, Kind: same[0].Kind, Same: true}
			return nil
		}
		file.name = withExtension(item.Name, file.format)
		if err := l.attach(ctx, tx, by, id, file); err != nil {
			return err
		}
		return record(ctx, tx, by, "media.replace", id, map[string]any{"name": file.name, "type": file.format.mimeType, "bytes": file.object.Size, "sha256": file.source, "before": item.SHA256})
	})
	if err != nil || added.Same {
		l.discard(ctx, file.object.Key)
	}
	count(file, added.Same, err)
	return added, err
}

// count counts a file that arrived. Errors of the program are none of its outcomes.
func count(file received, same bool, err error) {
	switch {
	case err == nil && same:
		metric.Filed(file.format.kind, "same", 0)
	case err == nil:
		metric.Filed(file.format.kind, "stored", file.object.Size)
	case fault.Is(err, fault.Invalid), fault.Is(err, fault.TooLarge), fault.Is(err, fault.Conflict):
		metric.Filed(file.format.kind, "refused", 0)
	}
}

func withArticle(kind string) string {
	if kind == Image || kind == Audio {
		return "an " + kind
	}
	return "a " + kind
}

// attach adds a file to an item, which serves it now or, for an image, once its
// sizes are made.
func (l *Library) attach(ctx context.Context, tx pgx.Tx, by Actor, id string, file received) error {
	row := models.GalleryFile{ItemID: id, State: "ready", MIMEType: file.format.mimeType, SourceSHA256: file.source, CreatedBy: by.ID}
	if file.format.isRaster() {
		row.State, row.Object = "waiting", file.object.Key.String()
	}
	fileID, err := writes.GalleryFileInsert(ctx, tx, row)
	if err != nil {
		return fmt.Errorf("adding a file to the gallery: %w", err)
	}
	if err := errands.DiscardKeep(ctx, tx, file.object.Key.String()); err != nil {
		return err
	}
	if file.format.isRaster() {
		if _, err := l.Jobs.InsertTx(ctx, tx, args.PrepareMedia{FileID: fileID}, nil); err != nil {
			return fmt.Errorf("queueing the sizes of an image: %w", err)
		}
		return nil
	}
	if err := writes.GalleryRenditionInsert(ctx, tx, rendition(fileID, file.variant, file.object)); err != nil {
		return fmt.Errorf("adding a file to the gallery: %w", err)
	}
	return writes.GalleryItemServe(ctx, tx, id, fileID, file.name)
}

// receive stores the body of an upload.
func (l *Library) receive(ctx context.Context, u Upload) (file received, err error) {
	limits, err := l.Limits.Media(ctx)
	if err != nil {
		return file, err
	}
	body := bufio.NewReaderSize(u.Body, pixelHead)
	head, err := body.Peek(headSize)
	if len(head) == 0 {
		if err != nil && !errors.Is(err, io.EOF) {
			return file, err
		}
		return file, fault.New(fault.Invalid, "The file is empty. Choose one with content.")
	}
	if file.format, err = detect(u.Name, head); err != nil {
		return file, err
	}
	if u.Kind != "" && file.format.kind != u.Kind {
		return file, fault.New(fault.Invalid, "Choose %s. The file is %s.", withArticle(u.Kind), withArticle(file.format.kind))
	}
	file.name = fileName(u.Name, file.format)
	hash := sha256.New()
	limit := file.format.limit(limits)
	options := storage.PutOptions{ContentType: file.format.mimeType, Limit: limit}
	switch {
	case file.format.mimeType == svg:
		err = l.receiveDrawing(ctx, &file, io.TeeReader(body, hash))
	case file.format.isRaster():
		head, _ = body.Peek(pixelHead) // an error comes again below
		if err = picture.CheckHeader(head, file.format.mimeType); err == nil {
			file.object, err = l.put(ctx, storage.UploadKey, io.TeeReader(body, hash), options)
		}
	default:
		file.variant = picture.Variant{Name: Full, MIMEType: file.format.mimeType}
		file.object, err = l.put(ctx, storage.GalleryKey, io.TeeReader(body, hash), options)
	}
	file.source = hex.EncodeToString(hash.Sum(nil))
	return file, refusal(err, limit)
}

// receiveDrawing rebuilds an SVG document and stores the result.
func (l *Library) receiveDrawing(ctx context.Context, file *received, body io.Reader) error {
	source, err := io.ReadAll(io.LimitReader(body, picture.MaxSVG+1))
	if err != nil {
		return err
	}
	drawing, err := picture.RebuildSVG(source)
	if err != nil {
		return err
	}
	file.variant = picture.Variant{Name: Full, MIMEType: svg, Width: drawing.Width, Height: drawing.Height}
	file.object, err = l.put(ctx, storage.GalleryKey, bytes.NewReader([]byte(drawing.Text)), storage.PutOptions{ContentType: svg})
	return err
}

// refusal turns the error of one file into a fault about it.
func refusal(err error, limit int64) error {
	var known picture.Problem
	switch {
	case errors.As(err, &known):
		return fault.New(fault.Invalid, "%s", known)
	case fault.Is(err, fault.TooLarge):
		return fault.New(fault.TooLarge, "The file is larger than %s, the limit for its type. Make it smaller, or ask a Super Admin to raise the limit.", humanize.IBytes(uint64(limit)))
	}
	return err
}
