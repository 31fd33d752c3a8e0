package media

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/storage"
)

// Served is what an item serves.
type Served struct {
	Item models.GalleryItem
	// Variants are the sizes, the full one first. They are empty while the first
	// sizes are made.
	Variants []models.GalleryRendition
}

var idPattern = regexp.MustCompile(`^[a-z2-7]{10}$`)

// Public returns what the public address of an item serves. An item that is held
// until a release, in the trash or unknown is NotFound; one with sizes that are being
// made is Unavailable.
func (l *Library) Public(ctx context.Context, id string) (Served, error) {
	if !idPattern.MatchString(id) {
		return Served{}, missing()
	}
	load := func(ctx context.Context, id string) (Served, error) { return l.Served(ctx, id) }
	var s Served
	var err error
	if l.served != nil {
		s, err = l.served.Get(ctx, id, load)
	} else {
		s, err = load(ctx, id)
	}
	switch {
	case err != nil:
		return Served{}, err
	case !s.Item.IsPublic || s.Item.TrashedAt != nil:
		return Served{}, missing()
	}
	return s, s.check()
}

// Served returns what an item serves to administrators.
func (l *Library) Served(ctx context.Context, id string) (Served, error) {
	item, err := queries.GalleryItemGet(ctx, l.DB, id)
	if err != nil {
		return Served{}, db.Absent(err, missing(), "reading %s of the gallery", id)
	}
	list, err := queries.GalleryRenditionList(ctx, l.DB, id)
	if err != nil {
		return Served{}, fmt.Errorf("reading the sizes of %s: %w", id, err)
	}
	return Served{Item: item, Variants: list}, nil
}

// check explains why an item serves nothing.
func (s Served) check() error {
	switch {
	case len(s.Variants) > 0:
		return nil
	case s.Item.State == "refused":
		return missing()
	}
	return &fault.Error{Kind: fault.Unavailable, Message: "The image is being prepared. Try again in a moment.", RetryAfter: preparing}
}

// Variant returns a size by its name. Sizes that the item does not have are the next
// larger one.
func (s Served) Variant(name string) models.GalleryRendition {
	best := s.Variants[0]
	for _, v := range s.Variants {
		best = v
		if v.Variant == name {
			break
		}
	}
	if name == "" || name == Full {
		return s.Variants[0]
	}
	return best
}

// ByHash returns the size with bytes that have the hash of an immutable address.
func (s Served) ByHash(hash string) (models.GalleryRendition, bool) {
	for _, v := range s.Variants {
		if len(hash) == content.MediaHashLength && strings.HasPrefix(v.SHA256, hash) {
			return v, true
		}
	}
	return models.GalleryRendition{}, false
}

// Open opens the bytes of a size. The caller closes it.
func (l *Library) Open(ctx context.Context, r models.GalleryRendition) (*storage.File, error) {
	key, err := storage.ParseKey(r.Object)
	if err != nil {
		return nil, fmt.Errorf("reading the key of file %d: %w", r.FileID, err)
	}
	return storage.Open(ctx, l.Store, key)
}

// IsInert reports whether browsers may show a file of a type in place. Others are
// offered for saving.
func IsInert(mimeType string) bool {
	f := formatOf(mimeType)
	return f.kind == Image || f.kind == Video || f.kind == Audio || mimeType == "text/plain"
}
