package listen

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"heliograph/app/fault"
	queries "heliograph/db/queries/channels"
)

// A cursor keeps what it says as text, and no other text is taken.
func TestCursorsAreRead(t *testing.T) {
	t.Parallel()
	at := time.UnixMicro(1_790_000_000_000_000)
	c := cursor{at: at, seen: []queries.EventPlace{{ID: 7, CreatedAt: at}, {ID: 9, CreatedAt: at.Add(time.Second)}}}
	got, err := parseCursor(c.text())
	if err != nil || !got.at.Equal(at) || !slices.Equal(got.ids(), []int64{7, 9}) || !got.seen[1].CreatedAt.Equal(at.Add(time.Second)) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, wrong := range []string{"x", "!!", "AA", "////", c.text() + "g", c.text()[:3], "gJDR7MzUsAYB"} {
		if _, err := parseCursor(wrong); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q is read: %v", wrong, err)
		}
	}
}

// Every callback is returned once, even if transactions commit late and out of order.
func TestCursorsLoseAndRepeatNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	start := time.UnixMicro(1_790_000_000_000_000)
	type stored struct {
		queries.EventPlace
		visible time.Time
	}
	var all []stored
	for i := range 3000 {
		created := start.Add(time.Duration(random.IntN(600_000)) * time.Millisecond)
		all = append(all, stored{queries.EventPlace{ID: int64(1 + i), CreatedAt: created}, created.Add(time.Duration(random.IntN(20_000)) * time.Millisecond)})
	}
	slices.SortFunc(all, func(a, b stored) int { return a.CreatedAt.Compare(b.CreatedAt) })
	given := map[int64]int{}
	c := cursor{at: start}
	for now := start; now.Before(start.Add(700 * time.Second)); now = now.Add(time.Duration(1+random.IntN(4000)) * time.Millisecond) {
		for more := true; more; {
			var page []queries.EventPlace
			seen := c.ids()
			for _, s := range all {
				if !s.CreatedAt.Before(c.at) && !s.visible.After(now) && !slices.Contains(seen, s.ID) {
					page = append(page, s.EventPlace)
				}
			}
			if more = len(page) > mostEvents; more {
				page = page[:mostEvents]
			}
			for _, p := range page {
				given[p.ID]++
			}
			text := c.advance(page, more, now).text()
			if len(text) > 8000 {
				t.Fatalf("a cursor has %d characters", len(text))
			}
			var err error
			if c, err = parseCursor(text); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, s := range all {
		if given[s.ID] != 1 {
			t.Errorf("callback %d was given %d times", s.ID, given[s.ID])
		}
	}
}

// More callbacks than a cursor remembers are returned once, too, at times between
// milliseconds and many in the same one.
func TestCursorsRepeatNothingOfABurst(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	start := time.UnixMicro(1_790_000_000_000_678)
	var all []queries.EventPlace
	for created := start; len(all) < 4*mostSeen; created = created.Add(time.Duration(random.IntN(900)) * time.Microsecond) {
		all = append(all, queries.EventPlace{ID: int64(1 + len(all)), CreatedAt: created})
	}
	given := map[int64]int{}
	c := newCursor(start)
	for range 2 * len(all) / mostEvents {
		var page []queries.EventPlace
		seen := c.ids()
		for _, e := range all {
			if len(page) < mostEvents && !e.CreatedAt.Before(c.at) && !slices.Contains(seen, e.ID) {
				page = append(page, e)
			}
		}
		for _, e := range page {
			given[e.ID]++
		}
		var err error
		if c, err = parseCursor(c.advance(page, len(page) == mostEvents, start.Add(3*time.Second)).text()); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range all {
		if given[e.ID] != 1 {
			t.Errorf("callback %d was given %d times", e.ID, given[e.ID])
		}
	}
}
