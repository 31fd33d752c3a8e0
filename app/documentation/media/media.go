// Package media is the gallery of files that editors use in pages. Each item has a
// public address that stays when its bytes are replaced. Images are served only after
// a job has re-encoded them; drawings are rebuilt; everything else is served as it
// came, and inert.
package media

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/media/picture"
	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// KeepTrash is how long a file stays in the trash.
const KeepTrash = 30 * 24 * time.Hour

// maxArrival is how long an upload may take. After that its object counts as left
// behind by a process that died.
const maxArrival = 24 * time.Hour

// The variants of a file.
const (
	Full  = "full"
	Small = "small"
)

// limits tells how large files may be. A *setting.Settings implements it.
type limits interface {
	Media(ctx context.Context) (models.MediaSettings, error)
}

// Options holds the dependencies of a Library.
type Options struct {
	DB       db.Beginner
	Store    storage.Store
	Jobs     args.Inserter // makes sizes; nil where nothing is uploaded
	Limits   limits        // nil where nothing is uploaded
	Listener *db.Listener  // forgets what changed; nil reads the database each time
}

// Library manages the gallery.
type Library struct {
	Options
	Folders *Folders
	served  *db.Cache[string, Served]
}

// servedLife is how long what an address serves is kept in memory, and maxServed how
// many addresses are kept.
const (
	servedLife = time.Minute
	maxServed  = 5000
)

// New returns a library. Call it before Listener.Run.
func New(o Options) *Library {
	l := &Library{Options: o, Folders: &Folders{db: o.DB}}
	if o.Listener != nil {
		l.served = db.NewCache[string, Served](o.Listener, servedLife, maxServed, "gallery_items", "gallery_renditions")
	}
	return l
}

// Actor is the administrator of a change.
type Actor struct {
	ID   int64
	Name string // in the audit
}

// newID returns the id of an item, as addresses have it.
func newID() string { return strings.ToLower(rand.Text()[:10]) }

func missing() error { return fault.New(fault.NotFound, "This file does not exist in the gallery.") }

// Item returns an item, also from the trash.
func (l *Library) Item(ctx context.Context, id string) (models.GalleryItem, error) {
	item, err := queries.GalleryItemGet(ctx, l.DB, id)
	if err != nil {
		return item, db.Absent(err, missing(), "reading %s of the gallery", id)
	}
	return item, nil
}

// put stores a body under a new key. The object is listed for removal until
// errands.DiscardKeep takes it off the list, so that it is removed even if this process dies.
func (l *Library) put(ctx context.Context, key func(string) storage.Key, body io.Reader, o storage.PutOptions) (storage.Object, error) {
	k := key(uuid.NewString())
	if err := errands.DiscardInsert(ctx, l.DB, k.String(), maxArrival); err != nil {
		return storage.Object{}, fmt.Errorf("listing an object: %w", err)
	}
	object, err := l.Store.Put(ctx, k, body, o)
	if err != nil {
		l.discard(ctx, k)
	}
	return object, err
}

// discard removes a listed object now. After an error the sweep of the storage
// removes it later.
func (l *Library) discard(ctx context.Context, key storage.Key) {
	ctx = context.WithoutCancel(ctx)
	if l.Store.Delete(ctx, key) == nil {
		_, _ = errands.DiscardDelete(ctx, l.DB, key.String())
	}
}

func record(ctx context.Context, tx pgx.Tx, by Actor, action, id string, details map[string]any) error {
	return audit.Record(ctx, tx, audit.Entry{Actor: by.Name, Action: action, Target: "media:" + id, Details: details})
}

// rendition describes a stored object in one size.
func rendition(fileID int64, v picture.Variant, object storage.Object) models.GalleryRendition {
	return models.GalleryRendition{
		FileID: fileID, Variant: v.Name, Object: object.Key.String(), MIMEType: v.MIMEType,
		Size: object.Size, SHA256: object.SHA256, Width: v.Width, Height: v.Height,
	}
}
