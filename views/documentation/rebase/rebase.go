// Package rebase renders what two people changed at once.
package rebase

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
	Items         []Conflict
	Back          ui.Link
}

// invalid lists the fields for the summary of errors.
func (p RebasePage) invalid() (list []ui.Input) {
	for _, i := range p.Items {
		for _, f := range i.Fields {
			list = append(list, ui.Input{Name: f.Take.Name, Label: f.Label + " of " + i.Item.Label, Error: f.Take.Error}, f.Own.Input())
		}
	}
	return list
}
