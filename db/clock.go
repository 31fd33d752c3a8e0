package db

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// maxClockOffset is how far the clock of a process may be from the database's.
// Receivers of callbacks refuse timestamps that are further away.
const maxClockOffset = 5 * time.Minute

const (
	clockEvery = 10 * time.Second // the pause between two looks at the clock
	clockAwait = time.Second
	// clockSlow is the time of an answer that says too little about the clock.
	clockSlow = time.Second
)

// Clock compares the clock of this process with the clock of the database, by which
// jobs are due. The processes on a database agree on the time as far as their
// clocks agree with it.
type Clock struct {
	pool   *pgxpool.Pool
	offset atomic.Int64
}

// NewClock returns a clock that is taken to be right until it was checked.
func NewClock(pool *pgxpool.Pool) *Clock { return &Clock{pool: pool} }

// Offset returns how far the clock of this process was ahead of the database's
// when it was last checked; it is negative for one that is behind.
func (c *Clock) Offset() time.Duration { return time.Duration(c.offset.Load()) }

// IsRight reports whether the clock is close enough to the database's.
func (c *Clock) IsRight() bool { return c.Offset().Abs() <= maxClockOffset }

// Now returns the time. While the clock of this process is wrong, it is the
// database's.
func (c *Clock) Now() time.Time {
	if c.IsRight() {
		return time.Now()
	}
	return time.Now().Add(-c.Offset())
}

// Run checks the clock until ctx ends, and logs when it goes wrong and is right
// again.
func (c *Clock) Run(ctx context.Context) {
	ticker := time.NewTicker(clockEvery)
	defer ticker.Stop()
	for {
		was := c.IsRight()
		_ = c.Check(ctx) // others tell of a database that does not answer
		switch is := c.IsRight(); {
		case was && !is:
			slog.ErrorContext(ctx, "the clock of this process is wrong", "ahead", c.Offset().Round(time.Second).String())
		case !was && is:
			slog.InfoContext(ctx, "the clock of this process is right again")
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Check asks the database for the time and compares. An answer that takes a second
// changes nothing.
func (c *Clock) Check(ctx context.Context) error {
	var there time.Time
	asked := time.Now()
	if err := c.pool.QueryRow(ctx, `select clock_timestamp()`).Scan(&there); err != nil {
		return err
	}
	if took := time.Since(asked); took < clockSlow {
		c.offset.Store(int64(asked.Add(took / 2).Sub(there)))
	}
	return nil
}

// Await waits until the clock is right, or wrong, as asked. It reports false if ctx
// ended first.
func (c *Clock) Await(ctx context.Context, right bool) bool {
	for c.IsRight() != right {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(clockAwait):
		}
	}
	return ctx.Err() == nil
}
