// Package theme serves the pages on which Super Admins set the themes of the surfaces,
// and the style sheets and pictures that these publish.
package theme

import (
	"net/http"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/media"
	"heliograph/app/documentation/published"
	rule "heliograph/app/operation/theme"
	"heliograph/app/web/page"
	view "heliograph/views/operation/theme"
	"heliograph/views/ui"
)

// Handlers answers the routes.
type Handlers struct {
	Themes        *rule.Themes
	Documentation *published.Documentation
	// Gallery has pictures to choose from; nil has none.
	Gallery *media.Library
	// Reader makes the page of the documentation at a path.
	Reader func(r *http.Request, now *published.Snapshot, path string) (page.View, error)
	// Open answers the request with the page at a path, and Components with the page of all
	// components.
	Open       func(c echo.Context, path string) error
	Components echo.HandlerFunc
}

const (
	// Path is the address of the list of surfaces.
	Path = "/admin/themes"
	// BodyLimit is the largest form, with its pictures, in bytes.
	BodyLimit = 4*rule.MaxPicture + 256<<10
)

var (
	names = map[rule.Surface]string{rule.Public: "Public portal", rule.Organisation: "Organisations", rule.Administration: "Administration"}
	leads = map[rule.Surface]string{
		rule.Public:         "What every reader sees. The name reaches emails, pictures of links, llms.txt and assistants too.",
		rule.Organisation:   "The pages of partners: signing in, registration and the account. What is empty here comes from the public portal, except for colours.",
		rule.Administration: "The pages of administrators. What is empty here comes from the public portal, except for colours.",
	}
)

func address(s rule.Surface) string { return Path + "/" + string(s) }

// Index lists the surfaces.
func (h *Handlers) Index(c echo.Context) error {
	p := view.IndexPage{Frame: page.AdministrationFrame(c, "Themes", Path)}
	for _, s := range rule.Surfaces {
		draft, err := h.Themes.Load(c.Request().Context(), s)
		if err != nil {
			return err
		}
		state, err := stateOf(c, h.Themes, s, draft)
		if err != nil {
			return err
		}
		p.Surfaces = append(p.Surfaces, view.SurfaceCard{
			Label: names[s], Summary: leads[s], Href: address(s), Tone: state.Tone, State: state.Label, Note: state.Note, Palette: palette(draft.Document),
		})
	}
	return page.Render(c, http.StatusOK, page.View{Frame: p.Page, Body: view.Index(p)})
}

// palette returns the colours of a theme that say most about it.
func palette(d rule.Document) (p view.Palette) {
	for _, name := range []string{"paper", "raised", "text", "soft", "signal", "amber"} {
		p.Light = append(p.Light, d.Color(rule.Light, name))
		p.Dark = append(p.Dark, d.Color(rule.Dark, name))
	}
	return p
}

// stateOf says what is shown of a surface, and what is prepared.
func stateOf(c echo.Context, themes *rule.Themes, s rule.Surface, draft rule.Draft) (view.State, error) {
	if draft.Version > 0 {
		note := "Saved " + humanize.Time(draft.UpdatedAt)
		if draft.Author != "" {
			note += " by " + draft.Author
		}
		return view.State{
			Tone: ui.Warn, Label: "Draft", Note: note + ". Not published.",
			Publish: address(s) + "/publication", Discard: address(s) + "/discard",
		}, nil
	}
	newest, err := themes.History(c.Request().Context(), s, 1)
	if err != nil {
		return view.State{}, err
	}
	if len(newest) == 0 || newest[0].Document.IsDefault() {
		return view.State{Label: "Default", Note: "The default theme is shown."}, nil
	}
	return view.State{Tone: ui.Good, Label: "Published", Note: "Revision " + itoa(newest[0].Number) + ", " + stamp(newest[0].CreatedAt) + "."}, nil
}

func stamp(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// author returns the user as the author of a change.
func author(c echo.Context) rule.Author {
	user := page.User(c)
	return rule.Author{ID: user.ID, Actor: user.Actor()}
}

// done holds the messages after an action.
var done = map[string]string{
	"saved":     "The draft is saved. It is not published yet.",
	"published": "The theme is published. Every page shows it from its next load.",
	"discarded": "The draft is discarded.",
	"restored":  "The revision is published again.",
	"reset":     "The default theme is published.",
	"imported":  "The file is the draft now. It is not published yet.",
}
