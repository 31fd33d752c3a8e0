// Package insight shows what readers and partners do, as charts, tables and files.
//
// Editors see the products that they are assigned to. Figures of partners, which belong
// to no product, are for Viewers and Super Admins.
package insight

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/labstack/echo/v4"

	"heliograph/app/documentation/published"
	"heliograph/app/fault"
	rule "heliograph/app/operation/insight"
	"heliograph/app/people/identity"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	view "heliograph/views/operation/insight"
	"heliograph/views/ui"
)

// Path is the section of analytics.
const Path = "/admin/analytics"

// Deps holds the dependencies of the handlers.
type Deps struct {
	DB            db.Querier
	Documentation *published.Documentation
	Zone          *time.Location
}

// Handlers answers the routes. Use New.
type Handlers struct {
	Deps
	now func() time.Time
}

// New returns the handlers.
func New(d Deps) *Handlers { return &Handlers{Deps: d, now: time.Now} }

// query is the query of every part.
type query struct {
	Period  string `query:"period"`
	On      string `query:"on"`
	Product string `query:"product"`
	Reader  string `query:"reader"`
	Of      string `query:"of"` // a page
}

// part is a part of analytics.
type part struct {
	name, label, lead string
	build             func(*report) error
}

// parts lists the parts in their order.
func parts() []part {
	return []part{
		{"", "Overview", "What people, AI agents and other programs read.", (*report).overview},
		{"pages", "Pages", "The pages that were read most.", (*report).pages},
		{"sources", "Sources", "Where people come from, what they speak, and which programs read.", (*report).sources},
		{"search", "Search", "Searches by their length and the number of results. Nobody keeps what was looked for.", (*report).search},
		{"use", "Use", "What readers take away and try.", (*report).use},
		{"partners", "Partners", "The way from registration to the first callback, and what partners call.", (*report).partners},
	}
}

// report is a part under construction.
type report struct {
	h       *Handlers
	c       echo.Context
	asked   query
	part    part
	span    rule.Span
	filter  models.InsightFilter
	allowed []string // products; nil is all
	page    view.Page
	grids   []grid
	whole   bool // every row is asked for
}

// Show shows a part.
func (h *Handlers) Show(c echo.Context, r *report) error {
	r.page.Frame = page.AdministrationFrame(c, "Analytics", Path)
	r.page.Lead = r.part.lead
	if err := r.part.build(r); err != nil {
		return err
	}
	r.frame()
	for _, g := range r.grids {
		if g.isDrawn {
			r.page.Drawn = g.file(r)
		} else {
			r.page.Sections = append(r.page.Sections, g.section(r))
		}
	}
	r.page.Announcement = r.page.Range
	return page.Render(c, http.StatusOK, page.View{Frame: r.page.Page, Body: view.Show(r.page), Address: r.address(r.part.name, r.asked)})
}

// patience is how long a file may take.
const patience = time.Minute

// Export sends all rows of a table as CSV.
func (h *Handlers) Export(c echo.Context, r *report) error {
	r.whole = true
	if err := r.part.build(r); err != nil {
		return err
	}
	at := slices.IndexFunc(r.grids, func(g grid) bool { return g.id+".csv" == c.Param("table") })
	if at < 0 {
		return fault.New(fault.NotFound, "This table does not exist.")
	}
	g := r.grids[at]
	return page.CSV(c, "analytics-"+g.id, patience, func(write func(row ...string) error) error {
		return g.write(write)
	})
}

// Read returns the report that an address asks for.
func (h *Handlers) Read(c echo.Context) (*report, error) {
	asked, err := page.Ask[query](c)
	if err != nil {
		return nil, err
	}
	r := &report{h: h, c: c, asked: asked}
	at := slices.IndexFunc(parts(), func(p part) bool { return p.name == c.Param("part") })
	if c.Param("part") == overviewFiles {
		at = 0
	}
	if at < 0 {
		return nil, fault.New(fault.NotFound, "This part of analytics does not exist.")
	}
	r.part = parts()[at]
	if r.span, err = rule.NewSpan(asked.Period, asked.On, h.now(), h.Zone); err != nil {
		return nil, err
	}
	if r.allowed, err = allowed(c, h.DB); err != nil {
		return nil, err
	}
	r.filter = r.span.Filter()
	r.filter.Products, r.filter.Page = r.allowed, asked.Of
	if asked.Product != "" {
		if r.allowed != nil && !slices.Contains(r.allowed, asked.Product) {
			return nil, fault.New(fault.Forbidden, "You edit other products: ask a Super Admin to assign you this one.")
		}
		r.filter.Products = []string{asked.Product}
	}
	if asked.Reader != "" {
		r.filter.Readers = []string{asked.Reader}
	}
	return r, nil
}

// overviewFiles stands for the overview in the addresses of files.
const overviewFiles = "overview"

