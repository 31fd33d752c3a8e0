package notifications

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// LogPage is a list with a sentence about it.
type LogPage struct {
	layout.Frame
	Lead string
	// Settings link to how emails and SMS are sent, for users who may change it.
	Settings []ui.Link
	List     ui.Listing
}

// RecordPage shows one row of a log. The part with the facts also opens in the list.
type RecordPage struct {
	layout.Frame
	Region  ui.Region
	Facts   []ui.Pair
	Answers []Answer
	Links   []ui.Link
	Action  *ui.Post // nil if there is nothing to do
	Tables  []ui.Table
}

// Answer is what a provider answered to an attempt.
type Answer struct{ Title, Text string }

// facts returns the facts that are known.
func (p RecordPage) facts() (known []ui.Pair) {
	for _, f := range p.Facts {
		if f.Value != "" {
			known = append(known, f)
		}
	}
	return known
}
