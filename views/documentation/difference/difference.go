// Package difference renders what changed between two texts.
package difference

import (
	"strconv"

	"heliograph/views/documentation/threads"
	"heliograph/views/ui"
)

// Difference is how a field changed. A short one has no lines.
type Difference struct {
	Label         string
	Before, After string // of a short field
	Summary       string // "3 lines added, 1 removed"
	// Rendered holds the blocks of a text before and after as readers see them; two
	// empty sides stand for blocks that are left out.
	Rendered [][2]ui.HTML
	Hunks    [][]DiffLine
	// Name is the field. Comment begins a thread on it and Asks those on the lines of
	// each hunk; Threads are those that are there.
	Name    string
	Comment ui.Ask
	Asks    []ui.Ask
	Threads []threads.Thread
}

// DiffLine is a line of a difference. Kind is added, removed or same.
type DiffLine struct {
	Kind     string
	Old, New int
	Parts    []DiffPart
}

// DiffPart is a piece of a line.
type DiffPart struct {
	Text    string
	Changed bool
}

// sign carries the kind of a line without its colour.
func (l DiffLine) sign() string {
	switch l.Kind {
	case "added":
		return "+"
	case "removed":
		return "−"
	}
	return " "
}

// word says the kind of a line to screen readers.
func (l DiffLine) word() string {
	switch l.Kind {
	case "added":
		return "Added: "
	case "removed":
		return "Removed: "
	}
	return ""
}

func lineNumber(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
