// Package portal serves the public documentation: the homepage and the pages
// of products, versions, endpoints, callbacks and schemas.
//
// A page depends on what is published and on the language and the server that
// the reader takes samples in (choice.go), and on nothing else: not on who
// asks, no session, no database. So it is made by the first request for it in a
// snapshot of the catalogue, kept compressed and shared by everybody
// (cache.go). One handler, Serve, answers all routes. A page has one file, with
// a pure function that builds its view from the catalogue.
//
// Every field has an address: the fragment of its page, as in
// send-message#body.to.phone, which browsers open by themselves. The query
// ?field=body.to.phone says the same to the server. It renders what a large
// page leads to only, and says where a field that is gone would be.
//
// Where the specification leaves it open:
//
//   - A product that is coming soon has a small page and no versions, whatever
//     was published of it. A hidden product has all of its pages; they ask not
//     to be indexed and no other page leads to them.
//   - The webhooks of a contract have pages among those of its endpoints: they
//     are listed and counted apart, and have payloads in place of calls
//     (callback.go).
//   - The canonical address of an endpoint is that of the same endpoint in the
//     latest version, while it is there. Overviews of versions stand for
//     themselves.
//   - Every page of the reference and every guide is there as Markdown, too, at
//     its address with .md at the end (markdown.go).
//   - The address that a product, version, endpoint, callback or guide had before
//     an editor moved it redirects for good, also with .md at its end (moved.go).
//   - /docs and /docs/:product/latest redirect for the time being, as do other
//     spellings of a version and operationIds (moved.go). The sitemap lists the
//     pages that are their own canonical address (sitemap.go).
//   - A server on localhost, or one without a host, is this installation and
//     is shown at its public address: a contract does not know where it will
//     be published.
package portal

import (
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"heliograph/app/catalogue"
	"heliograph/app/limit"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps is what the pages are made of.
type Deps struct {
	// Catalogue is what is published.
	Catalogue *catalogue.Catalogue
	// PublicURL is where visitors reach the portal, without a path.
	PublicURL string
	// Limiter counts the requests for pages that show one field.
	Limiter *limit.Limiter
}

// Pages answers with the documentation. Use New.
type Pages struct {
	catalogue *catalogue.Catalogue
	url       string
	fields    *meter
	kept      *cache
	current   atomic.Pointer[site]
}

// New makes the pages. Nothing is rendered until somebody asks for it.
func New(deps Deps) *Pages {
	return &Pages{catalogue: deps.Catalogue, url: strings.TrimSuffix(deps.PublicURL, "/"), fields: newMeter(deps.Limiter, fieldPages), kept: newCache()}
}

// Serve answers GET and HEAD of /, /sitemap.xml, /docs, /docs/:product, /docs/:product/:version,
// /docs/:product/:version/:endpoint and /docs/:product/:version/schemas/:schema,
// with 404 and the way to the nearest page where there is none. Addresses that
// readers guess, such as /docs and /docs/:product/latest, lead to what they mean.
func (p *Pages) Serve(c echo.Context) error {
	s := p.site()
	r := c.Request()
	source, ok := s.find(r.URL.Path)
	if !ok {
		if to := s.moved(r.URL.Path); to != "" {
			return redirect(c, http.StatusMovedPermanently, to)
		}
		if to := s.meant(c); to != "" {
			return redirect(c, http.StatusTemporaryRedirect, to)
		}
		return s.missing(c)
	}
	wish := source.read(r)
	if wish.field != "" {
		if err := p.fields.take(r.Context(), limit.Client(c.RealIP())); err != nil {
			return err
		}
		header := c.Response().Header()
		header.Set(echo.HeaderCacheControl, page.CacheRevalidate)
		header.Add(echo.HeaderVary, echo.HeaderCookie)
		view, err := source.view(r.Context(), s, wish)
		if err != nil {
			return s.failed(c, source, err)
		}
		return page.Render(c, http.StatusOK, view)
	}
	at := address{path: r.URL.Path, source: source, choice: wish.choice}
	if !source.isFile() {
		at.region = cached(c)
	}
	content, err := p.content(r.Context(), s, at)
	if err != nil {
		return s.failed(c, source, err)
	}
	if source.text {
		unlisted(c)
	}
	return content.Serve(c)
}

// Frame is the frame of a page that belongs to no product and to nobody: with
// the way to every product, without that to an account.
func (p *Pages) Frame() layout.Page {
	f := p.site().frame(nil)
	f.Account, f.AccountFrom = ui.Link{}, ""
	return f
}

// site returns what the pages of now are made of.
func (p *Pages) site() *site {
	now := p.catalogue.Snapshot()
	s := p.current.Load()
	if s == nil || s.snapshot != now {
		s = newSite(now, p.url)
		p.current.Store(s)
	}
	return s
}
