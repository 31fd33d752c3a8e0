// Package media serves files of the gallery at their public addresses.
package media

import (
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/media"
	"heliograph/app/fault"
	"heliograph/app/web/page"
	"heliograph/db/models"
)

// The paths of the public addresses.
const (
	Path      = "/media/:id/:name"
	FixedPath = "/media/:id/:hash/:name"
)

// policy lets nothing that a file contains run or load.
const policy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

// Handlers answers the public addresses.
type Handlers struct{ Library *media.Library }

// Show serves the current bytes of an item, in the size of the query. Caches ask
// each time whether they are still current.
func (h *Handlers) Show(c echo.Context) error {
	served, err := h.Find(c)
	if fault.Is(err, fault.NotFound) && fromAdministration(c) {
		return c.Redirect(http.StatusFound, "/admin/media/items/"+url.PathEscape(c.Param("id"))+"/content")
	}
	if err != nil {
		return err
	}
	if c.Param("name") != served.Item.Name {
		return h.current(c, served.Item)
	}
	return Send(c, h.Library, File{Rendition: served.Variant(c.QueryParam("size")), Name: served.Item.Name, Caching: page.Revalidate})
}

// ShowFixed serves the bytes with the hash of the address, which never change. Where
// the item has other bytes now, it leads to them.
func (h *Handlers) ShowFixed(c echo.Context, served media.Served) error {
	found, ok := served.ByHash(c.Param("hash"))
	if !ok {
		return h.current(c, served.Item)
	}
	return Send(c, h.Library, File{Rendition: found, Name: served.Item.Name, Caching: page.Forever})
}

// Find returns the file of the path.
func (h *Handlers) Find(c echo.Context) (media.Served, error) {
	served, err := h.Library.Public(c.Request().Context(), c.Param("id"))
	if err != nil {
		page.NoStore(c.Response().Header()) // it may be there in a moment
	}
	return served, err
}

// fromAdministration reports whether a page of the administration shows the file, such
// as the preview of a draft. Its session decides about files that wait for a release.
func fromAdministration(c echo.Context) bool {
	from, err := url.Parse(c.Request().Referer())
	return err == nil && strings.HasPrefix(from.Path, "/admin/") && from.Host == c.Request().Host
}

// current leads to the current address of an item.
func (h *Handlers) current(c echo.Context, item models.GalleryItem) error {
	address := content.MediaAddress(item.ID, item.Name)
	if query := c.Request().URL.RawQuery; query != "" {
		address += "?" + query
	}
	c.Response().Header().Set(echo.HeaderCacheControl, page.Revalidate)
	return c.Redirect(http.StatusFound, address)
}

// File is what Send serves.
type File struct {
	Rendition models.GalleryRendition
	Name      string
	Caching   string // Cache-Control
}

// Send streams a file, or the ranges of it that were asked for (RFC 9110, 14). A
// browser that opens it runs nothing, and saves what is not inert.
func Send(c echo.Context, l *media.Library, f File) error {
	body, err := l.Open(c.Request().Context(), f.Rendition)
	if fault.Is(err, fault.NotFound) { // replaced since the row was read
		page.NoStore(c.Response().Header())
	}
	if err != nil {
		return err
	}
	defer body.Close()
	disposition := "inline"
	if !media.IsInert(f.Rendition.MIMEType) {
		disposition = "attachment"
	}
	contentType := f.Rendition.MIMEType
	if contentType == "text/plain" {
		contentType = "text/plain; charset=UTF-8"
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, contentType)
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType(disposition, map[string]string{"filename": f.Name}))
	header.Set("ETag", `"`+f.Rendition.SHA256+`"`)
	header.Set(echo.HeaderCacheControl, f.Caching)
	header.Set("Content-Security-Policy", policy)
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if unit, _, _ := strings.Cut(c.Request().Header.Get("Range"), "="); unit != "" && unit != "bytes" {
		c.Request().Header.Del("Range") // of an unknown unit, which is to be ignored (RFC 9110, 14.2)
	}
	c.Response().Before(func() { // the library names the size for ranges beyond it alone
		if c.Response().Status == http.StatusRequestedRangeNotSatisfiable {
			header.Set("Content-Range", "bytes */"+strconv.FormatInt(f.Rendition.Size, 10))
		}
	})
	http.ServeContent(page.Paced(c.Response()), c.Request(), "", body.Modified, body)
	return nil
}
