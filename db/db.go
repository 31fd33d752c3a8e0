// Package db opens PostgreSQL and moves its schema: the pool, transactions,
// migrations and the change listener. SQL text lives below db/queries, row types
// in db/models.
package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Querier runs SQL: a pool, a connection or a transaction.
type Querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
}

// Beginner starts a transaction: a pool, or a transaction (then a savepoint).
type Beginner interface {
	Querier
	Begin(ctx context.Context) (pgx.Tx, error)
}

// Options says how to open a pool.
type Options struct {
	MaxConns         int32         // upper bound of connections; 0 means 10
	StatementTimeout time.Duration // server-side limit of one statement; 0 means none
	Application      string        // name shown in pg_stat_activity
	// Share is the part of the server's connections that the pool and its listener
	// may take at most; 0 means any.
	Share  float64
	Tracer pgx.QueryTracer
}

// Open connects to the database that url names (postgres://… or key=value) and
// pings it. The caller closes the pool.
func Open(ctx context.Context, url string, opts Options) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("reading the database url: %w", err)
	}
	config.MaxConns = 10
	if opts.MaxConns > 0 {
		config.MaxConns = opts.MaxConns
	}
	config.ConnConfig.ConnectTimeout = 5 * time.Second
	config.ConnConfig.Tracer = opts.Tracer
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = "heliograph " + opts.Application
	params["timezone"] = "UTC"
	params["idle_in_transaction_session_timeout"] = "30s"
	if opts.StatementTimeout > 0 {
		params["statement_timeout"] = fmt.Sprint(opts.StatementTimeout.Milliseconds())
	}
	if opts.Share > 0 {
		if config.MaxConns, err = affordable(ctx, config, opts.Share); err != nil {
			return nil, err
		}
	}
	new(breaker).guard(config)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("opening the database: %w", err)
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("reaching the database: %w", err)
	}
	return pool, nil
}

// InTx runs fn in one transaction and commits it; an error or a panic rolls
// everything back.
func InTx(ctx context.Context, b Beginner, fn func(tx pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, b, fn)
}

// awayPause is how long InTxAgain waits before the next try.
const awayPause = 200 * time.Millisecond

// InTxAgain is InTx for effects that must not be lost while the server is away, as
// during its restart: it tries until the server is back or ctx ends. When its
// answer was lost, a commit may have been made, so fn must do no harm the second time.
func InTxAgain(ctx context.Context, b Beginner, fn func(tx pgx.Tx) error) error {
	for {
		err := InTx(ctx, b, fn)
		if err == nil || !isAway(err) {
			return err
		}
		select {
		case <-time.After(awayPause):
		case <-ctx.Done():
			return err
		}
	}
}

// IsNoRows reports whether err says that a row was looked for and not found.
func IsNoRows(err error) bool { return errors.Is(err, pgx.ErrNoRows) }

// Absent turns an error that says that a row was not found into absent, which may be nil.
// Others begin with what was being done.
func Absent(err, absent error, doing string, args ...any) error {
	if IsNoRows(err) {
		return absent
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(doing, args...), err)
}

// IsUniqueViolation reports whether err is a duplicate under the named unique
// constraint or index; an empty name matches any.
func IsUniqueViolation(err error, constraint string) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23505" && (constraint == "" || pg.ConstraintName == constraint)
}

// IsForeignKeyViolation reports whether err says that something else refers to
// a row that was to go, or that what a row refers to is not there.
func IsForeignKeyViolation(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "23503"
}

// IsLockTimeout reports whether err says that a lock was waited for too long, or that
// two transactions waited for each other.
func IsLockTimeout(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "55P03" || pg.Code == "40P01")
}

// IsUnreachable reports whether err says that the server could not be reached, went
// away or had no connections, memory or disk left, rather than that it refused a
// statement. The same statement may work later.
func IsUnreachable(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && strings.HasPrefix(refused.Code, "53") {
		return true
	}
	return isAway(err)
}

// isAway reports whether err says that the server could not be reached or went away.
func isAway(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return strings.HasPrefix(refused.Code, "57P") || strings.HasPrefix(refused.Code, "08")
	}
	var connect *pgconn.ConnectError
	return errors.As(err, &connect) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET)
}

// IsReadOnly reports whether a database refuses changes, as a replica does.
func IsReadOnly(ctx context.Context, q Querier) (only bool, err error) {
	if err = q.QueryRow(ctx, `select current_setting('transaction_read_only') = 'on'`).Scan(&only); err != nil {
		return false, fmt.Errorf("asking whether the database is read-only: %w", err)
	}
	return only, nil
}
