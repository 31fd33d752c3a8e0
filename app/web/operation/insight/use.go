package insight

import (
	"cmp"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/sdk"
	rule "heliograph/app/operation/insight"
	"heliograph/app/web/listing"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	view "heliograph/views/operation/insight"
	"heliograph/views/ui"
)

// languageName returns the English name of a language of two letters.
func languageName(code string) string {
	tag, err := language.Parse(code)
	if err != nil {
		return code
	}
	if name := display.English.Languages().Name(tag); name != "" {
		return name
	}
	return code
}

// sampleName returns the name of a language of samples.
func sampleName(slug string) string {
	for _, l := range sample.Languages() {
		if l.Slug == slug {
			return l.Name
		}
	}
	return cmp.Or(slug, "Other code")
}

// places are the places where people search.
var places = map[string]string{"dialog": "Search dialog, as it is typed", "page": "Search page", "program": "Search API"}

func (r *report) search() error {
	rows, err := rule.Days(r.c.Request().Context(), r.h.DB, rule.Searches, r.filter, queries.InsightGroup{Day: r.span.Grain == rule.Day, Name: true, Detail: true}, 100_000)
	if err != nil {
		return err
	}
	var all, empty rule.Sum
	found, missed := make([]int64, len(r.span.Steps)), make([]int64, len(r.span.Steps))
	for _, d := range rows {
		all.Now, all.Earlier = all.Now+d.Count, all.Earlier+d.EarlierCount
		_, results, _ := strings.Cut(d.Detail, "/")
		if results == "0" {
			empty.Now, empty.Earlier = empty.Now+d.Count, empty.Earlier+d.EarlierCount
		}
		y, m, day := d.Day.Date()
		at := r.step(y, int(m), day)
		switch {
		case at < 0 || d.Count == 0 || r.span.Grain != rule.Day:
		case results == "0":
			missed[at] += d.Count
		default:
			found[at] += d.Count
		}
	}
	r.page.Figures = []view.Figure{
		figure("Searches", all.Now, all.Earlier, ""), figure("Without results", empty.Now, empty.Earlier, ""),
		{Label: "Share without results", Value: number(rule.Share(empty.Now, all.Now)) + " %", Note: "before " + number(rule.Share(empty.Earlier, all.Earlier)) + " %"},
	}
	if r.span.Grain == rule.Day && !r.whole {
		r.page.Charts = append(r.page.Charts, pairChart("Searches", "With results", "Without results", r.span, found, missed))
	}
	merged := rule.Merge(rows, func(d models.InsightDay) string { return d.Detail })
	g := grid{
		id: "searches", title: "Length and results",
		note:    "The dialog searches as someone types, so short queries are often the beginning of longer ones.",
		empty:   "Nobody searched in this period.",
		columns: []column{{label: "Characters"}, {label: "Results"}, {"Searches", true}, {"Before", true}},
	}
	for _, d := range merged {
		length, results, _ := strings.Cut(d.Name, "/")
		g.rows = append(g.rows, []value{text(dashed(length)), text(dashed(results)), counted(d.Count), counted(d.EarlierCount)})
	}
	r.grids = append(r.grids, g)
	where := grid{id: "places", title: "Where people search", empty: "Nobody searched in this period.", columns: []column{{label: "Place"}, {"Searches", true}, {"Before", true}}}
	for _, d := range rule.Merge(rows, func(d models.InsightDay) string { return d.Name }) {
		where.rows = append(where.rows, []value{text(places[d.Name]), counted(d.Count), counted(d.EarlierCount)})
	}
	r.grids = append(r.grids, where)
	return nil
}

// dashed writes a range with the dash of ranges.
func dashed(text string) string { return strings.ReplaceAll(text, "-", "–") }

// pairChart draws two counts of each step.
func pairChart(title, first, second string, s rule.Span, a, b []int64) ui.Chart {
	c := ui.Chart{Title: title, Steps: map[string]string{rule.Day: "Day", rule.Month: "Month"}[s.Grain], Series: []string{first, second}}
	for i, at := range s.Steps {
		c.Bars = append(c.Bars, ui.Bar{Label: at.Format(stepLayouts[s.Grain]), Values: []int{int(a[i]), int(b[i])}})
	}
	return c
}

