package web

import (
	"net/http"
	"strings"
	"sync"

	"github.com/labstack/echo/v4"

	"heliograph/app/web/prepared"
	"heliograph/static"
)

// files holds each static file by its path once it was asked for. There
// are as many as files, so it is bounded.
var files sync.Map

func serveStatic(c echo.Context) error { return serveFile(c, c.Request().URL.Path) }

// serveFavicon answers browsers that ask without reading the page first.
func serveFavicon(c echo.Context) error { return serveFile(c, static.Prefix+"img/favicon.svg") }

func serveFile(c echo.Context, path string) error {
	if content, ok := files.Load(path); ok {
		return content.(*prepared.Content).Serve(c)
	}
	asset, ok := static.Open(path)
	if !ok {
		return echo.ErrNotFound
	}
	caching := prepared.Revalidate
	if asset.Immutable {
		caching = prepared.Forever
	}
	content := prepared.New(prepared.File{
		Body: asset.Body, Gzip: asset.Gzip, ContentType: asset.ContentType, ETag: asset.ETag, CacheControl: caching,
	})
	files.Store(path, content)
	return content.Serve(c)
}

const robots = "User-agent: *\nDisallow: /admin\nDisallow: /account\n"

// serveRobots tells crawlers what is not for them, and where the sitemap is on a
// server that has the portal.
func (s *Server) serveRobots(c echo.Context) error {
	text := robots
	if s.deps.Catalogue != nil {
		text += "\nSitemap: " + strings.TrimSuffix(s.deps.Config.PublicURL, "/") + "/sitemap.xml\n"
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "public, max-age=3600")
	return c.String(http.StatusOK, text)
}
