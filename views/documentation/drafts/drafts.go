// Package drafts renders drafts and their review.
package drafts

import (
	"slices"

	"github.com/a-h/templ"

	"heliograph/views/documentation/difference"
	"heliograph/views/documentation/quality"
	"heliograph/views/documentation/threads"
	"heliograph/views/forms"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// DraftsPage lists the change sets.
type DraftsPage struct {
	layout.Frame
	Lead  string
	Saved ui.SavedFilters
	List  ui.Listing
}

// DraftPage shows one change set.
type DraftPage struct {
	layout.Frame
	Mark    ui.Mark
	Note    string
	Next    ui.Link // where to go from the note
	Alone   bool    // nobody else can approve it
	Problem string
	Facts   []ui.Pair
	// Request is what a reviewer asked for, of a change set that was sent back.
	Request threads.Remark
	// Blocked is why a scheduled release did not happen.
	Blocked string
	Checks  []Finding
	Quality quality.Findings
	Impacts []Impact // on the contracts of versions
	Items   []DraftItem
	// Moves are the forms of what can be done now, the first one first. Asks open
	// a confirmation.
	Moves []forms.Form
	Asks  []ui.Ask
	Posts []ui.Post
	// Rebase leads to the page that merges what others published since.
	Rebase ui.Link
	// Discard asks before the change set is given up.
	Discard ui.Ask
	// Hindered says which usual moves are not possible, and why.
	Hindered []ui.Pair
	Talk     []threads.Remark
	Threads  ui.Link          // to the first open thread, with their number; empty without one
	Live     templ.Attributes // refreshes that
	Presence string           // the address that says who else is there
	Split    forms.Form
}

// Ends reports whether there is a move that closes the change set.
func (p DraftPage) Ends() bool {
	return p.Discard.Region != "" || slices.ContainsFunc(p.Moves, func(f forms.Form) bool { return f.Danger })
}

// endsOpen shows the moves that close the change set where one of them is wrong, or the
// only way to go on.
func (p DraftPage) endsOpen() bool {
	return p.Alone || slices.ContainsFunc(p.Moves, func(f forms.Form) bool {
		return f.Danger && (f.Problem != "" || slices.ContainsFunc(f.Areas, func(a ui.TextArea) bool { return a.Error != "" }))
	})
}

// Impact is what a change set does to the contract of a version.
type Impact struct {
	Title, Note string
	Changes     []ContractChange
}

// ContractChange is a change of a contract.
type ContractChange struct {
	Mark               ui.Mark
	Title, Call, Place string
	Before, After      string
	Reason             string     // why it has its level
	Accepted           string     // who accepted it, and why
	Form               forms.Form // that accepts it; without an action for others
	Comment            ui.Ask     // begins a thread on it
	Threads            []threads.Thread
}

func (c ContractChange) acceptLabel() string {
	if c.Accepted == "" {
		return "Give a reason"
	}
	return "Change the reason"
}

// Finding is a result of a check.
type Finding struct {
	Tone ui.Tone
	Text string
	ui.Link
}

// DraftItem is what a change set does to an item.
type DraftItem struct {
	ui.Link
	Anchor      string
	Kind        string
	Mark        ui.Mark // what happens to it
	Note        string
	Problem     string
	Reader      ui.Link // the page as readers will see it
	Differences []difference.Difference
	// Open shows the differences at once.
	Open   bool
	Remove ui.Ask
	// Comment begins a thread on the item. Threads are those on the item and on
	// fields without a difference.
	Comment ui.Ask
	Threads []threads.Thread
}
