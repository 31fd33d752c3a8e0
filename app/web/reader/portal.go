// Package reader serves the public documentation: the homepage and the pages
// of products, versions, endpoints, callbacks and schemas.
//
// A page depends on the published documentation and on the language and server
// that the reader chose for samples (choice.go). It needs no session and no
// database. The first request for a page renders it. It is then kept compressed
// for all readers (cache.go). Each page has a file with its address, its source and
// a pure function that builds its view from the catalogue.
//
// Every field has an address, the fragment of its page: send-message#body.to.phone.
// Browsers open it without the server. The query ?field=body.to.phone names the
// same field to the server. It shows fields that a large page only links to, and
// the nearest field where the named one does not exist.
//
// Choices where the specification is silent:
//
//   - A product that is coming soon has a small page and no versions, whatever
//     was published of it. A hidden product has all of its pages. Search engines
//     are asked not to index them, and no other page links to them.
//   - The webhooks of a contract have pages like its endpoints. They are listed
//     and counted separately and show payloads instead of calls (callback.go).
//   - The canonical address of an endpoint is the address of the same endpoint in the
//     latest version that has it. Each overview of a version is canonical itself.
//   - Every page of the reference and every guide is also available as Markdown,
//     at its address with .md at the end. Package reference writes it.
//   - The address that a product, version, endpoint, callback or guide had before
//     an editor moved it redirects permanently, also with .md (redirect.go).
//   - /docs and /docs/:product/latest redirect temporarily, as do other spellings
//     of a version and operationIds (redirect.go). The sitemap lists the pages
//     that are canonical themselves (sitemap.go).
//   - Each page that search engines list has a picture for links to it, drawn by
//     package card (card.go). The portal's own picture stands in for it where the
//     storage of files does not answer.
//   - A server on localhost, or one without a host, is this installation. Pages
//     show its public address, since a contract does not know it.
package reader

import (
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/card"
	"heliograph/app/documentation/content"
	"heliograph/app/documentation/published"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	"heliograph/app/web/prepared"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps holds the dependencies of the pages.
type Deps struct {
	// Catalogue holds the published documentation.
	Catalogue *published.Catalogue
	// Cards are the pictures of pages. Without them all pages have the same one.
	Cards *card.Cards
	// PublicURL is the public address of the portal, without a path.
	PublicURL string
	// Brand returns how the pages appear, the same pointer until that changes; nil is
	// the default.
	Brand func() *layout.Brand
	// Limiter counts the requests for pages that show one field.
	Limiter *limit.Limiter
	// Console reports whether readers see the API console. Without it they do not.
	Console func() bool
	// Library returns the language of the client library for a language of samples, an
	// empty one where a product has none. Without it pages show no libraries.
	Library func(p content.Product, samples string) string
}

// Pages serves the documentation. Use New.
type Pages struct {
	catalogue *published.Catalogue
	cards     *card.Cards // nil for one picture of all pages
	url       string
	brand     func() *layout.Brand
	fields    *meter
	files     *meter
	kept      *cache
	console   func() bool
	library   func(p content.Product, samples string) string
	current   atomic.Pointer[site]
}

// New returns the pages. They are rendered when they are first requested.
func New(deps Deps) *Pages {
	shown := deps.Console
	if shown == nil {
		shown = func() bool { return false }
	}
	library := deps.Library
	if library == nil {
		library = func(content.Product, string) string { return "" }
	}
	return &Pages{console: shown, library: library, catalogue: deps.Catalogue, cards: deps.Cards, url: strings.TrimSuffix(deps.PublicURL, "/"), brand: deps.Brand, fields: newMeter(deps.Limiter, fieldPages), files: newMeter(deps.Limiter, fileRequests), kept: newCache()}
}

// Serve handles GET and HEAD of the pages at an address. Where there is no page, it
// responds 404 with links to the nearest ones. Old addresses and addresses that readers
// guess, such as /docs/:product/latest, redirect.
func (p *Pages) Serve(a Address) echo.HandlerFunc {
	return func(c echo.Context) error {
		s := p.site()
		found, ok := a.at(s, c.Param)
		if !ok {
			return s.elsewhere(c)
		}
		return p.show(c, s, found)
	}
}

// Text handles GET and HEAD of a page as Markdown, where no parameter ends its path.
func (p *Pages) Text(a Address) echo.HandlerFunc {
	return func(c echo.Context) error {
		s := p.site()
		src := a.find(s, c.Param)
		if src == nil {
			return s.elsewhere(c)
		}
		return p.show(c, s, found{source: src, text: true})
	}
}

// elsewhere leads to the page that an address meant, or responds 404.
func (s *site) elsewhere(c echo.Context) error {
	if to := movedPath(s, c.Request().URL.Path); to != "" {
		return redirect(c, http.StatusMovedPermanently, to)
	}
	if to := meantPath(c, s); to != "" {
		return redirect(c, http.StatusTemporaryRedirect, to)
	}
	return s.missing(c)
}

// show responds with a page as the request asks for it.
func (p *Pages) show(c echo.Context, s *site, f found) error {
	r := c.Request()
	path := r.URL.Path
	if !f.text && f.isNegotiated() && prefersMarkdown(r) {
		f.text, path = true, textPath(path)
	}
	wish, err := f.read(r)
	if err != nil {
		return s.failed(c, f.where().product, err)
	}
	if wish.filter != "" && page.CachedRegion(c) == ui.NavGroups {
		return s.narrow(c, f.source, wish.filter)
	}
	if wish.field != "" || wish.filter != "" || wish.find != "" {
		return p.showNow(c, s, f.page(), path, wish)
	}
	if f.hasSamples() {
		page.Count(c, page.Counted{Samples: languages[wish.language].Slug})
	}
	return p.serve(c, s, requested{found: f, path: path, choice: wish.choice})
}

// showNow renders a page for one request, since few others ask for the same.
func (p *Pages) showNow(c echo.Context, s *site, src pageSource, path string, wish asked) error {
	r := c.Request()
	if err := p.fields.take(r.Context(), limit.Client(c.RealIP())); err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderCacheControl, prepared.Revalidate)
	header.Add(echo.HeaderVary, echo.HeaderCookie)
	view, err := src.view(r.Context(), s, wish)
	if err != nil {
		return s.failed(c, src.where().product, err)
	}
	view.Frame.Image = s.picture(src, path, view.Frame)
	return page.Render(c, http.StatusOK, view)
}

// Products handles GET and HEAD of addresses that readers guess for the list of products.
func (p *Pages) Products(c echo.Context) error {
	return redirect(c, http.StatusTemporaryRedirect, "/#products")
}

// Frame returns the frame of a page without product. It links to every product,
// and to the account of the user who is signed in.
func (p *Pages) Frame() layout.Page { return p.site().frame(nil) }

// AsksReaders reports whether the page at a path asks whether it helped.
func (p *Pages) AsksReaders(path string) bool {
	found, ok := p.site().find(path)
	if !ok || found.text {
		return false
	}
	switch found.source.(type) {
	case guideSource, operationSource:
		return true
	}
	return false
}

func (p *Pages) appearance() *layout.Brand {
	if p.brand == nil {
		return nil
	}
	return p.brand()
}

// site returns the data that all pages of the current snapshot share.
func (p *Pages) site() *site {
	now := p.catalogue.Snapshot()
	s := p.current.Load()
	if brand, shown := p.appearance(), p.console(); s == nil || s.snapshot != now || s.brand != brand || s.console != shown {
		s = newSite(now, p.url, brand, shown, p.library)
		s.pictured = p.cards != nil
		p.current.Store(s)
	}
	return s
}
