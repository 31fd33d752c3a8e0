package portal

import (
	"bytes"
	"context"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// regions are the parts of pages that are kept beside whole pages. Any other
// part that is asked for is the main part, so that a page has few answers.
var regions = map[ui.Region]bool{ui.Main: true, ui.Samples: true, ui.Groups: true}

// cached is the region that a request asks for, one of regions; empty for a whole
// page. The answer names the element that it replaces where that is another.
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
