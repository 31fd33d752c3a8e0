// Package audit renders the audit log.
package audit

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// AuditPage lists the entries of the audit.
type AuditPage struct {
	layout.Frame
	// Chain is the result of the last verification of the chain of entries.
	Chain     string
	ChainTone ui.Tone
	ChainNote string
	// Anchor is the state of the copy that is kept outside of the database.
	Anchor     string
	AnchorTone ui.Tone
	AnchorNote string
	List       ui.Listing
}

// Change is a fact of an entry. If Changed, the field went from Before to After;
// else its value is After.
type Change struct {
	Name          string
	Before, After string
	Changed       bool
}

// AuditEntryPage shows one entry of the audit.
type AuditEntryPage struct {
	layout.Frame
	// Region is the region of the details.
	Region  ui.Region
	Facts   []ui.Pair
	Changes []Change
}
