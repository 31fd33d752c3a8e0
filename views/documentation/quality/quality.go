// Package quality renders what the checks found in a draft or a change set.
package quality

import (
	"strconv"

	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// Region holds what the checks found.
const Region = ui.Region("quality")

// Findings is what the checks found in a draft or a change set. The zero Findings shows
// nothing.
type Findings struct {
	Title string
	// State says when that was found, or that it is being found now.
	State string
	List  []Finding
	More  string           // how many are not shown
	Live  templ.Attributes // refreshes it; nil is never
	// IsUntitled leaves the heading to the page.
	IsUntitled bool
}

// Finding is what a check found.
type Finding struct {
	Tone  ui.Tone
	Level string // in a word
	Check string // its label
	Text  string
	Place ui.Link // to the field
}

// firstFindings is how many warnings are shown before the others are opened.
const firstFindings = 10

// split returns what is shown at once: everything that blocks, and the first warnings.
// The rest is opened.
func (f Findings) split() (shown, rest []Finding) {
	for _, one := range f.List {
		if one.Tone == ui.Bad || len(shown) < firstFindings {
			shown = append(shown, one)
		} else {
			rest = append(rest, one)
		}
	}
	if len(rest) == 1 {
		return f.List, nil
	}
	return shown, rest
}

func (f Findings) shown() []Finding {
	shown, _ := f.split()
	return shown
}

func (f Findings) rest() []Finding {
	_, rest := f.split()
	return rest
}

func restLabel(n int) string { return "Show " + strconv.Itoa(n) + " more warnings" }
