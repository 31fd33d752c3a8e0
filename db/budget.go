package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// leastConns is how many connections a process needs to work at all.
const leastConns = 4

// affordable returns how many connections a pool may have, so that it and its
// listener take no more than a share of those that the server and the role allow.
func affordable(ctx context.Context, config *pgxpool.Config, share float64) (int32, error) {
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return 0, fmt.Errorf("reaching the database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // it was read from only
	var all int
	err = conn.QueryRow(ctx, `
		select least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
		             nullif(greatest(rolconnlimit, 0), 0))
		from pg_roles where rolname = current_user`).Scan(&all)
	if err != nil {
		return 0, fmt.Errorf("reading the number of connections: %w", err)
	}
	return max(leastConns, min(config.MaxConns, int32(float64(all)*share)-1)), nil
}
