package dbtest

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
)

// Dump returns everything that the tables of the program and of its queues
// hold, as text: what must not be stored must not be in it.
func Dump(t testing.TB, q db.Querier) string {
	t.Helper()
	rows, err := q.Query(t.Context(), `select format('%I.%I', schemaname, tablename) from pg_tables where schemaname in ('public', 'river')`)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 20 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	var all strings.Builder
	for _, table := range tables {
		var text string
		if err := q.QueryRow(t.Context(), `select coalesce(string_agg(r::text, e'\n'), '') from `+table+` r`).Scan(&text); err != nil {
			t.Fatal(err)
		}
		all.WriteString(text + "\n")
	}
	return all.String()
}

// Find returns a part of a dump that holds a text, in clear or as hexadecimal or
// base64, or an empty string. It does not tell upper and lower case apart.
func Find(dump, text string) string {
	dump = strings.ToLower(dump)
	for _, form := range []string{text, hex.EncodeToString([]byte(text)), hex.EncodeToString([]byte(strings.ToLower(text))), base64.StdEncoding.EncodeToString([]byte(text))} {
		if at := strings.Index(dump, strings.ToLower(form)); at >= 0 {
			return dump[max(0, at-200):min(len(dump), at+100)]
		}
	}
	return ""
}
