// Package desk holds parts of the pages on which documentation is written and
// reviewed: what the checks found, and the calendar of releases.
package desk

import (
	"strconv"

	"github.com/a-h/templ"

	"heliograph/views/ui"
)

// QualityRegion holds what the checks found in a draft.
const QualityRegion = ui.Region("quality")

// Quality is what the checks found in a draft or a change set. The zero Quality shows
// nothing.
type Quality struct {
	Title string
	// State says when that was found, or that it is being found now.
	State    string
	Findings []Finding
	More     string           // how many are not shown
	Live     templ.Attributes // refreshes it; nil is never
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
func (q Quality) split() (shown, rest []Finding) {
	for _, f := range q.Findings {
		if f.Tone == ui.Bad || len(shown) < firstFindings {
			shown = append(shown, f)
		} else {
			rest = append(rest, f)
		}
	}
	if len(rest) == 1 {
		return q.Findings, nil
	}
	return shown, rest
}

func (q Quality) shown() []Finding {
	shown, _ := q.split()
	return shown
}

func (q Quality) rest() []Finding {
	_, rest := q.split()
	return rest
}

func restLabel(n int) string { return "Show " + strconv.Itoa(n) + " more warnings" }
