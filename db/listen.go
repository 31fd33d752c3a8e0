package db

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Channel is the one notification channel of the program. Payloads are words:
// "changed:<table>" from triggers, "release" when documentation is published.
const Channel = "heliograph"

// Listener hears what other processes changed, over one connection of its own.
// While it is not connected, nothing that depends on it may be served from
// memory: Connected says so.
type Listener struct {
	pool      *pgxpool.Pool
	quiet     time.Duration // without a notification, after which the connection is tried
	connected atomic.Bool
	subs      []func(payload string)
}

// NewListener makes a listener over the pool's configuration; Run starts it.
func NewListener(pool *pgxpool.Pool) *Listener { return &Listener{pool: pool, quiet: 15 * time.Second} }

// Subscribe adds fn, called for each notification, and with an empty payload
// after every (re)connection, when anything may have changed unheard. Call it
// before Run; fn must not block.
func (l *Listener) Subscribe(fn func(payload string)) { l.subs = append(l.subs, fn) }

// Connected reports whether notifications are being heard now.
func (l *Listener) Connected() bool { return l.connected.Load() }

// Run listens until ctx ends and reconnects by itself, with a pause of about
// a second between tries.
func (l *Listener) Run(ctx context.Context) {
	for ctx.Err() == nil {
		err := l.listen(ctx)
		l.connected.Store(false)
		if ctx.Err() != nil {
			return
		}
		slog.WarnContext(ctx, "database listener lost its connection", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second/2 + rand.N(time.Second)):
		}
	}
}

func (l *Listener) listen(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, l.pool.Config().ConnConfig)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing to do about a dead connection
	if _, err := conn.Exec(ctx, "listen "+Channel); err != nil {
		return err
	}
	l.connected.Store(true)
	l.notify("")
	for {
		// A dead peer is found by the ping after a quiet while.
		wait, cancel := context.WithTimeout(ctx, l.quiet)
		n, err := conn.WaitForNotification(wait)
		quiet := wait.Err() != nil && ctx.Err() == nil
		cancel()
		switch {
		case err == nil:
			l.notify(n.Payload)
		case quiet:
			ping, cancel := context.WithTimeout(ctx, 5*time.Second)
			err := conn.Ping(ping)
			cancel()
			if err != nil {
				return err
			}
		default:
			return err
		}
	}
}

func (l *Listener) notify(payload string) {
	for _, fn := range l.subs {
		fn(payload)
	}
}
