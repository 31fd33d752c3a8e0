package reader

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/search"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
)

// Search serves /search and /api/search. Use NewSearch.
type Search struct {
	pages  *Pages
	engine *search.Engine
	meter  *meter
}

// NewSearch returns the search of a portal.
func NewSearch(pages *Pages, engine *search.Engine, limiter *limit.Limiter) *Search {
	return &Search{pages, engine, newMeter(limiter, searches)}
}

// How many results the page shows: the best ones, then some of each kind.
const (
	bestShown = 3
	kindShown = 4
)

// Show handles GET /search, the page that works without script. It takes the
// parameters of the API.
func (s *Search) Show(c echo.Context) error {
	q := shown(query(c))
	view := newSearchPage(s.pages.site(), q)
	status := http.StatusOK
	if q.Text != "" {
		answer, err := s.find(c, q)
		switch {
		case fault.Is(err, fault.Invalid):
			status, view.Problem = http.StatusUnprocessableEntity, fault.As(err).Message
		case err != nil:
			return err
		default:
			view.Found = newSearchResults(answer, q)
		}
	}
	page.NoStore(c.Response().Header())
	return page.Render(c, status, page.View{Frame: view.Page, Body: views.Search(view)})
}

// shown limits a query to the results that the page and the dialog show, and
// one more of each kind to know whether there are more.
func shown(q search.Query) search.Query {
	q.Limit, q.PerKind = search.MaxLimit, bestShown+kindShown+1
	if q.Kind != "" {
		q.PerKind = search.MaxLimit
	}
	return q
}

// find counts the request against the limit of its address and searches.
func (s *Search) find(c echo.Context, q search.Query) (search.Answer, error) {
	ctx := c.Request().Context()
	if err := s.meter.take(ctx, limit.Client(c.RealIP())); err != nil {
		return search.Answer{}, err
	}
	answer, err := s.engine.Find(ctx, q)
	if err != nil {
		return answer, err
	}
	counted := page.Counted{Searched: true, Length: utf8.RuneCountInString(q.Text), Results: answer.Total}
	if s.pages.site().snapshot.Product(q.Product) != nil {
		counted.Product = q.Product
	}
	page.Count(c, counted)
	answer.Results = demoteUnserved(s.pages.site(), answer.Results, answer.Query)
	answer.Exact = demoteUnserved(s.pages.site(), answer.Exact, answer.Query)
	answer.Nearest = demoteUnserved(s.pages.site(), answer.Nearest, answer.Query)
	return answer, nil
}

// demoteUnserved returns the results with those that nothing serves yet marked and
// behind all others, unless the query is their whole name or path.
func demoteUnserved(s *site, results []search.Result, query string) []search.Result {
	var served, unserved []search.Result
	for _, r := range results {
		if at := s.findVersion(r); at != nil && !at.serves(r.URL) {
			r.Unserved = true
			if !strings.EqualFold(search.Plain(r.Title), query) && !strings.EqualFold(r.Path, query) {
				unserved = append(unserved, r)
				continue
			}
		}
		served = append(served, r)
	}
	return append(served, unserved...)
}

// findVersion returns the version of a result, nil for one without a version.
func (s *site) findVersion(r search.Result) *place {
	if p := s.snapshot.Product(r.Product); p != nil {
		if v := p.Version(r.Version); v != nil {
			return &place{p, v}
		}
	}
	return nil
}

// serves reports whether the operation at an address is served. Addresses of
// other pages are served if an endpoint of the version is.
func (at place) serves(address string) bool {
	address, _, _ = strings.Cut(address, "#")
	if op := at.version.Operation(strings.TrimPrefix(address, at.path()+"/")); op != nil {
		return at.version.Served(op)
	}
	return at.version.ServedEndpoints() > 0 || len(at.version.Endpoints()) == 0
}

// query reads the parameters that page and API share.
func query(c echo.Context) search.Query {
	return search.Query{
		Text: strings.TrimSpace(c.QueryParam("q")), Kind: c.QueryParam("kind"), Product: c.QueryParam("product"),
		Version: c.QueryParam("version"), Method: c.QueryParam("method"),
	}
}
