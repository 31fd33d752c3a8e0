package previews

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/documentation/desk"
	"heliograph/app/web/page"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// previews bounds how often one network may open preview links, each of which costs
// a look-up and a page.
var previews = limit.Limit{Name: "preview_link", Burst: 120, Period: 15 * time.Minute}

// Open shows the draft of a preview link as readers will see it, to anyone who
// has the link. Once the draft is published, it redirects to the page of readers.
func (h *Handlers) Open(c echo.Context) error {
	r := c.Request()
	header := c.Response().Header()
	page.NoStore(header)
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Robots-Tag", "noindex")
	if err := h.Limiter.Take(r.Context(), previews, limit.Client(c.RealIP())); err != nil {
		return err
	}
	p, err := editorial.OpenPreviewLink(r.Context(), h.DB, c.Param("token"))
	if err != nil {
		return err
	}
	path, err := h.previewedPath(c, p)
	if err != nil {
		return err
	}
	if p.Live {
		return c.Redirect(http.StatusFound, path)
	}
	now, err := h.Documentation.Preview(r.Context(), []models.Change{p.Change})
	if err != nil {
		return err
	}
	v, err := h.Reader(r, now, path)
	if f := fault.As(err); f != nil && f.Kind == fault.NotFound || published.IsBroken(err) {
		return &fault.Error{
			Kind: fault.NotFound, Title: "Nothing to preview yet",
			Message: "Readers would have no page for this draft: its product or version is not published, or it has an error. Ask the person who sent you the link.",
		}
	}
	if err != nil {
		return err
	}
	if r.Method != http.MethodHead {
		if err := editorial.CountPreview(r.Context(), h.Rules, p.Link.ID); err != nil {
			return err
		}
	}
	v.Frame.Style = "css/area.css" // has the style of the notice
	v.Frame.PreviewUntil = p.Link.ExpiresAt.UTC().Format("2 January 2006, 15:04 UTC")
	return page.Render(c, http.StatusOK, v)
}

// previewedPath is the address at which readers find what a preview link shows.
func (h *Handlers) previewedPath(c echo.Context, p editorial.Preview) (string, error) {
	items, err := queries.EditItemList(c.Request().Context(), h.DB, p.ProductID)
	if err != nil {
		return "", err
	}
	d := desk.Draft{Items: make(map[int64]models.EditItem, len(items))}
	for _, i := range items {
		d.Items[i.ID] = i
	}
	d.Product = d.Items[p.ProductID].Item
	return d.ReaderPath(p.Change), nil
}
