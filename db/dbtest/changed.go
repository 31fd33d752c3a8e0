package dbtest

import (
	"testing"

	"github.com/jackc/pgx/v5"
)

// Rows are the numbers of rows of a table that a transaction has inserted, updated
// and deleted.
type Rows [3]int

// changedTables lists what pg_stat_xact_user_tables does, without its join with indexes,
// and leaves out tables without a change.
const changedTables = `
	select name, inserted, updated, deleted from (
		select relname::text as name, pg_stat_get_xact_tuples_inserted(oid) as inserted,
			pg_stat_get_xact_tuples_updated(oid) as updated, pg_stat_get_xact_tuples_deleted(oid) as deleted
		from pg_class where relkind = 'r' and oid >= 16384
	) t where inserted + updated + deleted > 0`

// Changed counts, by table, the rows that a transaction has changed. It counts those
// of undone parts too.
func Changed(t testing.TB, tx pgx.Tx) map[string]Rows {
	t.Helper()
	found, err := tx.Query(t.Context(), changedTables)
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
