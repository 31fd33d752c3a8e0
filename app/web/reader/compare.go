package reader

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/card"
	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/operation/limit"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
)

// comparison is the comparison of two versions that an address names.
type comparison struct {
	from, to *published.Version // nil if the product has fewer than two versions
	level    string             // only changes of the level, empty for all
	class    string             // only endpoints of the class, empty for all
}

// Compare handles GET /docs/:product/compare, also with .md or .json at its
// end. Without versions in the query it compares the latest version with the
// one before.
func (p *Pages) Compare(c echo.Context) error {
	s := p.site()
	product, moved := currentProduct(s, c.Param("product"))
	if product == nil || product.ComingSoon {
		return s.missing(c)
	}
	path, format := comparePath(c.Request().URL.Path)
	if moved {
		return redirect(c, http.StatusMovedPermanently, reference.ComparePath(product)+format)
	}
	if err := p.files.take(c.Request().Context(), limit.Client(c.RealIP())); err != nil {
		return err
	}
	asked, err := newComparison(product, c.QueryParams())
	switch {
	case err != nil && format == "":
		page.NoStore(c.Response().Header())
		view := newComparePage(s, product, asked, nil)
		view.Problem = fault.As(err).Message
		return page.Render(c, page.Status(fault.As(err)), page.View{Frame: view.Page, Body: views.Compare(view)})
	case err != nil:
		return err
	case format == ".json":
		return p.compareJSON(c, product, asked)
	}
	return p.serve(c, s, newFound(compareSource{place{product: product}, asked}, format != ""), key{path: path + format + asked.query()})
}

type compareSource struct {
	place
	comparison
}

func (src compareSource) view(ctx context.Context, s *site, _ asked) (page.View, error) {
	report, err := src.report(ctx)
	if err != nil {
		return page.View{}, err
	}
	compared := newComparePage(s, src.product, src.comparison, report)
	return page.View{Frame: compared.Page, Body: views.Compare(compared)}, nil
}

func (src compareSource) markdown(ctx context.Context, s *site, _ choice) (string, error) {
	report, err := src.report(ctx)
	if err != nil {
		return "", err
	}
	return s.texts.Comparison(src.product, reference.Compared{From: src.from, To: src.to, Report: report}), nil
}

func (src compareSource) draw(shown *card.Card) {
	if shown.Product != "" {
		shown.Title = fmt.Sprintf("Changes from %s to %s", src.from.Slug, src.to.Slug)
	}
}

// comparePath splits the address of a comparison from the end that names its
// format.
func comparePath(path string) (page, format string) {
	for _, format := range []string{reference.TextPath(""), ".json"} {
		if page, ok := strings.CutSuffix(path, format); ok {
			return page, format
		}
	}
	return path, ""
}

// newComparison reads the query of a comparison. Unknown versions are a
// NotFound fault that names the ones there are.
func newComparison(p *published.Product, query url.Values) (comparison, error) {
	var asked comparison
	versions := p.VisibleVersions()
	if len(versions) > 1 {
		asked.to = p.Latest()
		i := slices.Index(versions, asked.to)
		asked.from = versions[min(i+1, len(versions)-1)]
	}
	for name, v := range map[string]**published.Version{"from": &asked.from, "to": &asked.to} {
		slug := query.Get(name)
		if slug == "" {
			continue
		}
		found := versionMeant(p, slug)
		if found == nil {
			return asked, fault.New(fault.NotFound, "%s has no version %s. Its versions are %s.", p.Name, cutName(slug), versionNames(versions))
		}
		*v = found
	}
	if asked.from == nil || asked.to == nil {
		return asked, fault.New(fault.NotFound, "%s has one version only, so there is nothing to compare it with.", p.Name)
	}
	if level := compare.Level(query.Get("level")); slices.Contains(compare.Levels, level) {
		asked.level = string(level)
	}
	if class := compare.Class(query.Get("class")); slices.Contains(compare.Classes, class) {
		asked.class = string(class)
	}
	return asked, nil
}

// cutName shortens a name of a query for a message.
func cutName(name string) string { return name[:min(len(name), 40)] }

func versionNames(list []*published.Version) string {
	return strings.Join(lists.Map(list, func(v *published.Version) string { return v.Slug }), ", ")
}

// query returns the comparison as the query of an address.
func (a comparison) query() string {
	query := "?from=" + url.QueryEscape(a.from.Slug) + "&to=" + url.QueryEscape(a.to.Slug)
	if a.level != "" {
		query += "&level=" + a.level
	}
	if a.class != "" {
		query += "&class=" + a.class
	}
	return query
}

// address returns the address of the comparison with an ending. The versions
// that a reader gets without asking need no query.
func (a comparison) address(p *published.Product, ending string) string {
	usual, err := newComparison(p, nil)
	if err == nil && usual == a {
		return reference.ComparePath(p) + ending
	}
	return reference.ComparePath(p) + ending + a.query()
}

func (a comparison) report(ctx context.Context) (*compare.Report, error) {
	return a.to.Compare(ctx, a.from)
}

// comparedVersions is a comparison as JSON.
type comparedVersions struct {
	Product string `json:"product"`
	From    string `json:"from"`
	To      string `json:"to"`
	URL     string `json:"url"` // the page for people
	*compare.Report
}

// maxAccepted is the number of changes that a request can accept.
const maxAccepted = 200

// compareJSON responds with a comparison as JSON. With fail_on the status is
// 409 if a change has that level or a more severe one, so that a build can fail
// on it. Changes with a fingerprint in accept do not count.
func (p *Pages) compareJSON(c echo.Context, product *published.Product, asked comparison) error {
	failOn := compare.Level(c.QueryParam("fail_on"))
	if failOn != "" && failOn != compare.Breaking && failOn != compare.Risky {
		return fault.New(fault.Invalid, "Unknown value of fail_on. Send breaking or risky.")
	}
	accepted := strings.Split(c.QueryParam("accept"), ",")
	if len(accepted) > maxAccepted {
		return fault.New(fault.Invalid, "Too many fingerprints in accept. Send at most %d.", maxAccepted)
	}
	report, err := asked.report(c.Request().Context())
	if err != nil {
		return p.site().failed(c, product, err)
	}
	status := http.StatusOK
	if failOn != "" && report.Fails(failOn, accepted) {
		status = http.StatusConflict
	}
	body, err := json.Marshal(comparedVersions{product.Slug, asked.from.Slug, asked.to.Slug, p.url + reference.ComparePath(product) + asked.query(), report})
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		page.NoStore(c.Response().Header())
		return c.JSONBlob(status, body)
	}
	unlisted(c)
	f, err := pack(body, echo.MIMEApplicationJSON)
	if err != nil {
		return err
	}
	return page.Prepare(f).Serve(c)
}
