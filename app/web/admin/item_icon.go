package admin

import (
	"context"

	"heliograph/app/documentation/content"
	"heliograph/app/fault"
	"heliograph/db/models"
	"heliograph/views/ui"

	view "heliograph/views/admin"
)

// drawings are the drawings of the gallery that can be icons. A *media.Library
// implements it.
type drawings interface {
	Drawings(ctx context.Context) ([]models.GalleryItem, error)
	Icon(ctx context.Context, id string) (string, error)
}

// iconChoice is the field that takes an icon from the gallery.
const iconChoice = "icon_gallery"

// chooseIcon offers the drawings of the gallery below the icon of a product.
func chooseIcon(ctx context.Context, from drawings, problem string) (list []view.Entry, err error) {
	if from == nil {
		return nil, nil
	}
	items, err := from.Drawings(ctx)
	if err != nil || len(items) == 0 && problem == "" {
		return nil, err
	}
	entry := view.Entry{
		Name: iconChoice, Label: "Icon from the gallery", Kind: "choice", Error: problem, Options: []ui.Option{{Label: "Keep the icon above"}},
		Hint: "Saving the draft copies the drawing into the field above. It stays as it is when the gallery changes.",
	}
	for _, i := range items {
		entry.Options = append(entry.Options, ui.Option{Value: i.ID, Label: i.Name})
	}
	return []view.Entry{entry}, nil
}

// takeIcon puts the drawing that a form names into its icon.
func takeIcon(ctx context.Context, from drawings, kind, id string, values map[string]string) error {
	if id == "" || kind != content.KindProduct || from == nil {
		return nil
	}
	text, err := from.Icon(ctx, id)
	if f := fault.As(err); f != nil && f.Kind != fault.Internal && f.Kind != fault.Unavailable {
		return fault.InvalidFields(fault.Field{Name: iconChoice, Message: f.Message})
	}
	if err != nil {
		return err
	}
	values["icon"] = text
	return nil
}
