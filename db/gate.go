package db

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// gatePause is how long a gate stays closed.
const gatePause = 500 * time.Millisecond

// gate keeps a pool from asking a server for connections that is starting, recovers
// from a crash or shuts down. It forks a process for each of them, only to refuse it,
// and many of those take the processors from its recovery. While the gate is closed,
// whoever needs a new connection gets the last refusal. One attempt in each pause
// goes through, and opens the gate if it succeeds.
type gate struct {
	mu      sync.Mutex
	refusal error // nil while the gate is open
	until   time.Time
}

// guard has a pool connect through the gate.
func (g *gate) guard(config *pgxpool.Config) {
	config.BeforeConnect = func(context.Context, *pgx.ConnConfig) error { return g.enter(time.Now()) }
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		g.open()
		sendIDs(conn)
		return nil
	}
	refused := config.ConnConfig.OnPgError
	config.ConnConfig.OnPgError = func(conn *pgconn.PgConn, err *pgconn.PgError) bool {
		if err.Code == "57P03" { // cannot_connect_now
			g.close(err, time.Now())
		}
		return refused(conn, err)
	}
}

// enter returns nil to who may connect, else why it may not.
func (g *gate) enter(now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.refusal != nil && now.Before(g.until) {
		return g.refusal
	}
	g.until = now.Add(gatePause)
	return nil
}

func (g *gate) close(refusal error, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refusal, g.until = refusal, now.Add(gatePause)
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refusal = nil
}
