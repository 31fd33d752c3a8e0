package dbtest

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// Rows are the numbers of rows of a table that a transaction has inserted, updated
// and deleted.
type Rows [3]int

// Changed counts, by table, the rows that a transaction has changed. It counts those
// of undone parts too.
func Changed(t testing.TB, tx pgx.Tx) map[string]Rows {
	t.Helper()
	found, err := tx.Query(t.Context(), `select relname::text, n_tup_ins, n_tup_upd, n_tup_del from pg_stat_xact_user_tables`)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]Rows{}
	var table string
	var n Rows
	_, err = pgx.ForEachRow(found, []any{&table, &n[0], &n[1], &n[2]}, func() error {
		tables[table] = n
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}
