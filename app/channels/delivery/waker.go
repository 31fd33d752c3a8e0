package delivery

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db/queries/errands"
)

// waker wakes the workers after messages were accepted. The database commits
// transactions with notifications one at a time, each with the disk to itself. So those
// of accepted messages are sent apart from them, one for all that were accepted since the
// last one. If this process ends before, workers find the jobs within a second.
type waker struct {
	pool *pgxpool.Pool

	mu     sync.Mutex
	waking bool // a notification is being sent
	again  bool // messages were accepted meanwhile
}

const (
	// wakePause is the shortest time between notifications. Workers fetch jobs less often.
	wakePause   = 10 * time.Millisecond
	wakeTimeout = 5 * time.Second
)

// wake wakes the workers soon, after messages were committed. It does not wait.
func (w *waker) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.again = w.waking; !w.waking {
		w.waking = true
		go w.run()
	}
}

// run sends notifications until no further messages were accepted.
func (w *waker) run() {
	for again := true; again; {
		w.send()
		time.Sleep(wakePause)
		w.mu.Lock()
		again = w.again
		w.waking, w.again = again, false
		w.mu.Unlock()
	}
}

func (w *waker) send() {
	ctx, cancel := context.WithTimeout(context.Background(), wakeTimeout)
	defer cancel()
	if err := errands.JobWake(ctx, w.pool, carryJob.Queue); err != nil {
		slog.DebugContext(ctx, "workers were not woken; they look for jobs by themselves", "error", err)
	}
}
