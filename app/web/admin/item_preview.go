package admin

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/web/page"
	view "heliograph/views/admin"
	"heliograph/views/ui"
)

// rendered names the field of a kind that readers see as a text, empty for kinds
// without one.
func rendered(kind string) string {
	return map[string]string{
		content.KindGuide: "text", content.KindProduct: "description", content.KindVersion: "description", content.KindCategory: "description",
		content.KindEndpoint: "purpose", content.KindCallback: "purpose",
	}[kind]
}

// shownOf is the text of a form as readers will see it.
func shownOf(publicURL, kind string, values map[string]string) view.Shown {
	text := strings.ReplaceAll(values[rendered(kind)], "\r\n", "\n")
	s := view.Shown{Title: cmp.Or(values["title"], values["name"]), Lead: values["summary"]}
	if kind == content.KindGuide {
		html, _ := markdown.RenderPage(strings.ReplaceAll(text, openapi.ExampleURL, publicURL), "")
		s.Text = ui.HTML(html)
	} else {
		s.Text = ui.HTML(markdown.Render(text))
	}
	return s
}

// PreviewItem shows the text of a form as readers will see it. Nothing is saved.
func (h *Handlers) PreviewItem(c echo.Context) error {
	e, err := OpenItem(c, h.DB)
	if err != nil {
		return err
	}
	if err := e.guard(); err != nil {
		return err
	}
	t, err := readTyped(c, h.DB, e)
	if err != nil {
		return err
	}
	t.shown = true
	return h.renderItem(c, http.StatusOK, e, t)
}

// PreviewNew is PreviewItem for an item that is not saved yet.
func (h *Handlers) PreviewNew(c echo.Context) error {
	e, err := h.adding(c)
	if err != nil {
		return err
	}
	t, err := readTyped(c, h.DB, e)
	if err != nil {
		return err
	}
	t.problems = &page.Problems{}
	return h.renderNew(c, http.StatusOK, e, t)
}
