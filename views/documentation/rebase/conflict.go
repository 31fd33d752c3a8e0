package rebase

import (
	"heliograph/views/documentation/difference"
	"heliograph/views/ui"
)

// Conflict is a save that began with a revision which is not the head any more, or an
// item of a change set that others published since.
type Conflict struct {
	Item        ui.Link // of a change set
	Kind        string
	Title, Text string
	Was         string // the revision that the form began with
	Fields      []ConflictField
	Merged      []string  // labels of fields that were taken over from theirs
	Joined      []ui.Pair // names and labels of fields that both changed in different places
}

// ConflictField is a field that was changed in two ways.
type ConflictField struct {
	Name, Label  string
	Theirs, Mine difference.Difference // each against the revision that the form began with
	SavedText    string                // merged, with theirs in the places that both changed
	MineText     string                // merged, with mine there
	Base         string                // which of both the form has now; in a rebase what both began with
	// In a rebase: the places in an operation or a schema, the choice, and a text of
	// the author's own.
	Where []string
	Take  ui.Radios
	Own   ui.TextArea
}
