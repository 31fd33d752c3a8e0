package db_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"heliograph/db"
	"heliograph/db/dbtest"
)

func TestOpenSetsUpSessions(t *testing.T) {
	t.Parallel()
	pool, err := db.Open(t.Context(), dbtest.URL(t), db.Options{MaxConns: 3, StatementTimeout: 1500 * time.Millisecond, Application: "web"})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	for setting, want := range map[string]string{
		"application_name": "heliograph web", "timezone": "UTC", "statement_timeout": "1500ms",
		"idle_in_transaction_session_timeout": "30s",
	} {
		var got string
		if err := pool.QueryRow(t.Context(), "select current_setting($1)", setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s = %q, %v; want %q", setting, got, err, want)
		}
	}
	if got := pool.Config().MaxConns; got != 3 {
		t.Errorf("the pool may open %d connections, want 3", got)
	}
	if got := pool.Config().ConnConfig.ConnectTimeout; got != 5*time.Second {
		t.Errorf("a server that does not answer is given up after %s, want 5 s", got)
	}
	plain := dbtest.URL(t)
	pool, err = db.Open(t.Context(), plain, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	var timeout string
	if err := pool.QueryRow(t.Context(), "show statement_timeout").Scan(&timeout); err != nil || timeout != "0" {
		t.Errorf("statement_timeout = %q, %v; want none unless asked for", timeout, err)
	}
	if got := pool.Config().MaxConns; got != 10 {
		t.Errorf("the pool may open %d connections, want 10 where nothing is said", got)
	}
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"postgres://[": "reading the database url",
		"postgres://nobody@127.0.0.1:1/none?connect_timeout=2": "reaching the database",
	} {
		if _, err := db.Open(t.Context(), url, db.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("opening %s: %v, want %q", url, err, want)
		}
	}
}

func TestInTxCommitsAllOrNothing(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	insert := func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "insert into organisations (name) values ('Sandbox')")
		return err
	}
	count := func() (n int) {
		if err := tx.QueryRow(t.Context(), "select count(*) from organisations").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	broken := errors.New("broken")
	err := db.InTx(t.Context(), tx, func(tx pgx.Tx) error { return errors.Join(insert(tx), broken) })
	if !errors.Is(err, broken) || count() != 0 {
		t.Errorf("after an error: %v and %d rows, want the error and none", err, count())
	}
	func() {
		defer func() { _ = recover() }()
		_ = db.InTx(t.Context(), tx, func(tx pgx.Tx) error {
			if err := insert(tx); err != nil {
				t.Error(err)
			}
			panic("broken")
		})
	}()
	if count() != 0 {
		t.Errorf("after a panic %d rows are left, want none", count())
	}
	if err := db.InTx(t.Context(), tx, insert); err != nil || count() != 1 {
		t.Errorf("%v and %d rows, want one", err, count())
	}
}

// The fingerprint names test databases and files: short, harmless and the same
// each time.
func TestFingerprintNamesTheSchema(t *testing.T) {
	t.Parallel()
	first, err := db.Fingerprint()
	if err != nil || !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(first) {
		t.Errorf("fingerprint %q, %v; want 12 hexadecimal digits", first, err)
	}
	if second, err := db.Fingerprint(); err != nil || second != first {
		t.Errorf("fingerprint %q, then %q, %v", first, second, err)
	}
}

func TestErrorKinds(t *testing.T) {
	t.Parallel()
	code := func(code, constraint string) error {
		return fmt.Errorf("storing: %w", &pgconn.PgError{Code: code, ConstraintName: constraint})
	}
	kinds := map[string]func(error) bool{
		"no rows":     db.IsNoRows,
		"duplicate":   func(err error) bool { return db.IsUniqueViolation(err, "") },
		"same email":  func(err error) bool { return db.IsUniqueViolation(err, "users_email_key") },
		"referred to": db.IsForeignKeyViolation,
		"unreachable": db.IsUnreachable,
	}
	for _, c := range []struct {
		err  error
		want string // the kinds that it is of, in the order of their names
	}{
		{nil, ""},
		{errors.New("broken"), ""},
		{fmt.Errorf("loading: %w", pgx.ErrNoRows), "no rows"},
		{code("23505", "users_email_key"), "duplicate, same email"},
		{code("23505", "products_slug_key"), "duplicate"},
		{code("23503", "users_email_key"), "referred to"},
		{code("40001", ""), ""},
		{code("57014", ""), ""}, // a statement that took too long
		{code("57P01", ""), "unreachable"},
		{code("57P03", ""), "unreachable"},
		{code("08006", ""), "unreachable"},
		{code("53300", ""), "unreachable"}, // no connection left
		{code("53100", ""), "unreachable"}, // disk full
		{fmt.Errorf("reading: %w", io.ErrUnexpectedEOF), "unreachable"},
		{fmt.Errorf("reading: %w", net.ErrClosed), "unreachable"},
		{fmt.Errorf("reading: %w", syscall.ECONNRESET), "unreachable"},
		{context.DeadlineExceeded, ""},
	} {
		var got []string
		for _, kind := range []string{"duplicate", "no rows", "referred to", "same email", "unreachable"} {
			if kinds[kind](c.err) {
				got = append(got, kind)
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%v is of kinds %q, want %q", c.err, got, c.want)
		}
	}
	_, err := db.Open(t.Context(), "postgres://nobody@127.0.0.1:1/none", db.Options{})
	if !db.IsUnreachable(err) {
		t.Errorf("a server that is not there: %v is not unreachable", err)
	}
}

// A database that refuses changes, as a replica does, says so.
func TestReadOnlyDatabaseIsTold(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	if only, err := db.IsReadOnly(t.Context(), tx); only || err != nil {
		t.Errorf("a database that takes changes: read-only %t, %v", only, err)
	}
	if _, err := tx.Exec(t.Context(), `set transaction read only`); err != nil {
		t.Fatal(err)
	}
	if only, err := db.IsReadOnly(t.Context(), tx); !only || err != nil {
		t.Errorf("a database that takes none: read-only %t, %v", only, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.IsReadOnly(ctx, tx); !errors.Is(err, context.Canceled) {
		t.Errorf("a database that is not asked: %v", err)
	}
}
