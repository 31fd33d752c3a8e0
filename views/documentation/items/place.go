package items

import (
	"cmp"
	"regexp"

	"github.com/a-h/templ"

	"heliograph/views/documentation/drafts"
)

// place is a place in a text that a message begins with.
type place struct {
	name, line, column string
	rest               string // the message after it
}

// placed is how messages name a line and a column, which may be missing.
var placed = regexp.MustCompile(`^(Line (\d+)(?:, column (\d+))?): (.*)$`)

// placeOf cuts the place off a message.
func placeOf(text string) place {
	m := placed.FindStringSubmatch(text)
	if m == nil {
		return place{rest: text}
	}
	return place{m[1], m[2], cmp.Or(m[3], "1"), m[4]}
}

func (p place) isKnown() bool { return p.line != "" }

func (p place) attributes() templ.Attributes {
	return templ.Attributes{"data-line": p.line, "data-column": p.column}
}

// labelOf names what a finding is about.
func labelOf(f drafts.Finding) string { return cmp.Or(f.Link.Label, "The whole") }
