package api

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/fault"
	"heliograph/app/web"
	webpage "heliograph/app/web/page"
	"heliograph/views/layout"
	"heliograph/views/portal"
)

// Pages serves the addresses of QR codes. They need no key.
func (m *Messaging) Pages() []web.Route {
	return []web.Route{
		{Name: "qr.image", Method: http.MethodGet, Path: "/qr/:file", Access: web.Public, Handler: m.qrImage},
		{Name: "qr.scan", Method: http.MethodGet, Path: "/message/:code", Access: web.Public, Handler: m.scan},
	}
}

// qrImage serves the stored image of a code. It never changes.
func (m *Messaging) qrImage(c echo.Context) error {
	code, format, _ := strings.Cut(c.Param("file"), ".")
	image, err := m.service.QRImage(c.Request().Context(), code, format)
	if err != nil {
		return err
	}
	defer image.Close()
	header := c.Response().Header()
	header.Set("Content-Type", image.ContentType)
	header.Set("ETag", `"`+image.SHA256+`"`)
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	http.ServeContent(c.Response(), c.Request(), "", image.Modified, image)
	return nil
}

// scan shows the chat that a code opens: the business and the prefilled message.
func (m *Messaging) scan(c echo.Context) error {
	s, err := m.service.Scan(c.Request().Context(), c.Param("code"))
	if fault.Is(err, fault.NotFound) {
		c.Response().Header().Set("Cache-Control", "no-store")
	}
	if err != nil {
		return err
	}
	view := portal.ScanPage{
		Page: layout.Page{Title: "Message " + s.Name}, Name: s.Name, Number: s.Number, Message: s.Message,
	}
	return webpage.Render(c, http.StatusOK, webpage.View{Frame: view.Page, Body: portal.Scan(view)})
}
