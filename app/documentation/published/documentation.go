// Package published reads published documentation. It sees live releases only, so
// that pages, exports and tools that use it show nothing unpublished.
//
// A Snapshot is an index of everything that is published: products, versions
// and, of each version, what navigation, addresses and lists need. It is light,
// never changes, and is replaced when something is published. The endpoints
// and schemas themselves are read and compiled one at a time, when a page first
// needs them, and kept within a budget of memory that all versions share.
package published

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"heliograph/db"
)

// defaultBudget is the memory for compiled documentation, in bytes.
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

// poll is the interval of refreshes, in case a notification is lost.
const poll = 30 * time.Second

// New returns an empty catalogue. Refresh or Run fill it. Call New before
// listener.Run.
func New(q db.Querier, listener *db.Listener) *Catalogue {
	c := &Catalogue{db: q, shelf: newShelf(q, defaultBudget), wake: make(chan struct{}, 1)}
	c.current.Store(&Snapshot{})
	listener.Subscribe(func(payload string) {
		if payload != "" && payload != released && !slices.Contains(galleryChanges, payload) {
			return
		}
		select {
		case c.wake <- struct{}{}:
		default:
		}
	})
	return c
}

// SetBudget sets the memory for compiled documentation, in bytes. Call it
// before the first Refresh.
func (c *Catalogue) SetBudget(bytes int) { c.shelf.budget = bytes }

// ServeFrom sets the public address, which takes the place of [openapi.ExampleURL] in
// what is read. Call it before the first Refresh.
func (c *Catalogue) ServeFrom(publicURL string) { c.shelf.url = strings.TrimSuffix(publicURL, "/") }

// released is the notification of editorial.Publish.
const released = "release"

// Snapshot returns the current snapshot.
func (c *Catalogue) Snapshot() *Snapshot { return c.current.Load() }

// Refresh reads new releases and replaces the snapshot if there are any. A load
// that started before another one never replaces its result.
func (c *Catalogue) Refresh(ctx context.Context) error {
	number := c.loads.Add(1)
	old := c.current.Load()
	next, err := load(ctx, c.db, c.shelf, old)
	if err != nil {
		return fmt.Errorf("loading the catalogue: %w", err)
	}
	if next, err = pictured(ctx, c.db, next, old); err != nil {
		return err
	}
	if next == old || !c.swap(next, number) {
		return nil
	}
	c.shelf.report(ctx, next)
	return c.shelf.readAhead(ctx, old, next)
}

// swap installs a snapshot unless a later load has already installed one.
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

// Run refreshes after every release and every half minute until ctx ends. While
// the database is down the last snapshot stays.
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
