package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// AuditPage lists what was done by whom.
type AuditPage struct {
	layout.Frame
	// Chain says whether the entries are as they were written.
	Chain     string
	ChainTone ui.Tone
	ChainNote string
	// Anchor says the same about what is kept outside of the database.
	Anchor     string
	AnchorTone ui.Tone
	AnchorNote string
	// Export leads to the same entries as a file.
	Export ui.Link
	List   List
}

// Change is a fact about what was done: a field that went from Before to
// After where Changed says so, else one that is After.
type Change struct {
	Name          string
	Before, After string
	Changed       bool
}
