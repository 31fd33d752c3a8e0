package templates

import (
	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/fault"
)

// The subcodes of code 100 for errors of a template. Their titles are shown to
// users.
const (
	subcodeTooMany      = 2388019
	subcodeTaken        = 2388024
	subcodeTooLong      = 2388040
	subcodeFieldMissing = 2388043
	subcodeFormat       = 2388047
	subcodeFooter       = 2388073
	subcodeFewWords     = 2388293
	subcodeEdge         = 2388299
)

var subtitles = map[int]string{
	subcodeTooMany:      "Too many templates",
	subcodeTaken:        "Name and language are taken",
	subcodeTooLong:      "Text is too long",
	subcodeFieldMissing: "A field is missing",
	subcodeFormat:       "Header or body has the wrong format",
	subcodeFooter:       "Footer has the wrong format",
	subcodeFewWords:     "Too many variables for the length of the text",
	subcodeEdge:         "Variable at the start or end",
}

// refuse is like reject for errors of a template that have a subcode.
func refuse(subcode int, field, detail string, args ...any) error {
	f := fault.As(refusal.New(refusal.Invalid, field, detail, args...))
	f.Subcode, f.Title = subcode, subtitles[subcode]
	return f
}
