package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// DraftsPage lists the change sets.
type DraftsPage struct {
	layout.Frame
	Lead string
	List ui.Listing
}

// DraftPage shows one change set.
type DraftPage struct {
	layout.Frame
	Mark    Mark
	Note    string
	Problem string
	Facts   []ui.Pair
	// Blocked is why a scheduled release did not happen.
	Blocked string
	Checks  []Finding
	Items   []DraftItem
	// Moves are the forms of what can be done now, the first one first. Asks open
	// a confirmation.
	Moves []Form
	Asks  []ui.Ask
	Posts []ui.Post
	// Hindered says which usual moves are not possible, and why.
	Hindered []ui.Pair
	Talk     []Remark
	Split    Form
}

// Finding is a result of a check.
type Finding struct {
	Tone ui.Tone
	Text string
	Link ui.Link
}

// DraftItem is what a change set does to an item.
type DraftItem struct {
	ui.Link
	Anchor      string
	Kind        string
	Mark        Mark // what happens to it
	Note        string
	Problem     string
	Reader      ui.Link // the page as readers will see it
	Differences []Difference
	// Open shows the differences at once.
	Open   bool
	Remove ui.Ask
}

// Remark is what somebody said of a change set.
type Remark struct {
	Who, When, Ago string
	Mark           Mark
	Text           string
}

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
	Differences []Difference
	Restore     ui.Link
	Note        string
}

// RestorePage shows what restoring a revision changes, and asks.
type RestorePage struct {
	layout.Frame
	Lead        string
	Differences []Difference
	Action      ui.Post
	Back        ui.Link
}
