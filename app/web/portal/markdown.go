package portal

import "github.com/labstack/echo/v4"

// markdownType is the content type of pages as Markdown (RFC 7763).
const markdownType = "text/markdown; charset=UTF-8"

// unlisted asks search engines to index a page rather than its text.
func unlisted(c echo.Context) { c.Response().Header().Set("X-Robots-Tag", "noindex") }
