package db_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/dbtest"
)

var update = flag.Bool("update", false, "write schema.sql")

// A database of version 351 that is migrated has the schema of a new one. After a new
// migration, go test ./db -run TestSchemaIsUpToDate -update writes schema.sql.
func TestSchemaIsUpToDate(t *testing.T) {
	t.Parallel()
	old := oldest(t)
	if err := db.Migrate(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	migrated := dump(t, old)
	if *update {
		if err := os.WriteFile("schema.sql", []byte(schemaFile(t, old, migrated)), 0o644); err != nil { //nolint:gosec // source code
			t.Fatal(err)
		}
		return
	}
	empty := open(t, dbtest.Empty(t))
	if err := db.Migrate(t.Context(), empty); err != nil {
		t.Fatal(err)
	}
	made := dump(t, empty)
	for _, line := range missing(migrated, made) {
		t.Errorf("schema.sql lacks %s", line)
	}
	for _, line := range missing(made, migrated) {
		t.Errorf("no migration makes %s", line)
	}
	if len(strings.Split(made, "\n")) < 1000 {
		t.Errorf("the schema is %s", made)
	}
	const partitions = `
		select string_agg(concat_ws(' ', i.inhparent::regclass, c.relname, c.reloptions, pg_get_expr(c.relpartbound, c.oid)), e'\n' order by c.relname)
		from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relkind = 'r'`
	var was, is string
	for pool, text := range map[*pgxpool.Pool]*string{old: &was, empty: &is} {
		if err := pool.QueryRow(t.Context(), partitions).Scan(text); err != nil {
			t.Fatal(err)
		}
	}
	var invalid int
	if err := empty.QueryRow(t.Context(), "select count(*) from pg_index where not indisvalid").Scan(&invalid); err != nil || invalid != 0 {
		t.Errorf("%d indexes of a new database are not valid, %v", invalid, err)
	}
	if was != is {
		t.Errorf("a new database has the partitions\n%s\nand a migrated one\n%s", is, was)
	}
}

// A schema from before the oldest migration is left as it is, and the error says what
// to run.
func TestOlderSchemasAreRefused(t *testing.T) {
	t.Parallel()
	pool := oldest(t)
	if _, err := pool.Exec(t.Context(), "delete from goose_db_version where version_id > 350"); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), "insert into goose_db_version (version_id, is_applied) values (350, true)"); err != nil {
		t.Fatal(err)
	}
	before := dump(t, pool)
	err := db.Migrate(t.Context(), pool)
	if err == nil || !strings.Contains(err.Error(), "run heliograph migrate of commit e2e60e91 first") {
		t.Errorf("Migrate = %v", err)
	}
	if after := dump(t, pool); after != before {
		t.Errorf("the schema changed: %q", missing(after, before))
	}
}

// oldest returns a database with the schema of version 351.
func oldest(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := open(t, dbtest.Empty(t))
	for _, file := range []string{"testdata/schema_351.sql", "initial.sql"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pool.Exec(t.Context(), "begin;"+string(text)+"commit"); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return pool
}

// tools returns the path of a program of PostgreSQL, on PATH or in Debian's folders.
func tools(t *testing.T, name string) string {
	t.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name) // a constant pattern is never malformed
	if len(found) == 0 {
		t.Skipf("%s is not installed", name)
	}
	return found[len(found)-1]
}

// noise is what a dump says about itself and about sessions.
var noise = regexp.MustCompile(`(?m)^(\\|--|SET |SELECT pg_catalog\.set_config|COMMENT ON EXTENSION).*\n`)

// dump returns the schema of the program as statements, without its partitions, which
// are named after days.
func dump(t *testing.T, pool *pgxpool.Pool) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), tools(t, "pg_dump"), "--schema-only", "--no-owner", "--no-privileges",
		"--exclude-schema="+db.RiverSchema, "--exclude-table=*_before", "--exclude-table=*_from_*", "--dbname="+pool.Config().ConnString())
	out, err := command.Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	text := noise.ReplaceAllString(string(out), "")
	text = regexp.MustCompile(`\n{3,}`).ReplaceAllString(text, "\n\n")
	return strings.NewReplacer("public.", "", " ON ONLY ", " ON ", "ALTER TABLE ONLY ", "ALTER TABLE ").Replace(text)
}

// schemaFile returns the text of schema.sql.
func schemaFile(t *testing.T, pool *pgxpool.Pool, dumped string) string {
	t.Helper()
	var versions string
	err := pool.QueryRow(t.Context(), `select string_agg(format('(%s, true)', version_id), ', ' order by version_id) from (select distinct version_id from goose_db_version where is_applied) v`).Scan(&versions)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`-- The schema as it is, but for the jobs of River. Made of the migrations by
-- go test ./db -run TestSchemaIsUpToDate -update: do not edit it. What a new database
-- has beside it is in initial.sql.
set local check_function_bodies = false;

%s

insert into goose_db_version (version_id, is_applied) values %s;
`, strings.TrimSpace(dumped), versions)
}

// missing lists the lines of a text that another lacks.
func missing(text, from string) (lines []string) {
	have := map[string]int{}
	for line := range strings.Lines(from) {
		have[line]++
	}
	for line := range strings.Lines(text) {
		if have[line]--; have[line] < 0 {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
