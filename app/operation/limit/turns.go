package limit

import (
	"context"
	"runtime"
	"sync"
	"time"

	"heliograph/app/fault"
)

// Turns bounds the work for callers without a key, so that it leaves the processors to
// others. A caller does one thing at a time, and uses a quarter of the processors in the
// long run; all callers together do twice as many things at once as there are processors,
// since things wait for the database, too. What comes too early waits for its turn: an
// answer at once would be asked for again at once.
type Turns struct {
	pace    float64 // how long a caller waits for each second of work
	running chan struct{}

	mu      sync.Mutex
	callers map[string]*caller
}

// caller is what a caller does and has done.
type caller struct {
	turn  chan struct{}
	users int       // requests that have the turn or wait for it
	paid  time.Time // until then its work has used its share
}

const (
	// turnPatience is how long a request waits for its turn.
	turnPatience = 2 * time.Second
	// turnBurst is how much of its share a caller may use at once.
	turnBurst = 4 * time.Second
	// turnCost is the most that one turn costs: waiting for a slow database is no work.
	turnCost = 250 * time.Millisecond
	// idleCallers is how many callers are remembered. Beyond that, callers with a whole
	// share are forgotten.
	idleCallers = 1000
)

// NewTurns returns turns for the processors of this process.
func NewTurns() *Turns { return newTurns(runtime.GOMAXPROCS(0)) }

func newTurns(processors int) *Turns {
	return &Turns{pace: 4 / float64(processors), running: make(chan struct{}, 2*processors), callers: map[string]*caller{}}
}

// Take waits for the turn of a caller. Call done when the work has ended, and say
// whether it counts against the share. A caller that waits too long is refused as
// Unavailable.
func (t *Turns) Take(ctx context.Context, key string) (done func(counts bool), err error) {
	ctx, cancel := context.WithTimeout(ctx, turnPatience)
	defer cancel()
	c := t.enter(key)
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		t.leave(key, c, 0)
		return nil, lateTurn(ctx)
	}
	if !t.await(ctx, c) {
		<-c.turn
		t.leave(key, c, 0)
		return nil, lateTurn(ctx)
	}
	began := time.Now()
	return func(counts bool) {
		cost := time.Duration(0)
		if counts {
			cost = min(time.Since(began), turnCost)
		}
		<-t.running
		t.leave(key, c, cost)
		<-c.turn
	}, nil
}

// await waits until a caller that has its turn may begin.
func (t *Turns) await(ctx context.Context, c *caller) bool {
	t.mu.Lock()
	wait := time.Until(c.paid.Add(-turnBurst))
	t.mu.Unlock()
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return false
		}
	}
	select {
	case t.running <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// enter counts a request of a caller.
func (t *Turns) enter(key string) *caller {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.callers[key]
	if c == nil {
		c = &caller{turn: make(chan struct{}, 1)}
		t.callers[key] = c
	}
	c.users++
	return c
}

// leave ends a request of a caller and counts its work.
func (t *Turns) leave(key string, c *caller, cost time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	if c.paid.Before(now) {
		c.paid = now
	}
	c.paid = c.paid.Add(time.Duration(float64(cost) * t.pace))
	if c.users--; c.users == 0 && !c.paid.After(now) {
		delete(t.callers, key)
	}
	if len(t.callers) > idleCallers {
		for key, c := range t.callers {
			if c.users == 0 && !c.paid.After(now) {
				delete(t.callers, key)
			}
		}
	}
}

// lateTurn is the fault of a request that waited too long, or of a client that is gone.
func lateTurn(ctx context.Context) error {
	return &fault.Error{Kind: fault.Unavailable, Message: "Too many requests from your network wait for their turn. Try again in a moment.", RetryAfter: turnPatience, Err: context.Cause(ctx)}
}
