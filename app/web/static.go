package web

import (
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/page"
	"heliograph/static"
)

// files holds each static file by its path once it was asked for. There
// are as many as files, so it is bounded.
var files sync.Map

func serveStatic(c echo.Context) error { return serveFile(c, c.Request().URL.Path) }

// serveFavicon answers browsers that ask without reading the page first.
func serveFavicon(c echo.Context) error { return serveFile(c, static.Prefix+"img/favicon.svg") }

func serveFile(c echo.Context, name string) error {
	content, ok := files.Load(name)
	if !ok {
		asset, ok := static.Open(name)
		if !ok {
			return echo.ErrNotFound
		}
		content = prepareFile(asset)
		files.Store(name, content)
	}
	if isPart(name) {
		page.DropDocumentHeaders(c.Response().Header())
	}
	return content.(*page.Content).Serve(c)
}

func prepareFile(asset static.Asset) *page.Content {
	caching := page.Revalidate
	if asset.Immutable {
		caching = page.Forever
	}
	return page.Prepare(page.File{
		Body: asset.Body, Gzip: asset.Gzip, ContentType: asset.ContentType, ETag: asset.ETag, CacheControl: caching,
	})
}

// isPart reports whether browsers use a file only inside of a page.
func isPart(name string) bool {
	switch path.Ext(name) {
	case ".css", ".js", ".png":
		return true
	default:
		return false
	}
}

const robots = "User-agent: *\nDisallow: /admin\nDisallow: /account\n"

// serveRobots tells crawlers what is not for them, and where the sitemap is on a
// server that has the portal.
func (s *Server) serveRobots(c echo.Context) error {
	text := robots
	if s.deps.Documentation != nil {
		text += "\nSitemap: " + strings.TrimSuffix(s.deps.Config.PublicURL, "/") + "/sitemap.xml\n"
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "public, max-age=3600")
	return c.String(http.StatusOK, text)
}
