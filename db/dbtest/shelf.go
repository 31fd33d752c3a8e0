package dbtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
)

// shelf keeps connections to databases that rolled-back tests have left as
// they were, by the template of the database. Each test that runs has a database to
// itself, so that two tests which insert the same unique value do not wait for each
// other; there are as many as tests ran at the same moment.
var shelf = connections{free: map[string][]*pgx.Conn{}}

type connections struct {
	mu   sync.Mutex
	free map[string][]*pgx.Conn
}

func (c *connections) take(ctx context.Context, s *server, template string) (*pgx.Conn, error) {
	c.mu.Lock()
	if free := c.free[template]; len(free) > 0 {
		conn := free[len(free)-1]
		c.free[template] = free[:len(free)-1]
		c.mu.Unlock()
		return conn, nil
	}
	c.mu.Unlock()
	name, err := s.clone(ctx, template)
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
func (c *connections) put(ctx context.Context, template string, conn *pgx.Conn) {
	// Locks, listens and settings of the session outlive a rollback.
	_, err := conn.Exec(ctx, "reset all; unlisten *; select pg_advisory_unlock_all()")
	if err != nil {
		conn.Close(ctx) //nolint:errcheck // already useless
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free[template] = append(c.free[template], conn)
}
