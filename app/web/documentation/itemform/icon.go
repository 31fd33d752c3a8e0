package itemform

import (
	"context"

	"heliograph/app/documentation/content"
	"heliograph/app/fault"
	"heliograph/db/models"
	itemsview "heliograph/views/documentation/items"
	"heliograph/views/ui"
)

// Drawings are the drawings of the gallery that can be icons. A *media.Library
// implements it.
type Drawings interface {
	Drawings(ctx context.Context) ([]models.GalleryItem, error)
	Icon(ctx context.Context, id string) (string, error)
}

// IconChoice is the field that takes an icon from the gallery.
const IconChoice = "icon_gallery"

// chooseIcon offers the drawings of the gallery below the icon of a product.
func chooseIcon(ctx context.Context, from Drawings, problem string) (list []itemsview.Entry, err error) {
	if from == nil {
		return nil, nil
	}
	items, err := from.Drawings(ctx)
	if err != nil || len(items) == 0 && problem == "" {
		return nil, err
	}
	entry := itemsview.Entry{
		Name: IconChoice, Label: "Icon from the gallery", Kind: "choice", Error: problem, Options: []ui.Option{{Label: "Keep the icon above"}},
		Hint: "Saving the draft copies the drawing into the field above. It stays as it is when the gallery changes.",
	}
	for _, i := range items {
		entry.Options = append(entry.Options, ui.Option{Value: i.ID, Label: i.Name})
	}
	return []itemsview.Entry{entry}, nil
}

// TakeIcon puts the drawing that a form names into its icon.
func TakeIcon(ctx context.Context, from Drawings, kind, id string, values map[string]string) error {
	if id == "" || kind != content.KindProduct || from == nil {
		return nil
	}
	text, err := from.Icon(ctx, id)
	if f := fault.As(err); f != nil && f.Kind != fault.Internal && f.Kind != fault.Unavailable {
		return fault.InvalidFields(fault.Field{Name: IconChoice, Message: f.Message})
	}
	if err != nil {
		return err
	}
	values["icon"] = text
	return nil
}
