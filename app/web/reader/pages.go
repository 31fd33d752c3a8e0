package reader

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/card"
	"heliograph/app/documentation/content"
	"heliograph/app/documentation/published"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Deps holds the dependencies of the pages.
type Deps struct {
	// Documentation is what is published.
	Documentation *published.Documentation
	// Cards are the pictures of pages. Without them all pages have the same one.
	Cards *card.Cards
	// PublicURL is the public address of the portal, without a path.
	PublicURL string
	// Brand returns how the pages appear, the same pointer until that changes; nil is
	// the default.
	Brand func() *layout.Brand
	// Limiter counts the requests for pages that show one field.
	Limiter *limit.Limiter
	// Counted says that views of pages are counted.
	Counted bool
	// Console reports whether readers see the API console. Without it they do not.
	Console func() bool
	// Library returns the language of the client library for a language of samples, an
	// empty one where a product has none. Without it pages show no libraries.
	Library func(p content.Product, samples string) string
}

// Pages serves the documentation. Use New.
type Pages struct {
	documentation *published.Documentation
	cards         *card.Cards // nil for one picture of all pages
	url           string
	brand         func() *layout.Brand
	fields        *meter
	files         *meter
	kept          *cache
	console       func() bool
	library       func(p content.Product, samples string) string
	counted       bool
	current       atomic.Pointer[site]
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
	return &Pages{
		console:       shown,
		library:       library,
		documentation: deps.Documentation,
		cards:         deps.Cards,
		url:           strings.TrimSuffix(deps.PublicURL, "/"),
		brand:         deps.Brand,
		fields:        newMeter(deps.Limiter, fieldPages),
		files:         newMeter(deps.Limiter, fileRequests),
		kept:          newCache(),
		counted:       deps.Counted,
	}
}

// Serve handles GET and HEAD of the pages at an address. Where there is no page, it
// responds 404 with links to the nearest ones. Old addresses and addresses that readers
// guess, such as /docs/:product/latest, redirect.
func (p *Pages) Serve(a Address) echo.HandlerFunc {
	return func(c echo.Context) error {
		s := p.site()
		found, ok := a.at(s, c)
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
		src := a.find(s, c)
		if src == nil {
			return s.elsewhere(c)
		}
		return p.show(c, s, newFound(src, true))
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
		return p.showNow(c, s, f.page, path, wish)
	}
	if p.counted && wish.sampled && page.IsView(c) {
		page.Count(c, page.Counted{Samples: languages[wish.language].Slug})
	}
	return p.serve(c, s, f, key{path: path, choice: wish.choice})
}

// showNow renders a page for one request, since few others ask for the same.
func (p *Pages) showNow(c echo.Context, s *site, src pageSource, path string, wish asked) error {
	r := c.Request()
	if err := p.fields.take(r.Context(), limit.Client(c.RealIP())); err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderCacheControl, page.Revalidate)
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
	now := p.documentation.Snapshot()
	s := p.current.Load()
	if brand, shown := p.appearance(), p.console(); s == nil || s.snapshot != now || s.brand != brand || s.console != shown {
		s = newSite(now, p.url, brand, shown, p.library)
		s.pictured = p.cards != nil
		p.current.Store(s)
	}
	return s
}

// source is what stands at an address. Each kind of page has a type of its own beside
// the function that builds it. Nothing is read or compiled before a page is rendered.
type source interface {
	// where returns the product and the version of the page, nil where it has none.
	where() place
	// release returns the stamps of what the page shows.
	release(s *site) release
}

// pageSource makes a page, as HTML and as Markdown.
type pageSource interface {
	source
	view(ctx context.Context, s *site, a asked) (page.View, error)
	markdown(ctx context.Context, s *site, c choice) (string, error)
}

// fileSource makes a file, which has one form.
type fileSource interface {
	source
	file(ctx context.Context, s *site) (body []byte, contentType string, err error)
}

