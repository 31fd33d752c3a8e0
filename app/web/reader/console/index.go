package console

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	views "heliograph/views/reader/console"
	"heliograph/views/ui"
)

// Index lists the endpoints that can be called. Hidden products are not among them.
func (h *Handlers) Index(c echo.Context) error {
	if err := h.check(); err != nil {
		return err
	}
	frame := h.Frame()
	frame.Title, frame.Description = "API console", "Send calls to published APIs and their mock servers."
	p := views.IndexPage{Page: frame, Versions: h.versions()}
	return page.Render(c, http.StatusOK, page.View{Frame: frame, Body: views.Index(p)})
}

// versions lists what can be called, without hidden products.
func (h *Handlers) versions() (list []views.IndexVersion) {
	for _, product := range h.Documentation.Snapshot().Products {
		if product.Hidden {
			continue
		}
		for _, v := range product.VisibleVersions() {
			at := reference.Place{Product: product, Version: v}
			shown := views.IndexVersion{Title: at.Name(), Open: len(list) == 0}
			for _, op := range v.Endpoints() {
				shown.Endpoints = append(shown.Endpoints, views.IndexEndpoint{
					Method: op.Method, Link: ui.Link{Label: op.Name, Href: h.path + target{Place: at, op: op}.path()},
				})
			}
			if len(shown.Endpoints) > 0 {
				list = append(list, shown)
			}
		}
	}
	return list
}
