package insight

import (
	"cmp"

	rule "heliograph/app/operation/insight"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	view "heliograph/views/operation/insight"
	"heliograph/views/ui"
)

// kindNames are the kinds of pages as tables name them.
var kindNames = map[string]string{
	"home": "Home", "product": "Product", "version": "Version", "errors": "Error codes", "endpoint": "Endpoint", "schema": "Schema", "guide": "Guide", "guides": "Guides", "changelog": "Changelog", "compare": "Comparison",
	"assistant": "Assistant setup", "library": "Client libraries", "console": "API console", "contact": "Contact", "simulator": "Simulators", "text": "Text for agents",
}

// pagesShown is the number of pages that a table shows, and topShown on the overview.
const (
	pagesShown = 200
	topShown   = 10
	rowsShown  = 50
)

func (r *report) overview() error {
	trend, err := r.trend()
	if err != nil {
		return err
	}
	sums, err := rule.Sums(r.c.Request().Context(), r.h.DB, r.filter)
	if err != nil {
		return err
	}
	pages, search, use := r.address("pages", r.asked), r.address("search", query{r.asked.Period, r.asked.On, r.asked.Product, "", ""}), r.address("use", query{r.asked.Period, r.asked.On, r.asked.Product, "", ""})
	r.page.Figures = []view.Figure{figure("Views", trend.Total(), trend.EarlierTotal(), pages)}
	by := func(label string, reader rule.Reader) {
		if r.asked.Reader == "" {
			asked := r.asked
			asked.Reader = string(reader)
			r.page.Figures = append(r.page.Figures, figure(label, trend.Totals[reader], trend.Earlier[reader], r.address("pages", asked)))
		}
	}
	by("By people", rule.Person)
	by("By AI agents", rule.AI)
	sum := func(label, what, link string) {
		r.page.Figures = append(r.page.Figures, figure(label, sums[what].Now, sums[what].Earlier, link))
	}
	sum("Searches", rule.Searches, search)
	sum("Code copied", rule.Copies, use+"#copies")
	sum("Exports", rule.Exports, use+"#exports")
	sum("Client libraries", rule.Libraries, use+"#libraries")
	sum("Mock calls", rule.Mocks, use+"#mocks")
	sum("Console calls", rule.Consoles, use+"#consoles")
	sum("Simulated messages", rule.Simulators, use+"#simulators")
	if r.seesPartners() {
		sum("Assistant calls", rule.Tools, use+"#assistants")
		sum("Enquiries", rule.Enquiries, "/admin/contacts")
	}
	sum("Answers of readers", rule.Thumbs, "/admin/feedback")
	r.grids = append(r.grids, r.trendGrid(trend))
	return r.pageGrid("Most read", topShown)
}

// trend reads the views of the period and draws them.
func (r *report) trend() (rule.Trend, error) {
	trend, err := rule.Views(r.c.Request().Context(), r.h.DB, r.span, r.filter)
	if err == nil && !r.whole {
		r.page.Charts = append(r.page.Charts, draw(trend, "Views"))
	}
	return trend, err
}

// labels of steps by their grain.
var stepLayouts = map[string]string{rule.Hour: "15:04", rule.Day: "Mon 2 Jan", rule.Month: "January 2006"}

// draw draws a trend.
func draw(t rule.Trend, title string) ui.Chart {
	chart := ui.Chart{Title: title, Neutral: true, Steps: map[string]string{rule.Hour: "Hour", rule.Day: "Day", rule.Month: "Month"}[t.Span.Grain]}
	var shown []rule.Reader
	for _, by := range rule.Readers {
		if t.Totals[by] > 0 || by == rule.Person {
			shown = append(shown, by)
			chart.Series = append(chart.Series, readerNames[by])
		}
	}
	for i, at := range t.Span.Steps {
		bar := ui.Bar{Label: at.Format(stepLayouts[t.Span.Grain])}
		if t.Span.Grain == rule.Hour && len(t.Span.Steps) > 24 {
			bar.Label = at.Format("15:04 MST") // the clock shows an hour twice
		}
		for _, by := range shown {
			n := int64(0)
			if counts := t.Counts[by]; counts != nil {
				n = counts[i]
			}
			bar.Values = append(bar.Values, int(n))
		}
		chart.Bars = append(chart.Bars, bar)
	}
	return chart
}

