package db

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"
)

func TestGroupSharesTransactionsUnderLoad(t *testing.T) {
	t.Parallel()
	const crowd = groupCrowd - 1 // one more would get a transaction of their own
	begun, release := make(chan struct{}, 1+crowd), make(chan struct{})
	var mu sync.Mutex
	var sizes []int
	var seen []int
	g := NewGroup(func(_ context.Context, items []int) error {
		mu.Lock()
		sizes, seen = append(sizes, len(items)), append(seen, items...)
		mu.Unlock()
		begun <- struct{}{}
		<-release
		return nil
	})
	var wg sync.WaitGroup
	send := func(n int) {
		wg.Go(func() {
			if err := g.Do(t.Context(), n); err != nil {
				t.Error(err)
			}
		})
	}
	send(0)
	<-begun
	for n := range crowd {
		send(n + 1)
	}
	for end := time.Now().Add(time.Minute); g.queued() < crowd && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	close(release)
	wg.Wait()
	slices.Sort(seen)
	if len(seen) != 1+crowd || len(slices.Compact(seen)) != 1+crowd {
		t.Errorf("%d items were committed, want each of %d once", len(seen), 1+crowd)
	}
	if len(sizes) != 2 {
		t.Errorf("transactions of %v items, want 1 and %d", sizes, crowd)
	}
}

func (g *Group[T]) queued() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting)
}

func TestGroupServesACrowdBesideATransactionThatHangs(t *testing.T) {
	t.Parallel()
	hung, release := make(chan struct{}), make(chan struct{})
	g := NewGroup(func(_ context.Context, items []int) error {
		if items[0] == 0 {
			close(hung)
			<-release
		}
		return nil
	})
	go g.Do(t.Context(), 0) //nolint:errcheck // the outcome does not matter
	defer close(release)
	<-hung
	var wg sync.WaitGroup
	for n := range groupCrowd {
		wg.Go(func() {
			if err := g.Do(t.Context(), n+1); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}

// However many wait, no more than groupParallel transactions run at a time.
func TestGroupBoundsItsTransactions(t *testing.T) {
	t.Parallel()
	const crowd = groupParallel*groupMax + groupCrowd
	release := make(chan struct{})
	g := NewGroup(func(context.Context, []int) error {
		<-release
		return nil
	})
	var wg sync.WaitGroup
	for n := range crowd {
		wg.Go(func() { g.Do(t.Context(), n) }) //nolint:errcheck // nothing fails
	}
	for end := time.Now().Add(time.Minute); g.queued() < groupCrowd && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	g.mu.Lock()
	running := g.running
	g.mu.Unlock()
	if running != groupParallel {
		t.Errorf("%d transactions run at a time, want %d", running, groupParallel)
	}
	close(release)
	wg.Wait()
}

func TestGroupTriesEachAloneWhenTogetherFails(t *testing.T) {
	t.Parallel()
	bad := errors.New("bad item")
	var gate sync.WaitGroup
	gate.Add(1)
	g := NewGroup(func(_ context.Context, items []int) error {
		gate.Wait()
		if slices.Contains(items, 7) {
			return bad
		}
		return nil
	})
	results := make([]error, 20)
	var wg sync.WaitGroup
	for n := range results {
		wg.Go(func() { results[n] = g.Do(t.Context(), n) })
	}
	gate.Done()
	wg.Wait()
	for n, err := range results {
		if (n == 7) != errors.Is(err, bad) {
			t.Errorf("item %d: %v", n, err)
		}
	}
}

func TestGroupStopsWaitingWithItsCaller(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	g := NewGroup(func(context.Context, []int) error { <-release; return nil })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := g.Do(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the caller's cancellation", err)
	}
}

// A transaction that hangs is given up in time, for all who share it, and is
// not repeated for each of them.
func TestGroupBoundsATransaction(t *testing.T) {
	t.Parallel()
	var left time.Duration
	calls := 0
	g := NewGroup(func(ctx context.Context, _ []int) error {
		calls++
		deadline, _ := ctx.Deadline()
		left = time.Until(deadline)
		return nil
	})
	if err := g.Do(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if left < 8*time.Second || left > 10*time.Second {
		t.Errorf("a transaction has %s, want 10 s", left)
	}
	late, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	g = NewGroup(func(ctx context.Context, items []int) error {
		calls++
		<-ctx.Done()
		return ctx.Err()
	})
	calls = 0
	batch := []*grouped[int]{{1, make(chan error, 1)}, {2, make(chan error, 1)}}
	g.answer(late, batch)
	for _, one := range batch {
		if err := <-one.done; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a caller gets %v, want that the time is over", err)
		}
	}
	if calls != 1 {
		t.Errorf("the transaction was tried %d times, want once", calls)
	}
}
