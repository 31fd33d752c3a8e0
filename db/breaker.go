package db

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// breakerPause is how long a breaker stays open.
const breakerPause = 500 * time.Millisecond

// breaker keeps a pool from asking a server for connections that is starting, recovers
// from a crash or shuts down. It forks a process for each of them, only to refuse it,
// and many of those take the processors from its recovery. While the breaker is open,
// whoever needs a new connection gets the last refusal. One attempt in each pause
// goes through, and closes the breaker if it succeeds.
type breaker struct {
	mu      sync.Mutex
	refusal error // nil while the breaker is closed
	until   time.Time
}

// guard has a pool connect through the breaker.
func (b *breaker) guard(config *pgxpool.Config) {
	config.BeforeConnect = func(context.Context, *pgx.ConnConfig) error { return b.allow(time.Now()) }
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		b.close()
		sendIDs(conn)
		return nil
	}
	refused := config.ConnConfig.OnPgError
	config.ConnConfig.OnPgError = func(conn *pgconn.PgConn, err *pgconn.PgError) bool {
		if err.Code == "57P03" { // cannot_connect_now
			b.trip(err, time.Now())
		}
		return refused(conn, err)
	}
}

// allow returns nil to who may connect, else why it may not.
func (b *breaker) allow(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refusal != nil && now.Before(b.until) {
		return b.refusal
	}
	b.until = now.Add(breakerPause)
	return nil
}

func (b *breaker) trip(refusal error, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refusal, b.until = refusal, now.Add(breakerPause)
}

func (b *breaker) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refusal = nil
}
