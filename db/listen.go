package db

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
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
// a second between tries. On a replica it looks for releases instead.
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
	_, err = conn.Exec(ctx, "listen "+Channel)
	if isReadOnly(err) {
		return l.follow(ctx, conn)
	}
	if err != nil {
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

// followPause is the interval in which a replica is asked for new releases.
const followPause = time.Second

// follow stands in for listening on a replica, where no notification arrives: it asks
// for releases, and notifies when there are new ones. Nothing else is heard, so it does
// not count as connected. It ends when the replica becomes the primary.
func (l *Listener) follow(ctx context.Context, conn *pgx.Conn) error {
	slog.InfoContext(ctx, "the database is a replica: new releases are looked for every second, and other changes are read from the database", "pause", followPause)
	l.notify("")
	known := int64(-1)
	for {
		var replica bool
		var newest int64
		ask, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := conn.QueryRow(ask, `select pg_is_in_recovery(), (select coalesce(max(id), 0) from releases)`).Scan(&replica, &newest)
		cancel()
		if err != nil {
			return err
		}
		if !replica {
			return errors.New("the replica became the primary")
		}
		if known >= 0 && newest != known {
			l.notify("release")
		}
		known = newest
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(followPause):
		}
	}
}

// isReadOnly reports whether a statement was refused because the database only reads.
func isReadOnly(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && refused.Code == "25006"
}

func (l *Listener) notify(payload string) {
	for _, fn := range l.subs {
		fn(payload)
	}
}
