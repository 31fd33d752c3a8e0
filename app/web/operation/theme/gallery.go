package theme

import (
	"context"
	"fmt"
	"io"

	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	rule "heliograph/app/operation/theme"
	"heliograph/db/models"
	documentationqueries "heliograph/db/queries/documentation"
	"heliograph/views/ui"
)

// galleryShown is how many pictures of the gallery a form offers, the newest first.
const galleryShown = 200

// pictureChoices lists the pictures of the gallery that can be a logo or an icon.
func pictureChoices(ctx context.Context, gallery *media.Library) ([]ui.Option, error) {
	if gallery == nil {
		return nil, nil
	}
	items, err := documentationqueries.GalleryItemList(ctx, gallery.DB, documentationqueries.GalleryFilter{Kind: "image", FolderID: documentationqueries.AnyFolder}, galleryShown)
	if err != nil {
		return nil, err
	}
	var list []ui.Option
	for _, i := range items {
		if i.FileID != 0 && isLogo(i.MIMEType) {
			list = append(list, ui.Option{Value: i.ID, Label: i.Name})
		}
	}
	return list, nil
}

func isLogo(mimeType string) bool { return mimeType == "image/png" || mimeType == "image/svg+xml" }

// takePicture copies a picture of the gallery and returns its name among the pictures of themes. A copy
// stays as it is when the gallery changes, as revisions do.
func takePicture(ctx context.Context, gallery *media.Library, themes *rule.Themes, field, id string) (string, error) {
	refused := fault.InvalidFields(fault.Field{Name: field, Message: "This picture cannot be used: choose a PNG or SVG of at most 200 kB."})
	if gallery == nil {
		return "", refused
	}
	served, err := gallery.Served(ctx, id)
	if err != nil {
		return "", err
	}
	for _, size := range served.Variants {
		if isLogo(size.MIMEType) && size.Size <= rule.MaxPicture && served.Item.TrashedAt == nil {
			return copyPicture(ctx, gallery, themes, field, size)
		}
	}
	return "", refused
}

func copyPicture(ctx context.Context, gallery *media.Library, themes *rule.Themes, field string, size models.GalleryRendition) (string, error) {
	file, err := gallery.Open(ctx, size)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // it was only read
	body, err := io.ReadAll(io.LimitReader(file, rule.MaxPicture+1))
	if err != nil {
		return "", fmt.Errorf("reading a picture of the gallery: %w", err)
	}
	return themes.Upload(ctx, field, body)
}
