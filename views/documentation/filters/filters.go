// Package filters shows the filters that a person has saved for lists.
package filters

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Page lists the saved filters of a person, to rename and to delete.
type Page struct {
	layout.Frame
	Lead  string
	Rows  []Row
	Empty ui.EmptyState
}

// Row is a saved filter.
type Row struct {
	ID     string
	List   string // its name
	Use    ui.Link
	Name   ui.Input
	Action string // renames it
	Remove ui.Post
}

// filterRegion is the form that renames a filter.
const filterRegion = ui.Region("filter")
