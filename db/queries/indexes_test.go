package queries_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

var update = flag.Bool("update", false, "write the golden files")

// growing are the tables that grow with traffic, and sealed ones that only grow.
var growing = []string{
	"messages", "message_events", "leg_events", "carriages", "carrier_ids", "carrier_minutes", "unsettled_messages", "deliveries", "delivery_attempts",
	"idempotency_keys", "inbound_messages", "conversations", "sms_references", "sms_otps", "rcs_message_ids", "rcs_carrier_events",
	"usage_days", "notifications", "notification_attempts", "otp_challenges", "audit_entries", "audit_waiting", "media", "fetched_files", "fetched_links",
	"contact_enquiries", "contact_events", "contact_deliveries", "contact_attempts",
}

// need is why an index is there that no general plan of a statement uses: sql is
// what it is for, and its plan uses the index.
type need struct{ why, sql string }

// held are the indexes for filters that a general plan cannot foresee, and those
// that deleting needs.
var held = map[string]need{
	"audit_entries_actor":                      {"AuditEntryFind by actor", `select * from audit_entries where actor = any(array['admin:1']) order by seq desc limit 50`},
	"audit_entries_at_idx":                     {"AuditEntryFind by time", `select * from audit_entries where at >= '2026-01-01' and at < '2026-01-02'`},
	"audit_entries_target":                     {"AuditEntryFind by target", `select * from audit_entries where target = 'organisation:1' order by seq desc limit 50`},
	"messages_by_recipient":                    {"MessageFind by recipient", `select * from messages where organisation_id = 1 and recipient = '919812345678'`},
	"fetched_links_organisation_id_sha256_idx": {"deleting a file with its links", `delete from fetched_links where organisation_id = 1 and sha256 = repeat('a', 64)`},
}

// planIndexes matches the names of indexes in a plan.
var planIndexes = regexp.MustCompile(`(?:"Index Name": |"Conflict Arbiter Indexes": \[)("[^\]\n]+)`)

// Every index of a table that grows costs each insert, so each has a statement with a
// plan that uses it. The list of them is testdata/indexes.txt.
func TestIndexesHaveStatements(t *testing.T) {
	t.Parallel()
	conn, plans := acquire(t), acquire(t)
	for _, c := range []*pgx.Conn{conn, plans} {
		if _, err := c.Exec(t.Context(), `set enable_seqscan = off; set plan_cache_mode = force_generic_plan; set enable_partition_pruning = off`); err != nil {
			t.Fatal(err)
		}
	}
	// Two indexes of an empty table are worth the same.
	if _, err := plans.Exec(t.Context(), `
		insert into messages (id, organisation_id, channel, sender, recipient, kind, payload)
			select gen_random_uuid(), 1, 'sms', '1', '9198' || n, 'text', '{}' from generate_series(1, 2000) n; analyze messages`); err != nil {
		t.Fatal(err)
	}
	f := newFinder()
	f.read(t, os.DirFS(".."), slices.Concat(asking, []string{".", "models"})...)
	own := newFinder()
	own.read(t, os.DirFS(".."), asking...)
	made := runForms(t)
	whole := partitionedIndexes(t, conn)
	uses := map[string]map[string]bool{}
	for _, s := range f.sites {
		found, open := f.statements(s)
		for _, u := range open {
			found = append(found, made.of(f, u)...)
		}
		for _, st := range found {
			for _, index := range indexesOf(t.Context(), conn, st.sql) {
				index = cmp.Or(whole[index], index)
				if uses[index] == nil {
					uses[index] = map[string]bool{}
				}
				uses[index][own.enclosing(st.where)] = true
			}
		}
	}
	rows, err := conn.Query(t.Context(), `
		select c.relname::text, i.relname::text, x.indisunique from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
		where c.relnamespace = 'public'::regnamespace and c.relname = any($1) order by 1, 2`, growing)
	if err != nil {
		t.Fatal(err)
	}
	var list strings.Builder
	var table, index string
	var unique bool
	_, err = pgx.ForEachRow(rows, []any{&table, &index, &unique}, func() error {
		named := slices.Sorted(maps.Keys(uses[index]))
		why := strings.Join(named[:min(len(named), 3)], ", ")
		switch {
		case len(named) > 0:
		case unique:
			why = "keeps its columns unique"
		case slices.ContainsFunc(indexesOf(t.Context(), plans, held[index].sql), func(used string) bool { return cmp.Or(whole[used], used) == index }):
			why = held[index].why
		default:
			t.Errorf("no plan uses %s of %s: drop it, or say in held why it is needed", index, table)
		}
		fmt.Fprintf(&list, "%s\t%s\t%s\n", table, index, why)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range held {
		if len(uses[name]) > 0 {
			t.Errorf("%s is held, but statements use it: remove it from held", name)
		}
	}
	if *update {
		if err := os.WriteFile("testdata/indexes.txt", []byte(list.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile("testdata/indexes.txt")
	if diff := gocmp.Diff(string(golden), list.String()); err != nil || diff != "" {
		t.Errorf("testdata/indexes.txt (%v; run with -update and review, -want +got):\n%s", err, diff)
	}
}

// partitionedIndexes returns, for each index of a partition, the whole table's.
func partitionedIndexes(t *testing.T, conn *pgx.Conn) map[string]string {
	t.Helper()
	rows, err := conn.Query(t.Context(), `
		select c.relname::text, p.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent where p.relkind = 'I'`)
	if err != nil {
		t.Fatal(err)
	}
	whole := map[string]string{}
	var part, of string
	_, err = pgx.ForEachRow(rows, []any{&part, &of}, func() error {
		whole[part] = of
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// enclosing returns the name of the function around a file and line.
func (f *finder) enclosing(where string) string {
	file, at, _ := strings.Cut(where, ":")
	line, _ := strconv.Atoi(at)
	for name, fn := range f.funcs {
		from, to := f.fset.Position(fn.Pos()), f.fset.Position(fn.End())
		if from.Filename == file && from.Line <= line && line <= to.Line {
			return name
		}
	}
	return where
}

// indexesOf returns the indexes that the plans of a statement use. What cannot be
// planned alone uses none.
func indexesOf(ctx context.Context, conn *pgx.Conn, sql string) (names []string) {
	if namedParameter.MatchString(sql) {
		var err error
		if sql, _, err = (pgx.NamedArgs{}).RewriteQuery(ctx, conn, sql, nil); err != nil {
			return nil
		}
	}
	prepared, err := conn.Prepare(ctx, "", sql)
	if err != nil {
		return nil
	}
	given := ""
	if n := len(prepared.ParamOIDs); n > 0 {
		given = "(null" + strings.Repeat(", null", n-1) + ")"
	}
	if _, err := conn.Exec(ctx, `prepare planned as `+sql); err != nil {
		return nil
	}
	defer conn.Exec(ctx, `deallocate planned`)
	var plan string
	if err := conn.QueryRow(ctx, `explain (format json) execute planned`+given, pgx.QueryExecModeSimpleProtocol).Scan(&plan); err != nil {
		return nil
	}
	for _, found := range planIndexes.FindAllStringSubmatch(plan, -1) {
		for name := range strings.SplitSeq(found[1], ",") {
			names = append(names, strings.Trim(strings.TrimSpace(name), `"`))
		}
	}
	return names
}
