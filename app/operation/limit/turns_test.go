package limit

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"heliograph/app/fault"
)

// A caller does one thing at a time, and uses a quarter of the processors in the long run.
func TestTurnsBoundTheWorkOfACaller(t *testing.T) {
	t.Parallel()
	for processors, want := range map[int]time.Duration{1: 27 * time.Second, 2: 52 * time.Second, 8: 100 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			turns, end := newTurns(processors), time.Now().Add(100*time.Second)
			var running, worked atomic.Int64
			var wg sync.WaitGroup
			for range 20 {
				wg.Go(func() {
					for time.Now().Before(end) {
						done, err := turns.Take(t.Context(), "203.0.113.7")
						if err != nil {
							if !fault.Is(err, fault.Unavailable) || fault.As(err).RetryAfter == 0 {
								t.Error(err)
							}
							continue
						}
						if running.Add(1) > 1 {
							t.Error("a caller does two things at once")
						}
						time.Sleep(10 * time.Millisecond)
						running.Add(-1)
						worked.Add(int64(10 * time.Millisecond))
						done(true)
					}
				})
			}
			wg.Wait()
			if got := time.Duration(worked.Load()); got < want-4*time.Second || got > want+2*time.Second {
				t.Errorf("%d processors: %v of work in 100 s, want %v", processors, got, want)
			}
		})
	}
}

// A caller without a share left does not hold others up, and what does not count is free.
func TestTurnsLeaveOthersAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(2)
		for i := range 400 {
			began := time.Now()
			done, err := turns.Take(t.Context(), "203.0.113.7")
			if err != nil || time.Since(began) > 0 {
				t.Fatalf("turn %d after %v: %v", i, time.Since(began), err)
			}
			time.Sleep(10 * time.Millisecond)
			done(false)
		}
		for range 400 {
			done, err := turns.Take(t.Context(), "203.0.113.7")
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
			done(true)
		}
		began := time.Now()
		done, err := turns.Take(t.Context(), "203.0.113.8")
		if err != nil || time.Since(began) > 0 {
			t.Errorf("another caller waited %v: %v", time.Since(began), err)
		}
		done(true)
	})
}

// A caller does one thing at a time also while its work does not count, though others
// of it wait.
func TestTurnsComeOneByOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(8)
		var running, most atomic.Int64
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				for range 20 {
					done, err := turns.Take(t.Context(), "203.0.113.7")
					if err != nil {
						t.Error(err)
						return
					}
					most.Store(max(most.Load(), running.Add(1)))
					time.Sleep(10 * time.Millisecond)
					running.Add(-1)
					done(false)
				}
			})
		}
		wg.Wait()
		if most.Load() != 1 {
			t.Errorf("a caller does %d things at once", most.Load())
		}
		if n := len(turns.callers); n != 0 {
			t.Errorf("%d callers are remembered, though nothing counts", n)
		}
	})
}

// A request gives its place back when its client goes or it waits too long.
func TestTurnsAreGivenBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		turns := newTurns(1)
		var held []func(bool)
		for _, key := range []string{"203.0.113.7", "203.0.113.9"} {
			done, err := turns.Take(t.Context(), key)
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, done)
		}
		for _, key := range []string{"203.0.113.7", "203.0.113.8"} { // its turn, and the only places
			began := time.Now()
			if _, err := turns.Take(t.Context(), key); !fault.Is(err, fault.Unavailable) || time.Since(began) != turnPatience {
				t.Errorf("after %v: %v", time.Since(began), err)
			}
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := turns.Take(gone, key); err == nil {
				t.Error("a client that is gone has a turn")
			}
		}
		for _, done := range held {
			done(true)
		}
		for i := range idleCallers + 10 {
			done, err := turns.Take(t.Context(), fmt.Sprint(i))
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
			done(true)
			time.Sleep(time.Second)
		}
		if n := len(turns.callers); n > idleCallers {
			t.Errorf("%d callers are remembered", n)
		}
	})
}
