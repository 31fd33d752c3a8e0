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

// Documentation follows what is published.
type Documentation struct {
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

// New returns a Documentation without products. Refresh or Run fill it. Call New before
// listener.Run.
func New(q db.Querier, listener *db.Listener) *Documentation {
	d := &Documentation{db: q, shelf: newShelf(q, defaultBudget), wake: make(chan struct{}, 1)}
	d.current.Store(&Snapshot{})
	listener.Subscribe(func(payload string) {
		if payload != "" && payload != released && !slices.Contains(galleryChanges, payload) {
			return
		}
		select {
		case d.wake <- struct{}{}:
		default:
		}
	})
	return d
}

// SetBudget sets the memory for compiled documentation, in bytes. Call it
// before the first Refresh.
func (d *Documentation) SetBudget(bytes int) { d.shelf.budget = bytes }

// ServeFrom sets the public address, which takes the place of [openapi.ExampleURL] in
// what is read. Call it before the first Refresh.
func (d *Documentation) ServeFrom(publicURL string) { d.shelf.url = strings.TrimSuffix(publicURL, "/") }

// released is the notification of editorial.Publish.
const released = "release"

// Snapshot returns the current snapshot.
func (d *Documentation) Snapshot() *Snapshot { return d.current.Load() }

// Refresh reads new releases and replaces the snapshot if there are any. A load
// that started before another one never replaces its result.
func (d *Documentation) Refresh(ctx context.Context) error {
	number := d.loads.Add(1)
	old := d.current.Load()
	next, err := load(ctx, d.db, d.shelf, old)
	if err != nil {
		return fmt.Errorf("loading the documentation: %w", err)
	}
	if next, err = pictured(ctx, d.db, next, old); err != nil {
		return err
	}
	if next == old || !d.swap(next, number) {
		return nil
	}
	d.shelf.report(ctx, next)
	return d.shelf.readAhead(ctx, old, next)
}

// swap installs a snapshot unless a later load has already installed one.
func (d *Documentation) swap(next *Snapshot, number int64) bool {
	d.install.Lock()
	defer d.install.Unlock()
	if number < d.loaded {
		return false
	}
	d.loaded = number
	d.current.Store(next)
	return true
}

// Run refreshes after every release and every half minute until ctx ends. While
// the database is down the last snapshot stays.
func (d *Documentation) Run(ctx context.Context) {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		case <-tick.C:
		}
		if err := d.Refresh(ctx); err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "the documentation could not be refreshed; pages show what was published before", "error", err)
		}
	}
}
