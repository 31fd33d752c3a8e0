package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// View is a page with its frame. Regions of the body, written within a ui.Part, can
// be rendered alone.
type View struct {
	Frame layout.Page
	// Body is the page within its frame.
	Body templ.Component
	// Address is the address of a filtered list without empty fields. If it is
	// empty, the address of the request is used.
	Address string
	// Region overrides the region that htmx asked for. It is usually empty.
	Region ui.Region
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Render responds with the whole page or, if htmx asked for a region, with that
// region and the changed parts of the frame: title, navigation and notices. A page
// without the region responds with its main part. Everything is rendered before
// the first byte is written, so that an error can still be shown.
func Render(c echo.Context, status int, v View) error {
	c.Response().Header().Add(echo.HeaderVary, VaryFragment)
	if visit, _ := c.Get(visitKey).(*visit); visit != nil {
		v.Frame.Token = Token(c)
		if v.Frame.Brand == nil && visit.gate.brand != nil {
			v.Frame.Brand = visit.gate.brand()
		}
		if visit.user != nil {
			v.Frame.Stream = visit.stream()
		}
	}
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	buffer.Reset()
	ctx := withNonce(c)
	trial, forTrial := ctx.Value(trialKey{}).(Trial)
	if forTrial {
		trial.apply(c.Response().Header(), &v.Frame)
	}
	if forTrial || !WantsFragment(c) {
		v.Frame.Announcement = ""
		if err := layout.Document(v.Frame, v.Body).Render(ctx, buffer); err != nil {
			return err
		}
		return write(c, status, echo.MIMETextHTMLCharsetUTF8, buffer.Bytes())
	}
	element, err := v.Write(ctx, buffer, cmp.Or(v.Region, Target(c)))
	if err != nil {
		return err
	}
	if element != ui.Main && v.Frame.Announcement != "" && !IsLive(c) {
		if err := layout.Announcer(v.Frame.Announcement).Render(ctx, buffer); err != nil {
			return err
		}
	}
	place(c, status, element)
	// A refresh may arrive after the reader has gone to another page.
	if v.Address != "" && element == ui.List && !IsLive(c) {
		c.Response().Header().Set(headerReplaceURL, v.Address)
	}
	return write(c, status, echo.MIMETextHTMLCharsetUTF8, buffer.Bytes())
}

// Write writes the region for an element with the changed parts of the frame, or the
// main part if the page does not have the region. It returns the replaced element.
func (v View) Write(ctx context.Context, buffer *bytes.Buffer, element ui.Region) (ui.Region, error) {
	element, err := v.renderRegion(ctx, buffer, element)
	if err != nil {
		return element, err
	}
	regions := beside(element, v.Frame)
	if len(regions) == 0 {
		return element, nil
	}
	body := v.Body
	if element != ui.Main {
		body = templ.NopComponent // the regions beside other parts are in the frame itself
	}
	return element, templ.RenderFragments(ctx, buffer, layout.Document(v.Frame, body), regions...)
}

// renderRegion writes the region for an element, which is named by the region or
// by its Of an item, and returns the element that is replaced.
func (v View) renderRegion(ctx context.Context, buffer *bytes.Buffer, element ui.Region) (ui.Region, error) {
	key, _, _ := strings.Cut(string(element), "-")
	for _, region := range []ui.Region{element, ui.Region(key)} {
		if err := templ.RenderFragments(ctx, buffer, v.Body, region); err != nil || buffer.Len() > 0 {
			return element, err
		}
	}
	err := templ.RenderFragments(ctx, buffer, v.Body, ui.Main)
	if err == nil && buffer.Len() == 0 {
		err = errors.New("the page has no main part")
	}
	return ui.Main, err
}

// beside lists the regions of the frame that go with a part of the page.
func beside(element ui.Region, frame layout.Page) (regions []any) {
	switch {
	case element == ui.Main && frame.IsPublic():
		return []any{ui.Title, ui.Canonical, ui.Alternate, ui.Accent, ui.Places, ui.Nav, ui.Scope, ui.Flash}
	case element == ui.Main:
		return []any{ui.Title, ui.Canonical, ui.Sections, ui.Flash, ui.Toasts}
	case element == ui.List, frame.Live != "" && element == frame.Live:
		regions = []any{ui.Title}
	}
	if frame.Done != "" {
		regions = append(regions, ui.Flash, ui.Toasts)
	}
	return regions
}

// Fragment responds with a component at an address that only htmx requests.
func Fragment(c echo.Context, status int, component templ.Component) error {
	c.Response().Header().Add(echo.HeaderVary, VaryFragment)
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	buffer.Reset()
	if err := component.Render(withNonce(c), buffer); err != nil {
		return err
	}
	return write(c, status, echo.MIMETextHTMLCharsetUTF8, buffer.Bytes())
}

// JSON responds with v as a JSON document.
func JSON(c echo.Context, status int, contentType string, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return write(c, status, contentType, body)
}

// withNonce adds a nonce to the page and to its policy, so that the inline style of
// a theme is allowed and injected code is not.
func withNonce(c echo.Context) context.Context {
	nonce := randomText(16)
	c.Response().Header().Set(headerPolicy, policy("'self' 'nonce-"+nonce+"'"))
	return templ.WithNonce(c.Request().Context(), nonce)
}

// write sends a body, compressed if it is large enough. Tokens in the body differ
// each time, so that compression does not reveal them.
func write(c echo.Context, status int, contentType string, body []byte) error {
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, contentType)
	header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	if len(body) >= worthCompressing && acceptsGzip(c.Request()) {
		zipped := buffers.Get().(*bytes.Buffer)
		defer buffers.Put(zipped)
		zipped.Reset()
		if err := Compress(zipped, body); err != nil {
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
