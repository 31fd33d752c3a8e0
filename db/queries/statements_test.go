package queries_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"heliograph/db/dbtest"
)

// Every statement of the program has to fit the schema, whether or not another
// test runs it, and its columns have to fit the fields that they are read into.
func TestStatementsFitTheSchema(t *testing.T) {
	t.Parallel()
	conn := acquire(t)
	f := newFinder()
	f.read(t, os.DirFS(".."), slices.Concat(asking, []string{".", "dbtest", "models"})...)
	// Names of databases and tables that tests make up, and scripts that every test
	// database begins with.
	f.samples = map[string]string{
		"Empty.name": "test", "clone.name": "test", "fill.making": "test", "fill.end": "test", "drop.name": "test", "makeTemplate.making": "test", ".template": "test", "Dump.table": "items",
		"begin.script": "select",
	}
	made := runForms(t)
	prepared := 0
	for _, s := range f.sites {
		found, open := f.statements(s)
		for _, u := range open {
			ran := made.of(f, u)
			if len(ran) == 0 {
				t.Errorf("%s: the SQL is not resolved, because %v: build it from constants, or call its function in runForms", f.at(u.at), u.err)
			}
			found = append(found, ran...)
		}
		for _, st := range found {
			prepared++
			if err := f.check(t.Context(), conn, st); err != nil {
				t.Errorf("%s: %v", st.where, err)
			}
		}
	}
	if prepared < 250 {
		t.Errorf("only %d statements were found", prepared)
	}
	t.Logf("%d statements at %d places", prepared, len(f.sites))
}

// What may be called from everywhere reads. The database says so: in a transaction that
// is read-only it refuses whatever writes or locks.
func TestReadsDoNotWrite(t *testing.T) {
	t.Parallel()
	conn := acquire(t)
	if _, err := conn.Exec(t.Context(), `set default_transaction_read_only = on; set statement_timeout = '10s'`); err != nil {
		t.Fatal(err)
	}
	refused := func(f *finder) (names []string, ran int) {
		made := runForms(t)
		for _, s := range f.sites {
			found, open := f.statements(s)
			for _, u := range open {
				found = append(found, made.of(f, u)...)
			}
			for _, st := range found {
				ran++
				if strings.HasPrefix(st.where, "queries/collect/") {
					continue // no package that reads calls it; otherwise the place would be there
				}
				if isRefused(t.Context(), conn, st.sql) {
					names = append(names, st.where+": "+s.fn.Name.Name)
				}
			}
		}
		return names, ran
	}
	f := newFinder()
	f.read(t, os.DirFS(".."), reading...)
	f.read(t, os.DirFS(".."), "queries/collect", "queries/parts")
	names, ran := refused(f)
	for _, name := range names {
		t.Errorf("%s writes or locks: move it to the writes of its wing", name)
	}
	if ran < 200 {
		t.Errorf("only %d statements were found", ran)
	}
	// The check has to find what it exists for.
	for sql, want := range map[string]bool{
		"select term from search_synonyms where id = $1": false, "delete from search_synonyms where id = $1": true,
		"select term from search_synonyms for update": true, "with gone as (delete from search_synonyms where id = $1 returning id) select id from gone": true,
	} {
		if isRefused(t.Context(), conn, sql) != want {
			t.Errorf("%s: refused = %v, want %v", sql, !want, want)
		}
	}
}

// isRefused reports whether the database refuses a statement because its transaction
// is read-only. Its parameters are null.
func isRefused(ctx context.Context, conn *pgx.Conn, sql string) bool {
	if namedParameter.MatchString(sql) {
		sql, _, _ = (pgx.NamedArgs{}).RewriteQuery(ctx, conn, sql, nil)
	}
	prepared, err := conn.Prepare(ctx, "", sql)
	if err == nil {
		_, err = conn.Exec(ctx, sql, make([]any, len(prepared.ParamOIDs))...)
	}
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "25006" // read_only_sql_transaction
}