func (r *report) use() error {
	tables := []struct {
		grid
		what string
		by   queries.InsightGroup
		name func(models.InsightDay) value
	}{
		{grid{
			id: "copies", title: "Code copied, by language", empty: "Nobody copied code in this period.",
			columns: []column{{label: "Language"}},
		}, rule.Copies, queries.InsightGroup{Detail: true}, func(d models.InsightDay) value { return text(sampleName(d.Detail)) }},
		{grid{
			id: "copied", title: "Code copied, by page", empty: "Nobody copied code in this period.",
			columns: []column{{label: "Page"}},
		}, rule.Copies, byName, func(d models.InsightDay) value { return linked(d.Name, d.Name) }},
		{grid{
			id: "samples", title: "Samples shown, by language",
			note:  "Of endpoint pages that people read. The first language is shown to those who chose none.",
			empty: "Nobody read samples in this period.", columns: []column{{label: "Language"}},
		}, rule.Samples, byName, func(d models.InsightDay) value { return text(sampleName(d.Name)) }},
		{grid{
			id: "exports", title: "Documents exported", empty: "Nothing was exported in this period.",
			columns: []column{{label: "Form"}},
		}, rule.Exports, byName, func(d models.InsightDay) value { return text(d.Name) }},
		{grid{
			id: "libraries", title: "Client libraries downloaded, by language", empty: "No library was downloaded in this period.",
			columns: []column{{label: "Language"}},
		}, rule.Libraries, byName, func(d models.InsightDay) value { return text(libraryName(d.Name)) }},
		{grid{id: "mocks", title: "Calls of mocks", empty: "No mock was called in this period.", columns: []column{{label: "Version"}}}, rule.Mocks, queries.InsightGroup{Product: true}, versionOf},
		{grid{
			id: "consoles", title: "Calls of the API console", empty: "The console made no call in this period.",
			columns: []column{{label: "Endpoint"}},
		}, rule.Consoles, queries.InsightGroup{Product: true, Name: true}, func(d models.InsightDay) value {
			at := "/docs/" + d.Product + "/" + d.Version + "/" + d.Name
			return linked(at, at)
		}},
		{grid{
			id: "simulators", title: "Messages in simulators",
			note:  "A message that was refused had a mistake that the simulator named.",
			empty: "Nobody used a simulator in this period.", columns: []column{{label: "Simulator"}},
		}, rule.Simulators, queries.InsightGroup{Name: true, Detail: true}, func(d models.InsightDay) value {
			return linked(ui.LabelOf(listing.Channels, d.Name)+", "+d.Detail, "/simulators/"+d.Name)
		}},
		{grid{
			id: "thumbs", title: "Answers of readers", empty: "Nobody answered in this period.",
			columns: []column{{label: "Was this page helpful?"}},
		}, rule.Thumbs, queries.InsightGroup{Name: true, Detail: true}, func(d models.InsightDay) value {
			return linked(d.Name+": "+d.Detail, d.Name)
		}},
	}
	for _, t := range tables {
		if err := r.simple(t.grid, t.what, t.by, t.name); err != nil {
			return err
		}
	}
	if !r.seesPartners() {
		return nil
	}
	rows, err := rule.Days(r.c.Request().Context(), r.h.DB, rule.Tools, r.filter, queries.InsightGroup{Name: true, Detail: true}, r.limit(rowsShown))
	if err != nil {
		return err
	}
	g := grid{
		id: "assistants", title: "Assistants, by tool and client",
		note: "Clients by the name that they give themselves, where it is known.", empty: "No assistant called in this period.",
		columns: []column{{label: "Tool"}, {label: "Client"}, {"Calls", true}, {"Before", true}},
	}
	for _, d := range rows {
		g.rows = append(g.rows, []value{text(d.Name), text(d.Detail), counted(d.Count), counted(d.EarlierCount)})
	}
	r.grids = append(r.grids, g)
	return r.simple(grid{id: "enquiries", title: "Enquiries", empty: "Nobody wrote in this period.", columns: []column{{label: "State when they arrived"}}}, rule.Enquiries, byName,
		func(d models.InsightDay) value {
			return linked(map[string]string{"received": "Received", "spam": "Taken for spam", "unconfirmed": "Not confirmed"}[d.Name], "/admin/contacts")
		})
}

func versionOf(d models.InsightDay) value {
	at := "/docs/" + d.Product + "/" + d.Version
	return linked(at, at)
}

// libraryName returns the name of the language of a client library.
func libraryName(slug string) string {
	if l := sdk.Find(slug); l != nil {
		return l.Title
	}
	return slug
}