// serve responds with a page or a file, or the region of a page that the request asks for.
// The key has the path and the choices.
func (p *Pages) serve(c echo.Context, s *site, f found, k key) error {
	if !f.isFile() {
		k.region = cached(c)
	}
	content, err := p.content(c.Request().Context(), s, f, k)
	if err != nil {
		return s.failed(c, f.where().product, err)
	}
	if f.text {
		unlisted(c)
	}
	return content.Serve(c)
}

// regions lists the parts of pages that are cached beside whole pages. A
// request for any other part receives the main part, so that a page has few
// variants.
var regions = map[ui.Region]bool{ui.Main: true, ui.List: true, ui.Samples: true, ui.Groups: true, ui.NavGroups: true}

// cached returns the region that a request asks for, one of regions; empty for
// a whole page. The response names the element that it replaces if that is
// another one.
func cached(c echo.Context) ui.Region {
	asked := page.CachedRegion(c)
	if asked != "" && !regions[asked] {
		page.Retarget(c, ui.Main)
		return ui.Main
	}
	return asked
}

// content returns a page or a region of it, from the cache if it is there. The key is
// without the release.
func (p *Pages) content(ctx context.Context, s *site, f found, k key) (*page.Content, error) {
	k.release = f.release(s)
	if content := p.kept.find(k); content != nil {
		return content()
	}
	return p.render(ctx, s, f, k)
}

// render renders a page or a region of it into the cache. It is apart from
// content so that a page in the cache costs no closure.
func (p *Pages) render(ctx context.Context, s *site, f found, k key) (*page.Content, error) {
	return p.kept.get(k, func() (page.File, error) {
		file, err := f.render(context.WithoutCancel(ctx), s, k)
		if err != nil {
			return file, fmt.Errorf("rendering %s: %w", k.path, err)
		}
		var varies []string
		if f.hasSamples() {
			varies = append(varies, echo.HeaderCookie)
		}
		if !f.isFile() {
			varies = append(varies, page.VaryFragment)
		}
		if f.isNegotiated() {
			varies = append(varies, echo.HeaderAccept)
		}
		file.Varies = strings.Join(varies, ", ")
		return file, nil
	})
}

func (f found) render(ctx context.Context, s *site, k key) (page.File, error) {
	var body []byte
	contentType := echo.MIMETextHTMLCharsetUTF8
	var err error
	switch {
	case f.page == nil:
		body, contentType, err = f.source.(fileSource).file(ctx, s)
	case f.text:
		var text string
		text, err = f.page.markdown(ctx, s, k.choice)
		body, contentType = []byte(text), markdownType
	default:
		body, err = s.html(ctx, f.page, k)
	}
	if err != nil {
		return page.File{}, err
	}
	return pack(body, contentType)
}

// html returns a page or a region of it as HTML.
func (s *site) html(ctx context.Context, src pageSource, k key) ([]byte, error) {
	v, err := src.view(ctx, s, asked{choice: k.choice, region: k.region})
	if err != nil {
		return nil, err
	}
	v.Frame.Image = s.picture(src, k.path, v.Frame)
	body, err := draw(context.Background(), v, k.region) // the same for every request
	return s.withPictures(body), err
}

// draw renders a page or a region of it.
func draw(ctx context.Context, v page.View, region ui.Region) ([]byte, error) {
	var body bytes.Buffer
	var err error
	if region == "" {
		err = layout.Document(v.Frame, v.Body).Render(ctx, &body)
	} else {
		_, err = v.Write(ctx, &body, region)
	}
	return bytes.Clone(body.Bytes()), err
}

// pack compresses a file. It is done once for each release.
func pack(body []byte, contentType string) (f page.File, err error) {
	var zipped bytes.Buffer
	if err := page.Compress(&zipped, body); err != nil {
		return f, err
	}
	sum := sha256.Sum256(body)
	return page.File{
		Body:        bytes.Clone(body), // a buffer may hold twice what is in it
		Gzip:        bytes.Clone(zipped.Bytes()),
		ContentType: contentType,
		ETag:        `"` + hex.EncodeToString(sum[:12]) + `"`,
		// Caches may keep a page and must ask before they show it again, so
		// that a release is seen at once; asking costs a 304.
		CacheControl: page.Revalidate,
	}, nil
}
