package reader

import (
	"bytes"
	"context"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// regions lists the parts of pages that are cached beside whole pages. A
// request for any other part receives the main part, so that a page has few
// variants.
var regions = map[ui.Region]bool{ui.Main: true, ui.List: true, ui.Samples: true, ui.Groups: true, ui.NavGroups: true}

// cached returns the region that a request asks for, one of regions; empty for
// a whole page. The response names the element that it replaces if that is
// another one.
func cached(c echo.Context) ui.Region {
	asked := page.CachedRegion(c)
	if asked != "" && !regions[asked] {
		page.Retarget(c, ui.Main)
		return ui.Main
	}
	return asked
}

// draw renders a page or a region of it.
func draw(ctx context.Context, v page.View, region ui.Region) ([]byte, error) {
	var body bytes.Buffer
	var err error
	if region == "" {
		err = layout.Document(v.Frame, v.Body).Render(ctx, &body)
	} else {
		_, err = v.Write(ctx, &body, region)
	}
	return bytes.Clone(body.Bytes()), err
}
