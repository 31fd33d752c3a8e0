package ui

import (
	"slices"

	"github.com/a-h/templ"
)

// Texts makes a row of plain cells.
func Texts(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

// classes are what a cell is for the style sheet.
func (t Table) classes(column int, c Cell) (classes []string) {
	head := t.Columns[column]
	topic := max(0, slices.IndexFunc(t.Columns, func(c Column) bool { return c.Lead }))
	for _, is := range []struct {
		class string
		true  bool
	}{
		{"numeric", head.Numeric}, {"mono", c.Mono}, {"topic", column == topic}, {"mark", c.Badge}, {"plain", head.Plain},
		{"blank", c.Body == nil && (c.Text == "" || c.Text == "–")},
	} {
		if is.true {
			classes = append(classes, is.class)
		}
	}
	return classes
}

func titled(c Cell) templ.Attributes {
	if c.Title == "" {
		return nil
	}
	return templ.Attributes{"title": c.Title}
}
