// Package catalogue is the published documentation, read only and in memory.
// It can see live releases alone, so that whatever is drawn from it, a page, an
// export or a tool's answer, shows only what was published.
//
// A Snapshot never changes; a new one takes its place when something is
// published. Releases are compiled once per process.
package catalogue

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"heliograph/db"
)

// Catalogue follows what is published.
type Catalogue struct {
	db      db.Querier
	current atomic.Pointer[Snapshot]
	wake    chan struct{}
}

// poll is how long a notification may be lost before it is noticed.
const poll = 30 * time.Second

// New makes a catalogue that holds nothing until Refresh or Run. Call it
// before listener.Run.
func New(q db.Querier, listener *db.Listener) *Catalogue {
	c := &Catalogue{db: q, wake: make(chan struct{}, 1)}
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

// released is what editorial.Publish notifies.
const released = "release"

// Snapshot returns what is published now.
func (c *Catalogue) Snapshot() *Snapshot { return c.current.Load() }

// Refresh reads the database and swaps the snapshot when anything changed.
func (c *Catalogue) Refresh(ctx context.Context) error {
	next, err := load(ctx, c.db, c.current.Load())
	if err != nil {
		return fmt.Errorf("loading the catalogue: %w", err)
	}
	c.current.Store(next)
	return nil
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
			slog.WarnContext(ctx, "the catalogue stays as it was", "error", err)
		}
	}
}
