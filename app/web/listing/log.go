package listing

import (
	"time"

	"heliograph/app/fault"
	"heliograph/views/ui"
)

// Faults collects the invalid fields of a filter.
type Faults struct{ fault.Fields }

// Choice checks that a value is one of those that are offered.
func (f *Faults) Choice(name, value string, options []ui.Option) string {
	for _, o := range options {
		if o.Value == value {
			return value
		}
	}
	f.Add(name, "Choose a value from the list.")
	return ""
}

// Minute reads a time as datetime-local fields send it, in UTC, or a day.
func (f *Faults) Minute(name, text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= 2000 && t.Year() < 3000 {
			return t
		}
	}
	f.Add(name, "Enter a day and a time in UTC, for example 2026-11-21T14:30.")
	return time.Time{}
}

// Times are the fields that bound a log in time.
func Times(from, to string) []ui.Input {
	return []ui.Input{
		{Name: "from", Label: "From (UTC)", Type: "datetime-local", Value: from},
		{Name: "to", Label: "Before (UTC)", Type: "datetime-local", Value: to},
	}
}

// Clock writes a time with its zone.
func Clock(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05 UTC") }
