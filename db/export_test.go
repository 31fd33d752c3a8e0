package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// SetQuiet sets how long a listener waits before it tries its connection.
func (l *Listener) SetQuiet(d time.Duration) { l.quiet = d }

// MigrateTo brings the tables of the program to an older version of the schema.
func MigrateTo(ctx context.Context, pool *pgxpool.Pool, version int64) error {
	provider, err := newProvider(pool)
	if err != nil {
		return err
	}
	defer provider.Close()
	_, err = provider.UpTo(ctx, version)
	return err
}
