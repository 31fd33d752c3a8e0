// Package finding describes what an import could not take over as it was written.
package finding

import (
	"fmt"

	"heliograph/app/documentation/openapi/tree"
)

// Action is what was done about a finding.
type Action string

// The actions.
const (
	Repaired Action = "repaired" // written in another form that means the same
	Dropped  Action = "dropped"  // left out of the documentation
	Kept     Action = "kept"     // kept as text or as an extension that nothing else reads
	Noted    Action = "noted"    // taken over as it is
)

// Actions lists the actions, those that lose most first.
var Actions = []Action{Dropped, Kept, Repaired, Noted}

// Finding is a place of a document and what was done about it.
type Finding struct {
	File    string `json:"file,omitempty"` // within an archive
	Line    int    `json:"line"`           // from 1; 0 for the document as a whole
	Column  int    `json:"column"`         // from 1, in characters
	Place   string `json:"place"`          // JSON pointer or another name of the place
	Action  Action `json:"action"`
	Message string `json:"message"` // a sentence
}

// limit is the number of findings that a list holds.
const limit = 1000

// List collects findings. The zero value is empty.
type List struct {
	All   []Finding
	More  int // findings that are not in All
	known map[Finding]bool
}

// Add adds a finding at a node, which may be nil, once.
func (l *List) Add(action Action, at *tree.Node, place, format string, values ...any) {
	f := Finding{Place: place, Action: action, Message: fmt.Sprintf(format, values...)}
	if at != nil {
		f.Line, f.Column = int(at.Line), int(at.Column)
	}
	l.Put(f)
}

// Put adds a finding once.
func (l *List) Put(f Finding) {
	if l.known[f] {
		return
	}
	if len(l.All) >= limit {
		l.More++
		return
	}
	if l.known == nil {
		l.known = map[Finding]bool{}
	}
	l.known[f] = true
	l.All = append(l.All, f)
}
