package published

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// galleryChanges are the notifications after which the images of pages may be others.
var galleryChanges = []string{"changed:gallery_items", "changed:gallery_renditions"}

// pictured returns a snapshot with the current images of its pages, the same one if
// nothing changed. old is the snapshot that readers get now.
func pictured(ctx context.Context, q db.Querier, next, old *Snapshot) (*Snapshot, error) {
	rows, err := queries.GalleryPictureList(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("reading the images of pages: %w", err)
	}
	pictures := map[string][]models.GalleryPicture{}
	for _, row := range rows {
		pictures[row.ID] = append(pictures[row.ID], row)
	}
	if next == old {
		if maps.EqualFunc(pictures, old.Pictures, slices.Equal) {
			return old, nil
		}
		changed := *old
		next = &changed
		next.Stamp = stamps.Add(1)
	}
	next.Pictures = pictures
	return next, nil
}
