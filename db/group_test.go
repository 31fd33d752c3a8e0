package db

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestGroupSharesTransactionsUnderLoad(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newHeldGroup()
		g.send(t, 1)
		g.send(t, groupCrowd-1) // one more would get a transaction of their own
		g.end(0)
		g.end(1)
		g.expect(t, 1, groupCrowd-1)
	})
}

// Of two transactions, the one that ends first leaves few who wait to the other.
func TestGroupWaitsForTheOtherTransaction(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newHeldGroup()
		g.send(t, 1)
		g.send(t, groupCrowd)
		g.send(t, 2)
		g.end(1)
		g.expect(t, 1, groupCrowd)
		g.send(t, 3)
		g.end(0)
		g.end(2)
		g.expect(t, 1, groupCrowd, 5)
	})
}

// A transaction that hangs holds up no caller who comes later, whether or not another
// transaction is under way.
func TestGroupDoesNotWaitForATransactionThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newHeldGroup()
		g.send(t, 1)
		time.Sleep(groupPatience)
		g.send(t, 1)
		g.send(t, 2)
		g.end(1)
		g.end(2)
		g.expect(t, 1, 1, 2)
		g.end(0)
	})
}

// heldGroup is a group of transactions that a test ends. Each caller's item is 1.
type heldGroup struct {
	*Group[int]
	sizes []int           // of the transactions, in the order in which they began
	held  []chan struct{} // closed to end each of them
}

func newHeldGroup() *heldGroup {
	h := &heldGroup{}
	var mu sync.Mutex
	h.Group = NewGroup(func(_ context.Context, items []int) error {
		held := make(chan struct{})
		mu.Lock()
		h.sizes, h.held = append(h.sizes, len(items)), append(h.held, held)
		mu.Unlock()
		<-held
		return nil
	})
	return h
}

// send lets so many callers come, and returns when each waits.
func (h *heldGroup) send(t *testing.T, callers int) {
	for range callers {
		go func() {
			if err := h.Do(context.Background(), 1); err != nil {
				t.Error(err)
			}
		}()
	}
	synctest.Wait()
}

// end ends a transaction and returns when all that follows from it has happened.
func (h *heldGroup) end(n int) {
	close(h.held[n])
	synctest.Wait()
}

func (h *heldGroup) expect(t *testing.T, sizes ...int) {
	t.Helper()
	if !slices.Equal(h.sizes, sizes) {
		t.Errorf("transactions of %v callers, want %v", h.sizes, sizes)
	}
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
	synctest.Test(t, func(t *testing.T) {
		g := newHeldGroup()
		g.send(t, groupParallel*groupMax+groupCrowd)
		if len(g.held) != groupParallel {
			t.Errorf("%d transactions run at a time, want %d", len(g.held), groupParallel)
		}
		for n := 0; n < len(g.held); n++ { // more begin as others end
			g.end(n)
		}
	})
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

// Expected callers go together with earlier ones, or are not waited for any longer once
// they leave or take too long.
func TestGroupWaitsForCallersWhoAreExpected(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		after func(g *heldGroup)
		want  []int
	}{
		"they come":             {func(g *heldGroup) { g.come(2) }, []int{3}},
		"one leaves":            {func(g *heldGroup) { g.come(1); g.Leave(); synctest.Wait() }, []int{2}},
		"they are late":         {func(g *heldGroup) { time.Sleep(groupGather); synctest.Wait(); g.come(2) }, []int{1, 2}},
		"others come meanwhile": {func(g *heldGroup) { go g.Do(context.Background(), 1); synctest.Wait(); g.come(2) }, []int{4}}, //nolint:errcheck // see expect
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newHeldGroup()
				g.Expect(3)
				g.come(1)
				g.mu.Lock() // the timer of the group takes it before a transaction begins
				if len(g.sizes) > 0 {
					t.Error("a transaction began before the others came")
				}
				g.mu.Unlock()
				tt.after(g)
				for i := range tt.want {
					g.end(i)
				}
				g.expect(t, tt.want...)
			})
		})
	}
}

// come lets so many announced callers come.
func (h *heldGroup) come(n int) {
	for range n {
		go h.DoExpected(context.Background(), 1) //nolint:errcheck // see expect
	}
	synctest.Wait()
}
