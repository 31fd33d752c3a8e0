package mcp

import (
	"encoding/base64"
	"encoding/json"
	"hash/fnv"
)

// cursor is a place in a list: the number of entries before it, the query and
// the state of the documentation that it belongs to.
type cursor struct {
	Offset int    `json:"o"`
	Query  uint64 `json:"q"`
}

// page is the part of a list that was asked for.
type page struct {
	offset, limit int
	query         uint64
}

// page reads the cursor and the limit of a call. A cursor works for the same
// arguments and until the next publication.
func (l library) page(args arguments, standard, most int) (page, error) {
	p := page{limit: standard}
	if args.Limit != nil {
		if p.limit = int(*args.Limit); p.limit < 1 || p.limit > most {
			return p, mistakef("limit is %d. Use a number from 1 to %d.", p.limit, most)
		}
	}
	given := args.Cursor
	args.Cursor, args.Limit = "", nil
	h := fnv.New64a()
	_ = json.NewEncoder(h).Encode([]any{args, l.now.Stamp, l.scope}) // strings and numbers
	p.query = h.Sum64()
	if given == "" {
		return p, nil
	}
	var c cursor
	raw, err := base64.RawURLEncoding.DecodeString(given)
	if err != nil || json.Unmarshal(raw, &c) != nil || c.Offset < 0 {
		return p, mistake("This cursor was not made by this server. Leave cursor out to start from the beginning.")
	}
	if c.Query != p.query {
		return p, mistake("This cursor belongs to other arguments, or the documentation was published again since. Leave cursor out to start from the beginning.")
	}
	p.offset = c.Offset
	return p, nil
}

// cut returns the entries of the page, and the cursor of the next one, empty at
// the end.
func cut[T any](p page, list []T) (part []T, next string) {
	from := min(p.offset, len(list))
	to := min(from+p.limit, len(list))
	if to < len(list) {
		raw, _ := json.Marshal(cursor{to, p.query}) // numbers
		next = base64.RawURLEncoding.EncodeToString(raw)
	}
	return append([]T{}, list[from:to]...), next
}
