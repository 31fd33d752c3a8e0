package listen

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"time"

	"heliograph/app/fault"
	queries "heliograph/db/queries/channels"
)

// settled is how long after its time a callback can still appear: its transaction may
// end after one that began later.
const settled = time.Minute

// mostSeen is how many callbacks a cursor remembers. It bounds the address of a request.
const mostSeen = 800

// cursor is how far a listener has come: everything before a time, and what was seen
// after it. Programs get it as text and send it back. Its time is a whole millisecond,
// because the times of what was seen are kept in milliseconds after it.
type cursor struct {
	at   time.Time
	seen []queries.EventPlace // in the order of their ids
}

// newCursor returns the cursor of a time.
func newCursor(at time.Time) cursor { return cursor{at: at.Truncate(time.Millisecond)} }

// text writes a cursor.
func (c cursor) text() string {
	b := binary.AppendVarint(nil, c.at.UnixMicro())
	last := int64(0)
	for _, s := range c.seen {
		b = binary.AppendVarint(b, s.ID-last)
		b = binary.AppendVarint(b, s.CreatedAt.Sub(c.at).Milliseconds())
		last = s.ID
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

var errCursor = fault.InvalidFields(fault.Field{Name: "after", Message: "Send the value of next from the previous answer, or leave out after to begin now."})

// parseCursor reads a cursor.
func parseCursor(text string) (c cursor, err error) {
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return c, errCursor
	}
	next := func() int64 {
		n, size := binary.Varint(b)
		if size <= 0 {
			err = errCursor
			return 0
		}
		b = b[size:]
		return n
	}
	c.at = time.UnixMicro(next())
	for id := int64(0); len(b) > 0 && err == nil; {
		id += next()
		after := next()
		if after < 0 || after > 2*settled.Milliseconds()*10 || len(c.seen) >= mostSeen || id <= 0 {
			return c, errCursor
		}
		c.seen = append(c.seen, queries.EventPlace{ID: id, CreatedAt: c.at.Add(time.Duration(after) * time.Millisecond)})
	}
	if year := c.at.Year(); err == nil && (year < 2000 || year > 2200) {
		err = errCursor
	}
	return c, err
}

// ids returns what was seen.
func (c cursor) ids() []int64 {
	ids := make([]int64, len(c.seen))
	for i, s := range c.seen {
		ids[i] = s.ID
	}
	return ids
}

// advance returns the cursor after callbacks, which are in the order of their times. more
// says that others are waiting. now is the time of the database.
func (c cursor) advance(taken []queries.EventPlace, more bool, now time.Time) cursor {
	next := cursor{at: now.Add(-settled)}
	if more && len(taken) > 0 && taken[len(taken)-1].CreatedAt.Before(next.at) {
		next.at = taken[len(taken)-1].CreatedAt
	}
	if next.at.Before(c.at) {
		next.at = c.at
	}
	next.at = next.at.Truncate(time.Millisecond)
	all := slices.Concat(c.seen, taken)
	slices.SortFunc(all, func(a, b queries.EventPlace) int { return a.CreatedAt.Compare(b.CreatedAt) })
	if over := len(all) - mostSeen; over > 0 {
		// What was seen in the last millisecond that is forgotten is forgotten together.
		if at := all[over-1].CreatedAt.Truncate(time.Millisecond).Add(time.Millisecond); at.After(next.at) {
			next.at = at
		}
	}
	for _, s := range all {
		if !s.CreatedAt.Before(next.at) {
			next.seen = append(next.seen, s)
		}
	}
	slices.SortFunc(next.seen, func(a, b queries.EventPlace) int { return int(a.ID - b.ID) })
	return next
}
