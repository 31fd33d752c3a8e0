package media

import (
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/setting"
	"heliograph/app/web/page"
	"heliograph/views/ui"

	view "heliograph/views/documentation/media"
)

// limitsInput is the form of the limits in megabytes.
type limitsInput struct {
	Image    string `form:"image"`
	Video    string `form:"video"`
	Audio    string `form:"audio"`
	Document string `form:"document"`
}

// Limits answers the routes of the settings of the gallery.
type Limits struct{ Options }

// NewLimits returns the handlers of the settings.
func NewLimits(o Options) *Limits { return &Limits{o} }

// Show shows the limits of files.
func (h *Limits) Show(c echo.Context) error {
	v, err := h.Settings.Saved().Media(c.Request().Context())
	if err != nil {
		return err
	}
	text := func(n int64) string { return strconv.FormatInt(n>>20, 10) }
	return h.render(c, http.StatusOK, limitsInput{text(v.Image), text(v.Video), text(v.Audio), text(v.Document)}, &page.Problems{})
}

// Save changes the limits of files.
func (h *Limits) Save(c echo.Context, in limitsInput) error {
	if err := h.Settings.SaveMedia(c.Request().Context(), setting.MediaChange(in), page.User(c).Actor()); err != nil {
		return page.Again(c, err, func(status int, problems *page.Problems) error { return h.render(c, status, in, problems) })
	}
	return page.Done(c, settingsPath, "saved")
}

func (h *Limits) render(c echo.Context, status int, in limitsInput, problems *page.Problems) error {
	p := view.SettingsPage{Frame: page.AdministrationFrame(c, "Limits of files", Path).Under(heading, Path), Action: settingsPath}
	if c.QueryParam("done") == "saved" {
		p.Done = "The limits are saved. They hold for new files."
	}
	field := func(name, label, value, hint string) ui.Input {
		return ui.Input{Name: name, Label: label, Value: value, Type: "number", Required: true, Hint: hint, Error: problems.Fields[name]}
	}
	p.Fields = []ui.Input{
		field("image", "Images (MiB)", in.Image, "An image may also have at most 25 megapixels, and a drawing 256 KiB."),
		field("video", "Videos (MiB)", in.Video, ""), field("audio", "Audio (MiB)", in.Audio, ""), field("document", "Documents (MiB)", in.Document, ""),
	}
	return page.Render(c, status, page.View{Frame: p.Page, Body: view.Settings(p)})
}
