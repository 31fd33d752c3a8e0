package delivery

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db/queries"
)

// bell wakes the workers after messages were accepted. The database commits
// transactions with notifications one at a time, each with the disk to itself. So those
// of accepted messages are sent apart from them, one for all that were accepted since the
// last one. If this process ends before, workers find the jobs within a second.
type bell struct {
	pool *pgxpool.Pool

	mu      sync.Mutex
	ringing bool // a notification is being sent
	again   bool // messages were accepted meanwhile
}

const (
	// bellPause is the shortest time between notifications. Workers fetch jobs less often.
	bellPause   = 10 * time.Millisecond
	bellTimeout = 5 * time.Second
)

// ring wakes the workers soon, after messages were committed. It does not wait.
func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.again = b.ringing; !b.ringing {
		b.ringing = true
		go b.run()
	}
}

// run sends notifications until no further messages were accepted.
func (b *bell) run() {
	for again := true; again; {
		b.send()
		time.Sleep(bellPause)
		b.mu.Lock()
		again = b.again
		b.ringing, b.again = again, false
		b.mu.Unlock()
	}
}

func (b *bell) send() {
	ctx, cancel := context.WithTimeout(context.Background(), bellTimeout)
	defer cancel()
	if err := queries.JobWake(ctx, b.pool, carryJob.Queue); err != nil {
		slog.DebugContext(ctx, "workers were not woken; they look for jobs by themselves", "error", err)
	}
}
