package logs

import (
	"time"

	"heliograph/app/web/listing"
	queries "heliograph/db/queries/channels"
	"heliograph/views/ui"
)

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

// sayReached says how far a filter that matches few rows has looked, where there may
// be more of them.
func sayReached(l listing.List, list *ui.Listing, reached time.Time) {
	rest := &list.Table.Rest
	if !rest.Link.Exists() || len(list.Table.Rows) == l.Rows() {
		return
	}
	what := "Searched"
	if len(list.Table.Rows) == 0 {
		what = "Nothing found"
	}
	rest.Link.Label, rest.Note = "Search further back", what+" back to "+listing.Clock(reached)+". There may be older ones."
	if l.Reversed() {
		rest.Link.Label, rest.Note = "Search on", what+" up to "+listing.Clock(reached)+". There may be newer ones."
	}
}
