package listing

import (
	"time"

	"heliograph/app/fault"
	queries "heliograph/db/queries/channels"
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

// ReadPages reads the pages of a log that a browser shows. next is the place in
// the filter where read goes on.
func ReadPages[Item, Place any](pages int, next *Place, read func() (queries.LogPage[Item, Place], error)) (all queries.LogPage[Item, Place], err error) {
	for range pages {
		found, err := read()
		if err != nil {
			return all, err
		}
		found.Items = append(all.Items, found.Items...)
		if all = found; !found.More {
			break
		}
		*next = found.Next
	}
	return all, nil
}

// Looked says how far a filter that matches few rows has Looked, where there may
// be more of them.
func Looked(l List, list *ui.Listing, reached time.Time) {
	rest := &list.Table.Rest
	if !rest.Link.Exists() || len(list.Table.Rows) == l.Rows() {
		return
	}
	what := "Searched"
	if len(list.Table.Rows) == 0 {
		what = "Nothing found"
	}
	rest.Link.Label, rest.Note = "Search further back", what+" back to "+Clock(reached)+". There may be older ones."
	if l.Reversed() {
		rest.Link.Label, rest.Note = "Search on", what+" up to "+Clock(reached)+". There may be newer ones."
	}
}

// Clock writes a time with its zone.
func Clock(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05 UTC") }
