package media

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db/queries"
	view "heliograph/views/documentation/media"
	"heliograph/views/ui"
)

// PickPath is where an editor chooses an image for a text.
const PickPath = Path + "/choice"

// maxPicks is how many images the choice shows at once. Others are found by their name.
const maxPicks = 24

// picking is what the choice of an image shows besides the images.
type picking struct {
	text   string // that is searched for
	alt    string
	fault  *fault.Error
	picked string
}

// Pick shows images to choose from.
func (h *Handlers) Pick(c echo.Context) error {
	asked, err := page.Ask[struct {
		Text string `query:"q"`
	}](c)
	if err != nil {
		return err
	}
	return h.renderPick(c, http.StatusOK, picking{text: asked.Text})
}

// PickNew adds an image of a text. It waits for the release that uses it.
func (h *Handlers) PickNew(c echo.Context) error {
	f, list, err := receiveFiles(c, h.Library, form{held: true, described: true})
	if err != nil {
		return err
	}
	p := picking{alt: f.alt, fault: fault.New(fault.Invalid, "Choose an image.")}
	if len(list) > 0 {
		h.Signals.Add(topic, 0)
		if p.fault = fault.As(list[0].err); p.fault == nil {
			return h.picked(c, list[0].added.ID, p)
		}
	}
	return h.renderPick(c, http.StatusUnprocessableEntity, p)
}

// picked shows the choice with an image that was just added.
func (h *Handlers) picked(c echo.Context, id string, p picking) error {
	item, err := h.Library.Item(c.Request().Context(), id)
	if err != nil {
		return err
	}
	if item.Alt == "" { // the gallery had the image already, without a description
		if err := h.Library.Describe(c.Request().Context(), actor(c), id, p.alt); err != nil {
			return err
		}
		item.Alt = p.alt
	}
	return h.renderPick(c, http.StatusOK, picking{picked: markdownOf(item)})
}

func (h *Handlers) renderPick(c echo.Context, status int, a picking) error {
	f := queries.GalleryFilter{Text: strings.TrimSpace(a.text), Kind: media.Image, FolderID: queries.AnyFolder}
	rows, err := queries.GalleryItemList(c.Request().Context(), h.DB, f, maxPicks)
	if err != nil {
		return err
	}
	p := view.PickPage{
		Frame: page.AdministrationFrame(c, "Choose an image", Path), Action: PickPath, Picked: a.picked,
		Find: ui.Input{Name: "q", Label: "Find an image", Type: "search", Value: a.text, Unmarked: true},
		Alt:  ui.Input{Name: "alt", Label: "Description of a new image", Value: a.alt, Required: true, Hint: "Say what the image tells, for readers who do not see it."},
		File: ui.Input{Name: "files", Label: "New image", Type: "file", Required: true, Hint: "You can also drop or paste an image into the text."},
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
	if a.fault != nil {
		p.Problem = a.fault.Message
		for _, field := range a.fault.Fields {
			p.Alt.Error, p.Problem = field.Message, ""
		}
	}
	v := page.View{Frame: p.Page, Body: view.ChooseImage(p)}
	if status != http.StatusOK {
		v.Region = view.PickRegion
	}
	return page.Render(c, status, v)
}