// trendGrid is the trend as a file. Its numbers are shown beneath the chart.
func (r *report) trendGrid(t rule.Trend) grid {
	g := grid{id: "trend", isDrawn: true, columns: []column{{label: "Start"}}}
	for _, by := range rule.Readers {
		g.columns = append(g.columns, column{readerNames[by], true})
	}
	for i, at := range t.Span.Steps {
		row := []value{text(at.Format("2006-01-02T15:04:05Z07:00"))}
		for _, by := range rule.Readers {
			n := int64(0)
			if counts := t.Counts[by]; counts != nil {
				n = counts[i]
			}
			row = append(row, counted(n))
		}
		g.rows = append(g.rows, row)
	}
	return g
}

func (r *report) pages() error {
	if r.asked.Of != "" {
		r.page.Only = "Only " + r.asked.Of + "."
		asked := r.asked
		asked.Of = ""
		r.page.All = ui.Link{Label: "Show all pages", Href: r.address("pages", asked)}
		trend, err := r.trend()
		if err != nil {
			return err
		}
		for _, by := range rule.Readers {
			if trend.Totals[by]+trend.Earlier[by] > 0 {
				r.page.Figures = append(r.page.Figures, figure(readerNames[by], trend.Totals[by], trend.Earlier[by], r.asked.Of))
			}
		}
		r.grids = append(r.grids, r.trendGrid(trend))
		return nil
	}
	return r.pageGrid("Pages", pagesShown)
}

// pageGrid lists the pages that were read most.
func (r *report) pageGrid(title string, shown int) error {
	rows, err := queries.InsightPageList(r.c.Request().Context(), r.h.DB, r.filter, r.limit(shown))
	if err != nil {
		return err
	}
	g := grid{
		id: "pages", title: title, empty: "Nothing was read in this period.",
		columns: []column{{label: "Page"}, {label: "Kind"}, {"People", true}, {"AI agents", true}, {"All", true}, {"Before", true}},
	}
	for _, v := range rows {
		asked := r.asked
		asked.Of = v.Page
		kind := cmp.Or(kindNames[v.Kind], v.Kind)
		g.rows = append(g.rows, []value{linked(v.Page, v.Page), text(kind), counted(v.PersonCount), counted(v.ProgramCount), {n: v.Count, href: r.address("pages", asked)}, counted(v.EarlierCount)})
	}
	r.grids = append(r.grids, g)
	return nil
}

// simple adds a table of one name with its counts.
func (r *report) simple(g grid, what string, by queries.InsightGroup, name func(models.InsightDay) value) error {
	rows, err := rule.Days(r.c.Request().Context(), r.h.DB, what, r.filter, by, r.limit(rowsShown))
	if err != nil {
		return err
	}
	g.columns = append(g.columns, column{"Times", true}, column{"Before", true})
	for _, row := range rows {
		g.rows = append(g.rows, []value{name(row), counted(row.Count), counted(row.EarlierCount)})
	}
	r.grids = append(r.grids, g)
	return nil
}

// byName groups counts by their name.
var byName = queries.InsightGroup{Name: true}

func (r *report) sources() error {
	err := r.simple(grid{
		id: "sources", title: "Where people come from",
		note:  "Of each day the 200 hosts that most people come from. The address of the page is not kept.",
		empty: "Nobody came in this period.", columns: []column{{label: "Host"}},
	},
		rule.Sources, byName, func(d models.InsightDay) value {
			switch d.Name {
			case "":
				return text("Typed, a bookmark, or not told")
			case "other":
				return text("Other hosts")
			}
			return text(d.Name)
		})
	if err != nil {
		return err
	}
	err = r.simple(grid{id: "languages", title: "Languages of browsers", empty: "No browser said its language.", columns: []column{{label: "Language"}}},
		rule.Languages, byName, func(d models.InsightDay) value { return text(languageName(d.Name)) })
	if err != nil {
		return err
	}
	rows, err := rule.Days(r.c.Request().Context(), r.h.DB, rule.Agents, r.filter, queries.InsightGroup{Name: true, Detail: true}, r.limit(rowsShown))
	if err != nil {
		return err
	}
	g := grid{
		id: "programs", title: "Browsers and programs", note: "By what they say of themselves. One that says nothing is unknown.",
		empty:   "Nothing was read in this period.",
		columns: []column{{label: "Name"}, {label: "Reader"}, {"Views", true}, {"Before", true}},
	}
	for _, d := range rows {
		g.rows = append(g.rows, []value{text(d.Name), text(readerNames[rule.Reader(d.Detail)]), counted(d.Count), counted(d.EarlierCount)})
	}
	r.grids = append(r.grids, g)
	return nil
}
