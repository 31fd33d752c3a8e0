package dbtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
)

// shelf keeps connections to databases that rolled-back tests have left as
// they were. Each test that runs has a database to itself, so that two tests
// which insert the same unique value do not wait for each other; there are as
// many as tests ran at the same moment.
var shelf connections

type connections struct {
	mu   sync.Mutex
	free []*pgx.Conn
}

func (c *connections) take(ctx context.Context) (*pgx.Conn, error) {
	c.mu.Lock()
	if n := len(c.free); n > 0 {
		conn := c.free[n-1]
		c.free = c.free[:n-1]
		c.mu.Unlock()
		return conn, nil
	}
	c.mu.Unlock()
	s, err := open()
	if err != nil {
		return nil, err
	}
	name, err := s.clone(ctx, s.template)
	if err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig(s.address(name))
	if err != nil {
		return nil, fmt.Errorf("reading the address of the test database: %w", err)
	}
	config.RuntimeParams["timezone"] = "UTC"
	config.RuntimeParams["application_name"] = "heliograph test"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("reaching the test database: %w", err)
	}
	return conn, nil
}

// put shelves a connection after its transaction was rolled back; others are closed.
func (c *connections) put(ctx context.Context, conn *pgx.Conn) {
	// Locks, listens and settings of the session outlive a rollback.
	_, err := conn.Exec(ctx, "reset all; unlisten *; select pg_advisory_unlock_all()")
	if err != nil {
		conn.Close(ctx) //nolint:errcheck // already useless
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, conn)
}
