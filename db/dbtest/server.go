package dbtest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
)

const (
	clonePrefix    = "heliograph_test_"
	templatePrefix = "heliograph_template_"
	// The advisory lock under which the template is made.
	templateLock = 7_431_902_656
	// The lock, with a hash of its name, under which a database is filled.
	fillLock = 743_190
)

// server is the PostgreSQL server of this test binary.
type server struct {
	admin    *pgxpool.Pool
	url      url.URL
	template string
	inUse    *os.File // keeps the shared cluster alive as long as this binary
}

// open connects once per test binary and makes the template if it is missing.
var open = sync.OnceValues(func() (*server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // a fifth of the time of tests went into collecting garbage
	}
	address, inUse := os.Getenv("TEST_DATABASE_URL"), (*os.File)(nil)
	if address == "" {
		var err error
		if address, inUse, err = sharedCluster(); err != nil {
			return nil, err
		}
	}
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return nil, fmt.Errorf("TEST_DATABASE_URL must look like postgres://user:password@host:port/database")
	}
	fingerprint, err := db.Fingerprint()
	if err != nil {
		return nil, err
	}
	admin, err := db.Open(ctx, address, db.Options{MaxConns: 2, Application: "test admin"})
	if err != nil {
		return nil, err
	}
	s := &server{admin: admin, url: *parsed, template: templatePrefix + fingerprint, inUse: inUse}
	if err := s.makeTemplate(ctx); err != nil {
		admin.Close()
		return nil, err
	}
	return s, nil
})

func (s *server) address(database string) string {
	u := s.url
	u.Path = "/" + database
	return u.String()
}

func (s *server) exec(ctx context.Context, sql string) error {
	if _, err := s.admin.Exec(ctx, sql); err != nil {
		return fmt.Errorf("%s: %w", sql, err)
	}
	return nil
}

// clone copies the files of a database, which in memory takes a third of the time of
// writing its pages to the log.
func (s *server) clone(ctx context.Context, template string) (string, error) {
	name := newName()
	return name, s.exec(ctx, "create database "+name+" template "+template+" strategy file_copy")
}

// drop ends the sessions of a database and waits for them before it drops it: the
// statement itself looks for them only once in 100 ms.
func (s *server) drop(ctx context.Context, name string) error {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		var left int
		if err := s.admin.QueryRow(ctx, "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = $1", name).Scan(&left); err != nil {
			return fmt.Errorf("ending the sessions of %s: %w", name, err)
		}
		if left == 0 {
			break
		}
	}
	return s.exec(ctx, "drop database if exists "+name+" with (force)")
}

// makeTemplate migrates a database under another name and renames it when it
// is complete, one process at a time, and closes it to connections, which
// would stand in the way of cloning.
func (s *server) makeTemplate(ctx context.Context) error {
	conn, err := s.admin.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("reaching the test database: %w", err)
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, "select pg_advisory_lock($1)", templateLock); err != nil {
		return fmt.Errorf("waiting for the template: %w", err)
	}
	defer conn.Exec(ctx, "select pg_advisory_unlock($1)", templateLock) //nolint:errcheck // ends with the connection at the latest
	var exists bool
	err = conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", s.template).Scan(&exists)
	if err != nil || exists {
		return err
	}
	if err := s.sweep(ctx); err != nil {
		return err
	}
	making := newName()
	if err := s.exec(ctx, "create database "+making+" template template0 encoding 'UTF8'"); err != nil {
		return err
	}
	pool, err := db.Open(ctx, s.address(making), db.Options{MaxConns: 3, Application: "test template"})
	if err != nil {
		return err
	}
	err = db.Migrate(ctx, pool)
	pool.Close()
	if err != nil {
		return err
	}
	if err := s.exec(ctx, "alter database "+making+" allow_connections false"); err != nil {
		return err
	}
	return s.exec(ctx, "alter database "+making+" rename to "+s.template)
}

// sweep drops what runs that were killed over an hour ago left on a server
// that outlives them.
func (s *server) sweep(ctx context.Context) error {
	rows, err := s.admin.Query(ctx, `select datname from pg_database where starts_with(datname, $1)`, clonePrefix)
	if err != nil {
		return fmt.Errorf("listing the test databases: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return fmt.Errorf("listing the test databases: %w", err)
	}
	for _, name := range names {
		made, _, _ := strings.Cut(strings.TrimPrefix(name, clonePrefix), "_")
		seconds, err := strconv.ParseInt(made, 10, 64)
		if err != nil || time.Since(time.Unix(seconds, 0)) < time.Hour {
			continue
		}
		if err := s.drop(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func random(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}
