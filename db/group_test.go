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
	begun, release := make(chan struct{}, 102), make(chan struct{})
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
	send(1)
	<-begun // as many transactions as there may be are under way
	for n := range 100 {
		send(n + 2)
	}
	queued := func() int {
		g.mu.Lock()
		defer g.mu.Unlock()
		return len(g.waiting)
	}
	for end := time.Now().Add(10 * time.Second); queued() < 100 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	close(release)
	wg.Wait()
	slices.Sort(seen)
	if len(seen) != 102 || len(slices.Compact(seen)) != 102 {
		t.Errorf("%d items were committed, want each of 102 once", len(seen))
	}
	if len(sizes) != 3 {
		t.Errorf("transactions of %v items, want 1, 1 and 100", sizes)
	}
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
