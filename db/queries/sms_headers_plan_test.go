package queries_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/db/dbtest"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// asked keeps the statements that were asked, with their arguments.
type asked struct {
	pgx.Tx
	sql  string
	args []any
}

func (a *asked) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	a.sql, a.args = sql, args
	return a.Tx.QueryRow(ctx, sql, args...)
}

func (a *asked) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	a.sql, a.args = sql, args
	return a.Tx.Query(ctx, sql, args...)
}

// The owner of what a carrier passes on is found by indexes among many headers, also by a
// look-alike.
func TestHeadersAreFoundAmongMany(t *testing.T) {
	t.Parallel()
	tx := &asked{Tx: dbtest.Tx(t)}
	for _, sql := range []string{
		`insert into organisations (name, status) select 'Many ' || n, 'active' from generate_series(1, 20) n`,
		`insert into sms_accounts (organisation_id) select id from organisations where name like 'Many %' on conflict do nothing`,
		`insert into sms_headers (organisation_id, header, kind, state) select o.id, 'H' || n, 'international', 'granted' from generate_series(1, 20000) n
			join organisations o on o.name = 'Many ' || (1 + n % 20)`,
		`analyze sms_headers`,
	} {
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	look := map[string]func(header string) (any, error){
		"SMSReceiver":        func(h string) (any, error) { return queries.SMSReceiver(t.Context(), tx, h) },
		"SMSWriters":         func(h string) (any, error) { return queries.SMSWriters(t.Context(), tx, h, "919812345678") },
		"SMSHeaderListAlike": func(h string) (any, error) { return writes.SMSHeaderListAlike(t.Context(), tx, h, false) },
		"SMSHeaderOther":     func(h string) (any, error) { return queries.SMSHeaderOther(t.Context(), tx, 0, h) },
	}
	for name, do := range look {
		found, err := do("h 7777")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if id, ok := found.(int64); ok && id == 0 {
			t.Errorf("%s finds no owner of the look-alike", name)
		}
		rows, err := tx.Tx.Query(t.Context(), `explain `+tx.sql, tx.args...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if plan := strings.Join(lines, "\n"); strings.Contains(plan, "Seq Scan on sms_headers") || !strings.Contains(plan, "sms_headers_alike") {
			t.Errorf("%s reads all headers:\n%s", name, plan)
		}
	}
}