// The check has to find what it exists for.
func TestStatementsThatDoNotFitAreFound(t *testing.T) {
	t.Parallel()
	conn := acquire(t)
	const helpers = `
		func many[T any](ctx C, q Q, sql string, args ...any) ([]T, error) {
			rows, err := q.Query(ctx, sql, args...)
			return pgx.CollectRows(rows, pgx.RowToStructByName[T])
		}
		func manyLax[T any](ctx C, q Q, sql string, args ...any) ([]T, error) {
			rows, err := q.Query(ctx, sql, args...)
			return pgx.CollectRows(rows, pgx.RowToStructByNameLax[T])
		}
		type synonym struct { Term, Means string }
		type entry struct { ID int64; synonym }
		func G() { many[synonym](ctx, q, ` + "`select term, means from search_synonyms`" + `); manyLax[synonym](ctx, q, ` + "`select term from search_synonyms`" + `) }`
	cases := []struct{ source, want string }{
		{"func F() { q.Exec(ctx, `select term from search_synonyms`) }", ""},
		{"func F() { q.Exec(ctx, `select turm from search_synonyms`) }", "turm"},
		{"func F() { q.Exec(ctx, `select term frm search_synonyms`) }", "syntax error"},
		{"const columns = `term, mean`\nfunc F() { q.QueryRow(ctx, `select ` + columns + ` from search_synonyms`) }", "mean"},
		{"func F() { const where = ` where trem = $1`; q.Exec(ctx, `delete from search_synonyms` + where) }", "trem"},
		{"func get(where string) { q.Exec(ctx, `delete from search_synonyms where ` + where) }\nfunc F() { get(`id = $1`); get(`it = $1`) }", "it"},
		{"func F() { for _, table := range []string{`items`, `itens`} { q.Exec(ctx, `delete from ` + table) } }", "itens"},
		{"func F() { batch.Queue(`select 1`); batch.Queue(`select one`) }", "one"},
		{"func F() { q.Exec(ctx, fmt.Sprintf(`delete from %s`, `itens`)) }", "itens"},
		{"func F() { q.Exec(ctx, `select * from items where id = @id and slug = @slag::slug`) }", "slug"},
		{"func F() { q.Exec(ctx, `delete from ` + table()) }", "only at run time"},
		{"func F() { order := `asc`; q.Exec(ctx, `select term from search_synonyms order by id ` + order) }", "only at run time"},
		{"func F(order string) { q.Exec(ctx, `select term from search_synonyms order by id ` + order) }", "at run time"},
		{"func F() { q.CopyFrom(ctx, pgx.Identifier{`search_synonyms`}, []string{`term`, `mean`}, rows) }", "mean"},
		{"func F() { return many[synonym](ctx, q, `select means, term from search_synonyms`) }", ""},
		{"func F() { return many[synonym](ctx, q, `select term from search_synonyms`) }", "no column for the field Means"},
		{"func F() { return manyLax[synonym](ctx, q, `select term from search_synonyms`) }", ""},
		{"func F() { return many[entry](ctx, q, `select term, means, id, id as other from search_synonyms`) }", "no field for the column other"},
		{"func F() { return many[entry](ctx, q, `select term, means, id from search_synonyms`) }", ""},
		{"func F() { batch.Queue(`select term from search_synonyms`).Query(func(rows R) { pgx.CollectRows(rows, pgx.RowToStructByName[synonym]) }) }", "Means"},
	}
	for _, c := range cases {
		f := newFinder()
		f.read(t, fstest.MapFS{"x.go": {Data: []byte("package x\n" + c.source + helpers)}}, ".")
		var findings []string
		for _, s := range f.sites {
			found, open := f.statements(s)
			for _, u := range open {
				findings = append(findings, u.err.Error())
			}
			for _, st := range found {
				if err := f.check(t.Context(), conn, st); err != nil {
					findings = append(findings, err.Error())
				}
			}
		}
		got := strings.Join(findings, "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s\nfinds %q, want %q", c.source, got, c.want)
		}
	}
}

func acquire(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := dbtest.Pool(t).Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Release)
	return conn.Conn()
}

var namedParameter = regexp.MustCompile(`[^@]@[a-z]`)

// check prepares a statement and compares its columns with the fields of the
// type that they are read into.
func (f *finder) check(ctx context.Context, conn *pgx.Conn, st statement) error {
	sql := st.sql
	if namedParameter.MatchString(sql) {
		var err error
		if sql, _, err = (pgx.NamedArgs{}).RewriteQuery(ctx, conn, sql, nil); err != nil {
			return err
		}
	}
	for part := range strings.SplitSeq(sql, ";") {
		prepared, err := conn.Prepare(ctx, "", part)
		if err != nil {
			var refused *pgconn.PgError
			if errors.As(err, &refused) {
				return fmt.Errorf("%s\n%s", refused.Message, part)
			}
			return err
		}
		if st.site.rows == nil {
			continue
		}
		if err := f.compare(prepared.Fields, st.site); err != nil {
			return err
		}
	}
	return nil
}

func (f *finder) compare(columns []pgconn.FieldDescription, s *site) error {
	fields := map[string]string{}
	f.fields(s.rows, fields)
	for _, c := range columns {
		key := strings.ToLower(strings.ReplaceAll(c.Name, "_", ""))
		if _, ok := fields[key]; !ok {
			return fmt.Errorf("no field for the column %s", c.Name)
		}
		delete(fields, key)
	}
	for _, name := range fields {
		if !s.lax {
			return fmt.Errorf("no column for the field %s", name)
		}
	}
	return nil
}

// fields adds the fields of a struct under the names that columns are compared
// with.
func (f *finder) fields(typed ast.Expr, all map[string]string) {
	name := ""
	switch typed := typed.(type) {
	case *ast.Ident:
		name = typed.Name
	case *ast.SelectorExpr:
		name = typed.Sel.Name
	}
	if f.structs[name] == nil {
		return
	}
	for _, field := range f.structs[name].Fields.List {
		if len(field.Names) == 0 {
			f.fields(field.Type, all)
		}
		tag := ""
		if field.Tag != nil {
			tag = reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("db")
		}
		for _, n := range field.Names {
			if n.IsExported() && tag != "-" {
				all[strings.ToLower(strings.ReplaceAll(cmp.Or(tag, n.Name), "_", ""))] = n.Name
			}
		}
	}
}
