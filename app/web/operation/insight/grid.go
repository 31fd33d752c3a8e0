package insight

import (
	"cmp"
	"strconv"

	"heliograph/app/lists"
	"heliograph/app/web/page"
	view "heliograph/views/operation/insight"
	"heliograph/views/ui"
)

// grid is a table that is shown on a page and sent as a file.
type grid struct {
	id, title, note, empty string
	columns                []column
	rows                   [][]value
	// isDrawn is true for a grid that a chart shows already.
	isDrawn bool
}

// column heads a column of texts, or of numbers.
type column struct {
	label   string
	numeric bool
}

// value is a cell: a text that may be a link, or a number.
type value struct {
	text, href string
	n          int64
}

func text(s string) value         { return value{text: s} }
func linked(s, href string) value { return value{text: s, href: href} }
func counted(n int64) value       { return value{n: n} }
func (c column) cell(v value) ui.Cell {
	if c.numeric && v.text == "" {
		return ui.Cell{Text: number(v.n), Href: v.href}
	}
	return ui.Cell{Text: v.text, Href: v.href}
}

// file links to all rows of the grid.
func (g grid) file(r *report) ui.Link {
	name := cmp.Or(r.part.name, overviewFiles)
	return ui.Link{Label: "Download as CSV", Href: page.Address(Path+"/"+name+"/"+g.id+".csv", page.Query(
		"period", r.asked.Period, "on", r.asked.On, "product", r.asked.Product, "reader", r.asked.Reader, "of", r.asked.Of))}
}

// section returns the grid as it is shown, with the first rows.
func (g grid) section(r *report) view.Section {
	s := view.Section{ID: g.id, Title: g.title, Note: g.note, Empty: g.empty, File: g.file(r)}
	s.Table = ui.Table{Caption: g.title, Quiet: true}
	for i, c := range g.columns {
		s.Table.Columns = append(s.Table.Columns, ui.Column{Label: c.label, Numeric: c.numeric, Lead: i == 0})
	}
	for _, row := range g.rows {
		cells := make([]ui.Cell, len(row))
		for i, v := range row {
			cells[i] = g.columns[i].cell(v)
		}
		s.Table.Rows = append(s.Table.Rows, cells)
	}
	return s
}

// write writes the grid as rows of a file.
func (g grid) write(write func(row ...string) error) error {
	head := lists.Map(g.columns, func(c column) string { return c.label })
	if err := write(head...); err != nil {
		return err
	}
	for _, row := range g.rows {
		line := make([]string, len(row))
		for i, v := range row {
			line[i] = v.text
			if g.columns[i].numeric && v.text == "" {
				line[i] = strconv.FormatInt(v.n, 10)
			}
		}
		if err := write(line...); err != nil {
			return err
		}
	}
	return nil
}

// limit is how many rows are read: one page, or all of a file.
func (r *report) limit(shown int) int {
	if r.whole {
		return 10_000
	}
	return shown
}
