package media

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	view "heliograph/views/documentation/media"
	"heliograph/views/ui"
)

// PickPath is where an editor chooses an image for a text.
const PickPath = Path + "/choice"

// maxPicks is how many images the choice shows at once. Others are found by their name.
const maxPicks = 24

// picking is what the choice of an image shows besides the images.
type picking struct {
	text    string // that is searched for
	problem string // of the new file
	image   models.GalleryItem
	field   ui.Input // the description of the image
	picked  string
}

// Pick shows images to choose from, or one that was added and is to be described.
func (h *Handlers) Pick(c echo.Context) error {
	asked, err := page.Ask[struct {
		Text  string `query:"q"`
		Image string `query:"image"`
	}](c)
	if err != nil {
		return err
	}
	p := picking{text: asked.Text}
	if asked.Image != "" {
		if p, err = h.describing(c, asked.Image); err != nil {
			return err
		}
	}
	return h.renderPick(c, http.StatusOK, p)
}

// PickNew adds an image of a text, and describes it: the file comes first, its
// description beside the image afterwards. A program may send both at once. The image
// waits for the release that uses it.
func (h *Handlers) PickNew(c echo.Context) error {
	f, list, err := receiveFiles(c, h.Library, form{held: true, kind: media.Image})
	if err != nil {
		return err
	}
	switch {
	case len(list) > 0 && list[0].err != nil:
		return h.renderPick(c, http.StatusUnprocessableEntity, picking{problem: fault.As(list[0].err).Message})
	case len(list) > 0:
		h.Signals.Add(topic, 0)
		f.image = list[0].added.ID
	case f.image == "":
		return h.renderPick(c, http.StatusUnprocessableEntity, picking{problem: "Choose an image."})
	}
	p, err := h.describing(c, f.image)
	if err != nil {
		return err
	}
	if p.image.Alt == "" && (len(list) == 0 || strings.TrimSpace(f.alt) != "") {
		if err := h.Library.Describe(c.Request().Context(), actor(c), f.image, f.alt); err != nil {
			if !isRefusal(err) {
				return err
			}
			p.field.Value, p.field.Error = f.alt, fault.As(err).Message
			for _, wrong := range fault.As(err).Fields {
				p.field.Error = wrong.Message
			}
			return h.renderPick(c, http.StatusUnprocessableEntity, p)
		}
		p.image.Alt = f.alt
	}
	if p.image.Alt != "" { // also if the gallery had the image already, with its description
		p = picking{picked: markdownOf(p.image)}
	}
	return h.renderPick(c, http.StatusOK, p)
}

// describing asks for the description of an image. A refused one gives way to another.
func (h *Handlers) describing(c echo.Context, id string) (picking, error) {
	item, err := h.Library.Item(c.Request().Context(), id)
	switch {
	case err != nil:
		return picking{}, err
	case item.Kind != media.Image || item.TrashedAt != nil:
		return picking{}, fault.New(fault.NotFound, "There is no such image to describe.")
	case item.State == "refused" && item.SHA256 == "":
		return picking{problem: item.Problem}, nil
	}
	return picking{image: item, field: ui.Input{
		Name: "alt", Label: "What the image tells", Required: true, Value: media.SuggestAlt(item.Name),
		Hint: "One sentence for readers who do not see it.",
	}}, nil
}

func (h *Handlers) renderPick(c echo.Context, status int, a picking) error {
	f := queries.GalleryFilter{Text: strings.TrimSpace(a.text), Kind: media.Image, FolderID: queries.AnyFolder}
	rows, err := queries.GalleryItemList(c.Request().Context(), h.DB, f, maxPicks)
	if err != nil {
		return err
	}
	p := view.PickPage{
		Frame: page.AdministrationFrame(c, "Choose an image", Path), Action: PickPath, Picked: a.picked,
		Find:   ui.Input{Name: "q", Label: "Find an image", Type: "search", Value: a.text, Unmarked: true},
		Accept: "image/*", Hint: "You can also drop or paste an image into the text.", Problem: a.problem,
	}
	if a.image.ID != "" {
		p.New, p.NewID, p.Shown = &view.Described{Picture: smallOf(a.image), Field: a.field}, a.image.ID, PickPath+"?image="+a.image.ID
	}
	p.Up = ui.Link{Label: heading, Href: Path}
	if p.Empty = "The gallery has no image yet."; f.Text != "" {
		p.Empty = "No image has this name or description."
	}
	for _, item := range rows {
		if item.Alt == "" || item.Thumbnail == "" {
			continue // it cannot be used yet
		}
		p.Images = append(p.Images, view.Pick{Link: ui.Link{Label: item.Name, Href: itemPath(item.ID)}, Picture: contentPath(item, item.Thumbnail), Alt: item.Alt, Text: markdownOf(item)})
	}
	v := page.View{Frame: p.Page, Body: view.ChooseImage(p)}
	if status != http.StatusOK {
		v.Region = view.PickRegion
	}
	return page.Render(c, status, v)
}
