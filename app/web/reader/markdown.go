package reader

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/reference"
)

// markdownType is the content type of pages as Markdown (RFC 7763).
const markdownType = "text/markdown; charset=UTF-8"

// homeTextPath is the path of the homepage as Markdown.
const homeTextPath = "/index.md"

// unlisted asks search engines to index a page rather than its text.
func unlisted(c echo.Context) { c.Response().Header().Set("X-Robots-Tag", "noindex") }

// isNegotiated reports whether Accept chooses between the page and its text. A
// comparison has its forms at addresses of their own.
func (f found) isNegotiated() bool {
	_, compared := f.source.(compareSource)
	return f.page != nil && !compared
}

// textPath returns the path of a page as Markdown by its path.
func textPath(path string) string {
	if path == Home.path {
		return homeTextPath
	}
	return reference.TextPath(path)
}

// prefersMarkdown reports whether a client accepts Markdown, and HTML at most as much
// (RFC 9110, 12.5.1). Wildcards do not count: browsers send them.
func prefersMarkdown(r *http.Request) bool {
	accept := strings.ToLower(strings.Join(r.Header["Accept"], ","))
	if !strings.Contains(accept, "markdown") {
		return false
	}
	weight := func(wanted string) float64 {
		for item := range strings.SplitSeq(accept, ",") {
			kind, parameters, _ := strings.Cut(item, ";")
			if strings.TrimSpace(kind) != wanted {
				continue
			}
			for p := range strings.SplitSeq(parameters, ";") {
				if q, ok := strings.CutPrefix(strings.TrimSpace(p), "q="); ok {
					value, err := strconv.ParseFloat(q, 64)
					if err != nil {
						return 0
					}
					return value
				}
			}
			return 1
		}
		return 0
	}
	markdown := weight("text/markdown")
	return markdown > 0 && markdown >= weight("text/html")
}
