// Package catalogue is the published documentation, read only. It can see live
// releases alone, so that whatever is drawn from it, a page, an export or a
// tool's answer, shows only what was published.
//
// A Snapshot is an index of everything that is published: products, versions
// and, of each version, what navigation, addresses and lists need. It is light,
// never changes, and is replaced when something is published. The endpoints
// and schemas themselves are read and compiled one at a time, when a page first
// needs them, and kept within a budget of memory that all versions share.
package catalogue

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"heliograph/db"
)

// defaultBudget is how much memory compiled documentation may take, in bytes.
const defaultBudget = 96 << 20

// Catalogue follows what is published.
type Catalogue struct {
	db      db.Querier
	shelf   *shelf
	wake    chan struct{}
	loads   atomic.Int64 // how many loads have begun
	current atomic.Pointer[Snapshot]
	install sync.Mutex // held while a snapshot takes the place of another
	loaded  int64      // the load that the current snapshot came from
}

// poll is how long a notification may be lost before it is noticed.
const poll = 30 * time.Second

// New makes a catalogue that holds nothing until Refresh or Run. Call it
// before listener.Run.
func New(q db.Querier, listener *db.Listener) *Catalogue {
	c := &Catalogue{db: q, shelf: newShelf(q, defaultBudget), wake: make(chan struct{}, 1)}
	c.current.Store(&Snapshot{})
	listener.Subscribe(func(payload string) {
		if payload != "" && payload != released {
			return
		}
		select {
		case c.wake <- struct{}{}:
		default:
		}
	})
	return c
}

// SetBudget changes how much memory compiled documentation may take, in bytes.
// Call it before the first Refresh.
func (c *Catalogue) SetBudget(bytes int) { c.shelf.budget = bytes }

// released is what editorial.Publish notifies.
const released = "release"

// Snapshot returns what is published now.
func (c *Catalogue) Snapshot() *Snapshot { return c.current.Load() }

// Refresh reads what was published since the last time and swaps the snapshot
// when anything changed. A load that began before another one never replaces
// its result.
func (c *Catalogue) Refresh(ctx context.Context) error {
	number := c.loads.Add(1)
	old := c.current.Load()
	next, err := load(ctx, c.db, c.shelf, old)
	if err != nil {
		return fmt.Errorf("loading the catalogue: %w", err)
	}
	if next == old || !c.swap(next, number) {
		return nil
	}
	c.shelf.report(ctx, next)
	return c.shelf.readAhead(ctx, old, next)
}

// swap installs a snapshot unless a later load has installed one already.
func (c *Catalogue) swap(next *Snapshot, number int64) bool {
	c.install.Lock()
	defer c.install.Unlock()
	if number < c.loaded {
		return false
	}
	c.loaded = number
	c.current.Store(next)
	return true
}

// Run refreshes whenever something is published, and every half minute, until
// ctx ends. While the database is away the last snapshot stays.
func (c *Catalogue) Run(ctx context.Context) {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.wake:
		case <-tick.C:
		}
		if err := c.Refresh(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "the catalogue could not be refreshed; pages show what was published before", "error", err)
		}
	}
}
