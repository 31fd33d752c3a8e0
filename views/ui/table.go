package ui

import "github.com/a-h/templ"

// Texts makes a row of plain cells.
func Texts(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, text := range texts {
		row[i].Text = text
	}
	return row
}

func titled(c Cell) templ.Attributes {
	if c.Title == "" {
		return nil
	}
	return templ.Attributes{"title": c.Title}
}
