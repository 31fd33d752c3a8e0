package desk

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// Filters are the saved filters of a list. Without one nothing is shown.
type Filters struct {
	Links  []ui.Link
	Manage ui.Link
}

// FiltersPage lists the saved filters of a person, to rename and to delete.
type FiltersPage struct {
	layout.Frame
	Lead  string
	Rows  []FilterRow
	Empty ui.EmptyState
}

// FilterRow is a saved filter.
type FilterRow struct {
	ID     string
	List   string // its name
	Use    ui.Link
	Name   ui.Input
	Action string // renames it
	Delete ui.Post
}

// FilterRegion is the form that renames a filter.
const FilterRegion = ui.Region("filter")
