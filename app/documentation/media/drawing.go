package media

import (
	"context"
	"fmt"
	"io"

	"heliograph/app/documentation/content"
	"heliograph/app/fault"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// drawingsShown is how many drawings are offered as icons, the newest first.
const drawingsShown = 200

// maxDrawing is more than the bytes of an icon, so that one that is too large says so.
const maxDrawing = 64 << 10

// Drawings lists the SVG drawings of the gallery, which may be icons.
func (l *Library) Drawings(ctx context.Context) (list []models.GalleryItem, err error) {
	items, err := queries.GalleryItemList(ctx, l.DB, queries.GalleryFilter{Kind: Image, FolderID: queries.AnyFolder}, drawingsShown)
	if err != nil {
		return nil, fmt.Errorf("listing the drawings of the gallery: %w", err)
	}
	for _, i := range items {
		if i.FileID != 0 && i.MIMEType == svg {
			list = append(list, i)
		}
	}
	return list, nil
}

// Icon returns the text of a drawing that can be an icon. Its reader has a copy, which
// stays as it is when the gallery changes, as revisions do.
func (l *Library) Icon(ctx context.Context, id string) (string, error) {
	served, err := l.Served(ctx, id)
	if err != nil {
		return "", err
	}
	if served.Item.TrashedAt != nil || len(served.Variants) == 0 || served.Variants[0].MIMEType != svg {
		return "", fault.New(fault.Invalid, "This file cannot be an icon. Choose an SVG drawing.")
	}
	file, err := l.Open(ctx, served.Variants[0])
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(file, maxDrawing))
	if err != nil {
		return "", fmt.Errorf("reading %s of the gallery: %w", id, err)
	}
	if _, err := content.ReadIcon(string(text)); err != nil {
		return "", fault.New(fault.Invalid, "The drawing cannot be an icon: %v.", err)
	}
	return string(text), nil
}