// allowed returns the products that a user may see counts of, nil for all.
func allowed(c echo.Context, q db.Querier) ([]string, error) {
	user := page.User(c)
	if user.Role != identity.Editor {
		return nil, nil
	}
	products, err := queries.InsightProductList(c.Request().Context(), q, user.ID)
	if products == nil {
		products = []string{}
	}
	return products, err
}

// seesPartners reports whether the user sees figures that belong to no product.
func (r *report) seesPartners() bool { return r.allowed == nil && r.asked.Product == "" }

// address returns the address of a part with a query.
func (r *report) address(name string, asked query) string {
	path := Path
	if name != "" {
		path += "/" + name
	}
	return page.Address(path, page.Query("period", asked.Period, "on", asked.On, "product", asked.Product, "reader", asked.Reader, "of", asked.Of))
}

// frame fills in what all parts share.
func (r *report) frame() {
	p := &r.page
	p.Filter = ui.Filter{
		Action: r.address(r.part.name, query{}), Region: ui.List,
		Selects: []ui.Select{
			{Name: "period", Label: "Period", Value: r.span.Name}, {Name: "product", Label: "Product", Value: r.asked.Product, Options: r.products()},
			{Name: "reader", Label: "Readers", Value: r.asked.Reader, Options: []ui.Option{{Label: "All"}}},
		},
		Times: []ui.Input{{Name: "on", Label: "Last day", Type: "date", Value: r.asked.On}},
	}
	for _, s := range rule.Spans {
		p.Filter.Selects[0].Options = append(p.Filter.Selects[0].Options, ui.Option{Value: s.Name, Label: s.Label})
	}
	for _, by := range rule.Readers {
		p.Filter.Selects[2].Options = append(p.Filter.Selects[2].Options, ui.Option{Value: string(by), Label: readerNames[by]})
	}
	if r.part.name != "" && r.part.name != "pages" {
		p.Filter.Selects = p.Filter.Selects[:2] // only views are counted by reader
	}
	for _, other := range parts() {
		asked := r.asked
		asked.Of = ""
		if other.name != "" && other.name != "pages" {
			asked.Reader = ""
		}
		p.Parts = append(p.Parts, ui.Link{Label: other.label, Href: r.address(other.name, asked), Current: other.name == r.part.name})
	}
	const day = "2 January 2006"
	last := r.span.Until.AddDate(0, 0, -1)
	p.Range = last.Format("Monday, " + day)
	if r.span.Grain != rule.Hour {
		p.Range = r.span.From.Format(day) + " to " + last.Format(day)
	}
	p.Range += ", in " + zoneName(r.h.Zone)
	move := r.asked
	move.On = r.span.From.AddDate(0, 0, -1).Format(time.DateOnly)
	p.Earlier = ui.Link{Label: "Earlier", Href: r.address(r.part.name, move)}
	if next := r.span.Until.AddDate(0, 0, len(r.span.Steps)-1); r.asked.On != "" {
		move.On = next.Format(time.DateOnly)
		if r.span.Grain == rule.Hour {
			move.On = r.span.Until.Format(time.DateOnly)
		} else if r.span.Grain == rule.Month {
			move.On = last.AddDate(0, len(r.span.Steps), 0).Format(time.DateOnly)
		}
		if today := r.h.now().In(r.h.Zone).Format(time.DateOnly); move.On >= today {
			move.On = ""
		}
		p.Later = ui.Link{Label: "Later", Href: r.address(r.part.name, move)}
	}
}

func zoneName(zone *time.Location) string {
	if zone == time.UTC {
		return "UTC"
	}
	return zone.String()
}

// products lists the products of the filter.
func (r *report) products() []ui.Option {
	options := []ui.Option{{Label: "All"}}
	for _, p := range r.h.Documentation.Snapshot().Products {
		if r.allowed == nil || slices.Contains(r.allowed, p.Slug) {
			options = append(options, ui.Option{Value: p.Slug, Label: p.Name})
		}
	}
	return options
}

// readerNames are the readers as pages name them.
var readerNames = map[rule.Reader]string{rule.Person: "People", rule.AI: "AI agents", rule.Search: "Search engines", rule.Tool: "Other programs", rule.Unknown: "Unknown"}

func number(n int64) string { return humanize.Comma(n) }

// change says how a number compares with the one of the period before.
func change(now, earlier int64) string {
	switch {
	case earlier == 0 && now == 0:
		return ""
	case earlier == 0:
		return "none before"
	case now == earlier:
		return "as before"
	}
	share := (now - earlier) * 100 / earlier
	switch {
	case share == 0:
		return "about as before: " + number(earlier)
	case share < 0:
		return "−" + strconv.FormatInt(-share, 10) + " % from " + number(earlier)
	}
	return "+" + strconv.FormatInt(share, 10) + " % from " + number(earlier)
}

// figure compares a number with the one of the period before.
func figure(label string, now, earlier int64, link string) view.Figure {
	return view.Figure{Label: label, Value: number(now), Note: change(now, earlier), Link: link}
}
