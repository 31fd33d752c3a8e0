package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// RebasePage merges a change set with what others published since.
type RebasePage struct {
	layout.Frame
	Lead, Problem string
	Action, CSRF  string
	Seen          string // the state that the page shows
	Items         []RebaseItem
	Back          ui.Link
}

// RebaseItem is an item that others published after its change began.
type RebaseItem struct {
	ui.Link
	Kind          string
	Note          string   // of an item without a draft
	Taken, Joined []string // labels of fields that need no decision
	Fields        []RebaseField
}

// RebaseField is a field that both changed in the same place.
type RebaseField struct {
	Name, Label  string     // the name begins with the id of the item
	Where        []string   // places in an operation or a schema
	Base         string     // what both began with
	Theirs, Mine Difference // each against that
	Take         ui.Radios
	Text         ui.TextArea
}

// invalid lists the fields for the summary of errors.
func (p RebasePage) invalid() (list []ui.Input) {
	for _, i := range p.Items {
		for _, f := range i.Fields {
			list = append(list, ui.Input{Name: f.Take.Name, Label: f.Label + " of " + i.Label, Error: f.Take.Error}, f.Text.Input())
		}
	}
	return list
}
