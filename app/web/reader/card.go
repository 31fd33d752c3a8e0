package reader

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/card"
	"heliograph/app/documentation/reference"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	"heliograph/static"
	"heliograph/views/layout"
)

const (
	cardPrefix = "/card/"
	cardEnding = ".png"
	homeCard   = "/index" // the homepage in the address of its picture
)

// drawn is a page with something of its own in its picture.
type drawn interface{ draw(shown *card.Card) }

// cardOf returns what the picture of a page shows.
func cardOf(src source, frame layout.Page) card.Card {
	shown := card.Card{Title: cmp.Or(frame.Title, frame.OwnName(), layout.Name), Summary: frame.Description, Site: frame.OwnName()}
	switch at := src.where(); {
	case at.version != nil:
		shown.Product = at.name()
	case at.product != nil:
		shown.Product = at.product.Name
	}
	if shown.Product == shown.Title {
		shown.Product = ""
	}
	if d, ok := src.(drawn); ok {
		d.draw(&shown)
	}
	if title, _, ok := strings.Cut(shown.Title, " – "+shown.Product); ok {
		shown.Title = title
	}
	return shown
}

// picture returns the absolute address of the picture of a page, empty for a page
// that search engines do not list and for one without a picture of its own. The
// path may have a query.
func (s *site) picture(src source, path string, frame layout.Page) string {
	if !s.pictured || frame.Canonical == "" {
		return ""
	}
	shown := cardOf(src, frame)
	if !shown.IsDrawable() {
		return ""
	}
	path, query, _ := strings.Cut(path, "?")
	if path == "/" {
		path = homeCard
	}
	address := s.url + cardPrefix + shown.Hash() + path + cardEnding
	if query != "" {
		address += "?" + query
	}
	return address
}

// findPictured finds the page of a picture by the path and the query of its
// address, nil where there is none. It returns the query of the page's address, too,
// empty for most pages.
func (s *site) findPictured(path string, query url.Values) (src pageSource, pageQuery string) {
	if path == homeCard {
		path = Home.path
	}
	for _, p := range s.snapshot.Products {
		switch {
		case p.ComingSoon:
		case path == reference.ComparePath(p):
			asked, err := newComparison(p, query)
			if err != nil {
				return nil, ""
			}
			return compareSource{place{product: p}, asked}, asked.query()
		case path == changelogPath(p):
			asked, err := newChangelog(p, query)
			if err != nil {
				return nil, ""
			}
			return changelogSource{place{product: p}, asked}, asked.query()
		}
	}
	f, ok := s.find(path)
	if !ok || f.isFile() {
		return nil, ""
	}
	return f.page, ""
}

// ServeCard handles GET and HEAD of the pictures of pages. The address has the hash
// of what the picture shows, and the address of an earlier picture redirects to the
// current one.
func (p *Pages) ServeCard(c echo.Context) error {
	s, r := p.site(), c.Request()
	path, isPicture := strings.CutSuffix("/"+c.Param("*"), cardEnding)
	src, query := s.findPictured(path, c.QueryParams())
	if src == nil || !isPicture || !s.pictured {
		return missingCard()
	}
	if err := p.files.take(r.Context(), limit.Client(c.RealIP())); err != nil {
		return err
	}
	view, err := src.view(r.Context(), s, asked{})
	if err != nil {
		return s.failed(c, src.where().product, err)
	}
	current := s.picture(src, path+query, view.Frame)
	if current == "" {
		return missingCard()
	}
	shown := cardOf(src, view.Frame)
	if shown.Hash() != c.Param("hash") {
		c.Response().Header().Set(echo.HeaderCacheControl, page.Revalidate)
		return c.Redirect(http.StatusTemporaryRedirect, strings.TrimPrefix(current, s.url))
	}
	return p.serveCard(c, shown)
}

func missingCard() error { return fault.New(fault.NotFound, "There is no picture at this address.") }

// serveCard responds with a picture, or with the portal's own where it cannot be
// drawn or kept now.
func (p *Pages) serveCard(c echo.Context, shown card.Card) error {
	picture, err := p.cards.Picture(c.Request().Context(), shown)
	if fault.Is(err, fault.Unavailable) {
		page.NoStore(c.Response().Header())
		return c.Redirect(http.StatusTemporaryRedirect, static.URL("img/card.png"))
	}
	if err != nil {
		return err
	}
	return page.Prepare(page.File{
		Body: picture, ContentType: "image/png", ETag: `"` + shown.Hash() + `"`, CacheControl: page.Forever,
	}).Serve(c)
}
