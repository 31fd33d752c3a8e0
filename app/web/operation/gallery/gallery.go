// Package gallery serves the gallery of components, in development alone. Its
// patterns work on deliveries and a note in memory, which everybody shares.
package gallery

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/labstack/echo/v4"

	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	"heliograph/db"
	view "heliograph/views/gallery"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// The source that the gallery shows.
var (
	//go:embed list.go
	listSource string
	//go:embed note.go
	noteSource string
)

// Deps holds the dependencies of the handlers.
type Deps struct {
	Limiter *limit.Limiter
	Signals *db.Signals // notifies open pages; may be nil
}

// Handlers answers the routes under /ui.
type Handlers struct {
	Deps

	mu         sync.Mutex
	deliveries []delivery // oldest first
	note       string
	revision   int
}

type delivery struct {
	id            int
	to, at, state string
}

// The states of deliveries.
const (
	waiting   = "waiting"
	delivered = "delivered"
)

// New makes the handlers, with 120 deliveries.
func New(deps Deps) *Handlers {
	h := &Handlers{Deps: deps, note: "Ask Asha about the rates.", revision: 1}
	for i := range 120 {
		d := delivery{id: i + 1, to: fmt.Sprintf("+9198123%05d", 7919*(i+1)%100000), at: fmt.Sprintf("%02d:%02d", 8+i/60, i%60), state: delivered}
		if i%4 == 3 {
			d.state = waiting
		}
		h.deliveries = append(h.deliveries, d)
	}
	return h
}

const path = "/ui"

func frame(c echo.Context, title string) layout.Frame {
	return layout.Frame{
		Page: layout.Page{Title: title, HasNav: true}, Area: ui.Link{Label: "Components", Href: path}, Heading: title, CSRF: page.Token(c),
		Sections: view.Sections(),
	}
}

// Show shows the gallery.
func (h *Handlers) Show(c echo.Context) error {
	return h.render(c, 200, page.View{}, noteForm{problems: &page.Problems{}})
}

// render shows the gallery with the note as it was sent. The view has the region
// and the message of an action; both may be missing.
func (h *Handlers) render(c echo.Context, status int, v page.View, sent noteForm) error {
	p := view.Page{Frame: frame(c, "Components")}
	if page.Target(c) == ui.Main {
		p.Handlers = sources // highlighting them takes longer than everything else
	}
	p.Done = v.Frame.Done
	var err error
	if p.Deliveries, v.Address, err = h.list(c); err != nil {
		return err
	}
	p.Announcement = p.Deliveries.Announcement()
	p.Advance = ui.Post{Action: path + "/advance", CSRF: p.CSRF, Label: "Deliver the next one", Into: ui.List}
	p.Note = h.noteView(p.CSRF, sent)
	v.Frame, v.Body = p.Page, view.Gallery(p)
	return page.Render(c, status, v)
}

// sources holds the source of the handlers by pattern.
var sources = map[string]string{
	"actions":   view.Function(listSource, "func (h *Handlers) Advance("),
	"forms":     view.Function(noteSource, "func (h *Handlers) SaveNote("),
	"conflicts": view.Function(noteSource, "func (h *Handlers) save(") + "\n\n" + view.Function(noteSource, "func (h *Handlers) noteView("),
	"lists":     view.Function(listSource, "func (h *Handlers) list("),
	"rows":      view.Function(listSource, "func addRows("),
	"updates":   view.Function(listSource, "func live(") + "\n\n" + view.Function(listSource, "func (h *Handlers) notify("),
	"details":   view.Function(listSource, "func (h *Handlers) Delivery("),
	"questions": view.Function(listSource, "func (h *Handlers) AskRemove(") + "\n\n" + view.Function(listSource, "func (h *Handlers) Remove("),
}

// find returns the place of the delivery of the path.
func (h *Handlers) find(c echo.Context) int {
	return slices.IndexFunc(h.deliveries, func(d delivery) bool { return strconv.Itoa(d.id) == c.Param("id") })
}
