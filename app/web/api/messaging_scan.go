package api

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/fault"
	"heliograph/app/web"
	webpage "heliograph/app/web/page"
	"heliograph/views/layout"
	"heliograph/views/reader"
)

// Pages serves the addresses of QR codes and of profile pictures. They need no key.
func (m *Messaging) Pages() []web.Route {
	images := messagingImages{codes: m.service.QRCodes, profiles: m.service.Profiles}
	return []web.Route{
		{Name: "qr.image", Method: http.MethodGet, Path: "/qr/:file", Access: web.Public, Handler: images.qrImage},
		{Name: "profile.picture", Method: http.MethodGet, Path: "/pictures/:name", Access: web.Public, Handler: images.profilePicture},
		{Name: "qr.scan", Method: http.MethodGet, Path: "/message/:code", Access: web.Public, Handler: images.scan},
	}
}

// messagingImages serves pictures, and the page that a code opens.
type messagingImages struct {
	codes    *assets.QRCodes
	profiles *assets.Profiles
}

// qrImage serves the stored image of a code. It never changes.
func (m messagingImages) qrImage(c echo.Context) error {
	code, format, _ := strings.Cut(c.Param("file"), ".")
	image, err := m.codes.QRImage(c.Request().Context(), code, format)
	if err != nil {
		return err
	}
	defer image.Close()
	serveImage(c, picture{image, image.ContentType, image.SHA256, image.Modified}, "public, max-age=31536000, immutable")
	return nil
}

// profilePicture serves the picture of a profile. A new one has another address, and a
// removed one has none, so that caches keep it for a day only.
func (m messagingImages) profilePicture(c echo.Context) error {
	image, err := m.profiles.Picture(c.Request().Context(), c.Param("name"))
	if err != nil {
		return err
	}
	defer image.Close()
	serveImage(c, picture{image, image.ContentType, image.SHA256, image.Modified}, "public, max-age=86400")
	return nil
}

// picture is a stored image.
type picture struct {
	io.ReadSeeker
	mimeType, sha256 string
	modified         time.Time
}

// serveImage serves an image, which caches keep as caching says.
func serveImage(c echo.Context, image picture, caching string) {
	header := c.Response().Header()
	header.Set("Content-Type", image.mimeType)
	header.Set("ETag", `"`+image.sha256+`"`)
	header.Set("Cache-Control", caching)
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	http.ServeContent(c.Response(), c.Request(), "", image.modified, image)
}

// scan shows the chat that a code opens: the business and the prefilled message.
func (m messagingImages) scan(c echo.Context) error {
	s, err := m.codes.Scan(c.Request().Context(), c.Param("code"))
	if fault.Is(err, fault.NotFound) {
		c.Response().Header().Set("Cache-Control", "no-store")
	}
	if err != nil {
		return err
	}
	view := reader.ScanPage{
		Page: layout.Page{Title: "Message " + s.Name}, Name: s.Name, Number: s.Number, Message: s.Message,
	}
	return webpage.Render(c, http.StatusOK, webpage.View{Frame: view.Page, Body: reader.Scan(view)})
}
