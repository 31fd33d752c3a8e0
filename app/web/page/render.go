package page

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"heliograph/views/layout"
)

// View is one component in two renderings.
type View struct {
	Frame layout.Page
	// Body is the page within its frame.
	Body templ.Component
	// Fragment is the part of Body that htmx swaps in; nil when there is none
	// and every request gets the whole page.
	Fragment templ.Component
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render answers with the whole page, or with its fragment where htmx asked
// for one. Everything is rendered before the first byte is written, so an
// error can still become a proper answer.
func Render(c echo.Context, status int, v View) error {
	component := layout.Document(v.Frame, v.Body)
	if v.Fragment != nil {
		c.Response().Header().Add(echo.HeaderVary, headerRequest)
		if WantsFragment(c) {
			component = v.Fragment
		}
	}
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	buffer.Reset()
	if err := component.Render(withNonce(c), buffer); err != nil {
		return err
	}
	return write(c, status, echo.MIMETextHTMLCharsetUTF8, buffer.Bytes())
}

// JSON answers with v as a JSON document.
func JSON(c echo.Context, status int, contentType string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return write(c, status, contentType, body)
}

// withNonce gives the page a nonce and names it in the policy, so that the
// inline style of a theme can run and nothing that was injected can.
func withNonce(c echo.Context) context.Context {
	nonce := randomText(16)
	c.Response().Header().Set(headerPolicy, policy("'self' 'nonce-"+nonce+"'"))
	return templ.WithNonce(c.Request().Context(), nonce)
}

// write sends a body that was made for this request, compressed when that is
// worth it. Tokens within it are masked anew each time, so that compression
// tells nothing about them.
func write(c echo.Context, status int, contentType string, body []byte) error {
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, contentType)
	header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if len(body) >= worthCompressing && acceptsGzip(c.Request()) {
		zipped := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(zipped)
		zipped.Reset()
		if err := compress(zipped, body); err != nil {
			return err
		}
		header.Set(echo.HeaderContentEncoding, "gzip")
		body = zipped.Bytes()
	}
	header.Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	c.Response().WriteHeader(status)
	if c.Request().Method == http.MethodHead {
		return nil
	}
	_, err := c.Response().Write(body)
	return err
}
