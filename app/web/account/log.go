package account

import (
	"strconv"
	"time"

	"github.com/dustin/go-humanize"

	"heliograph/app/fault"
	"heliograph/app/web/listing"
	"heliograph/db/queries"
	"heliograph/views/ui"
)

const (
	messagesPath   = "/account/messages"
	deliveriesPath = "/account/deliveries"
	webhooksPath   = "/account/webhooks"
	usagePath      = "/account/usage"
)

func deliveryPath(id int64) string { return deliveriesPath + "/" + strconv.FormatInt(id, 10) }

// faults collects the invalid fields of a filter.
type faults []fault.Field

func (f *faults) add(name, message string) {
	*f = append(*f, fault.Field{Name: name, Message: message})
}

// choice checks that a value is one of those that are offered.
func (f *faults) choice(name, value string, options []ui.Option) string {
	for _, o := range options {
		if o.Value == value {
			return value
		}
	}
	f.add(name, "Choose a value from the list.")
	return ""
}

// minute reads a time as datetime-local fields send it, in UTC, or a day.
func (f *faults) minute(name, text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= 2000 && t.Year() < 3000 {
			return t
		}
	}
	f.add(name, "Enter a day and a time in UTC, for example 2026-11-21T14:30.")
	return time.Time{}
}

func (f *faults) err() error {
	if len(*f) == 0 {
		return nil
	}
	return fault.InvalidFields(*f...)
}

// readPages reads the pages of a log that a browser shows. next is the place in
// the filter where read goes on.
func readPages[Item, Place any](pages int, next *Place, read func() (queries.LogPage[Item, Place], error)) (all queries.LogPage[Item, Place], err error) {
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

// looked says how far a filter that matches few rows has looked, where there may
// be more of them.
func looked(l listing.List, list *ui.Listing, reached time.Time) {
	rest := &list.Table.Rest
	if !rest.Link.Exists() || len(list.Table.Rows) == l.Rows() {
		return
	}
	what := "Searched"
	if len(list.Table.Rows) == 0 {
		what = "Nothing found"
	}
	rest.Link.Label, rest.Note = "Search further back", what+" back to "+clock(reached)+". There may be older ones."
	if l.Reversed() {
		rest.Link.Label, rest.Note = "Search on", what+" up to "+clock(reached)+". There may be newer ones."
	}
}

// clock writes a time with its zone.
func clock(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05 UTC") }

// moment is a cell with a time under a heading that names the zone. The age of
// the time is its title.
func moment(t time.Time) ui.Cell {
	return ui.Moment(t)
}

func comma(n int) string { return humanize.Comma(int64(n)) }

// decimal writes tenths.
func decimal(tenths int) string { return strconv.Itoa(tenths/10) + "." + strconv.Itoa(tenths%10) }
