package db

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Group lets callers share transactions. Those who come while one is under way
// wait, and go into the next one together; whoever finds nobody there goes at
// once, alone. The busier it is the fewer transactions there are to a caller.
// When a crowd waits it gets a transaction beside the others, and so does whoever
// finds only transactions that hang. Expected callers are waited for, but not
// for long.
type Group[T any] struct {
	commit func(ctx context.Context, items []T) error

	mu       sync.Mutex
	waiting  []*grouped[T]
	began    [groupParallel]time.Time // when each transaction under way began; zero where there is none
	expected int                      // callers that come soon, or leave
	timed    bool                     // the wait for them ends by itself
	overdue  bool                     // it has ended
}

type grouped[T any] struct {
	item T
	done chan error
}

// What a transaction costs by itself is as much as several of its rows, so that a
// second one at the same time only pays for some that wait. Meanwhile the first one
// waits for the disk, and the database commits both together.
const (
	groupParallel = 4   // transactions at once
	groupCrowd    = 32  // how many wait when another begins beside one that is under way
	groupMax      = 256 // callers in one transaction
	// A transaction that takes longer is not waited for.
	groupPatience = 500 * time.Millisecond
	// Expected callers are waited for so long.
	groupGather = 2 * time.Millisecond
	// A transaction that takes longer is given up.
	groupTimeout = 10 * time.Second
)

// NewGroup makes a group of what commit does, in a transaction of its own, for
// all items or for none of them.
func NewGroup[T any](commit func(ctx context.Context, items []T) error) *Group[T] {
	return &Group[T]{commit: commit}
}

// Do waits until the item is committed. When a group fails, each of its items
// is tried alone, so that one cannot spoil the others, unless it failed because
// the database is away. When ctx ends, Do returns at once and the outcome of
// the item is unknown.
func (g *Group[T]) Do(ctx context.Context, item T) error { return g.do(ctx, item, 0) }

// Expect announces callers, so that earlier ones wait and go together
// with them. Each of them calls DoExpected, or Leave.
func (g *Group[T]) Expect(callers int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expected += callers
}

// DoExpected is Do for an announced caller.
func (g *Group[T]) DoExpected(ctx context.Context, item T) error { return g.do(ctx, item, 1) }

// Leave says that an announced caller does not come.
func (g *Group[T]) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.expected--
	g.begin(context.Background())
}

func (g *Group[T]) do(ctx context.Context, item T, announced int) error {
	me := &grouped[T]{item, make(chan error, 1)}
	g.mu.Lock()
	g.expected -= announced
	g.waiting = append(g.waiting, me)
	g.begin(context.WithoutCancel(ctx))
	g.mu.Unlock()
	select {
	case err := <-me.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin begins a transaction if the waiting ones need it and there may be another.
func (g *Group[T]) begin(ctx context.Context) {
	if len(g.waiting) == 0 {
		return
	}
	if slot := slices.IndexFunc(g.began[:], time.Time.IsZero); slot >= 0 && g.due() {
		g.began[slot] = time.Now()
		go g.run(ctx, slot)
	}
}

// gathers reports whether the waiting ones go on waiting for expected callers.
func (g *Group[T]) gathers() bool {
	if g.expected == 0 || g.overdue || len(g.waiting) >= groupMax {
		return false
	}
	if !g.timed {
		g.timed = true
		time.AfterFunc(groupGather, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.timed, g.overdue = false, len(g.waiting) > 0
			g.begin(context.Background())
		})
	}
	return true
}

// due reports whether the waiting ones need a transaction now. Otherwise others come soon,
// or there are few of them, and one that is under way ends soon and is followed by theirs.
func (g *Group[T]) due() bool {
	if g.gathers() {
		return false
	}
	now := time.Now()
	return len(g.waiting) >= groupCrowd || !slices.ContainsFunc(g.began[:], func(began time.Time) bool {
		return now.Sub(began) < groupPatience
	})
}

// run commits until nobody waits, or few and another transaction ends soon.
func (g *Group[T]) run(ctx context.Context, slot int) {
	for {
		g.mu.Lock()
		g.began[slot] = time.Time{}
		if len(g.waiting) == 0 || !g.due() {
			g.mu.Unlock()
			return
		}
		g.began[slot], g.overdue = time.Now(), false
		n := min(len(g.waiting), groupMax)
		batch := g.waiting[:n:n]
		g.waiting = g.waiting[n:]
		g.mu.Unlock()
		g.answer(ctx, batch)
	}
}

func (g *Group[T]) answer(ctx context.Context, batch []*grouped[T]) {
	bounded, cancel := context.WithTimeout(ctx, groupTimeout)
	defer cancel()
	items := make([]T, len(batch))
	for i, one := range batch {
		items[i] = one.item
	}
	err := g.commit(bounded, items)
	if err != nil && len(batch) > 1 && bounded.Err() == nil && !IsUnreachable(err) {
		for _, one := range batch {
			g.answer(ctx, []*grouped[T]{one})
		}
		return
	}
	for _, one := range batch {
		one.done <- err
	}
}
