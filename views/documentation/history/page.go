// Package history renders the revisions of an item.
package history

import (
	"heliograph/views/documentation/difference"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// HistoryPage lists the revisions of an item.
type HistoryPage struct {
	layout.Frame
	Lead  string
	Table ui.Table
}

// ComparePage shows how an item changed between two revisions.
type ComparePage struct {
	layout.Frame
	Filter      ui.Filter
	Facts       []ui.Pair
	Differences []difference.Difference
	Restore     ui.Link
	Note        string
}

// RestorePage shows what restoring a revision changes, and asks.
type RestorePage struct {
	layout.Frame
	Lead        string
	Differences []difference.Difference
	Action      ui.Post
	Back        ui.Link
}
