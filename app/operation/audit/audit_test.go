package audit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/storage/storagetest"
)

func record(t *testing.T, tx pgx.Tx, n int) {
	t.Helper()
	for i := range n {
		err := audit.Record(t.Context(), tx, audit.Entry{
			Actor: "admin:1", Action: "release.publish", Target: fmt.Sprintf("product:%d", i),
			Details: map[string]any{"reason": "ünïcode & <b>", "count": i, "ratio": 0.25, "nested": map[string]any{"b": nil, "a": true}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestVerifyAcceptsWhatRecordWrote(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	if head, err := audit.Verify(t.Context(), tx); err != nil || head.Seq != 0 {
		t.Errorf("an empty chain gives %v, %v", head, err)
	}
	record(t, tx, 10)
	if head, err := audit.Verify(t.Context(), tx); err != nil || head.Seq != 10 {
		t.Errorf("ten entries give %v, %v", head, err)
	}
}

func TestVerifyFindsTampering(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, sql string
		seq       int64
	}{
		{"actor edited", `update audit_entries set actor = 'admin:2' where seq = 4`, 4},
		{"time edited", `update audit_entries set at = at + interval '1 microsecond' where seq = 4`, 4},
		{"details edited", `update audit_entries set details = details || '{"count": 99}' where seq = 4`, 4},
		{"canonical edited", `update audit_entries set canonical = convert_to(replace(convert_from(canonical, 'UTF8'), 'admin:1', 'admin:2'), 'UTF8'), actor = 'admin:2' where seq = 4`, 4},
		{"hash recomputed for one", `update audit_entries set actor = 'admin:2', canonical = c, hash = sha256(prev || c) from (select convert_to(replace(convert_from(canonical, 'UTF8'), 'admin:1', 'admin:2'), 'UTF8') c from audit_entries where seq = 4) x where seq = 4`, 5},
		{"deleted", `delete from audit_entries where seq = 4`, 4},
		{"deleted and renumbered", `with gone as (delete from audit_entries where seq = 4) update audit_entries set seq = -seq where seq > 4; update audit_entries set seq = -seq - 1 where seq < 0`, 4},
		{"first deleted", `delete from audit_entries where seq = 1`, 1},
		{"last deleted", `delete from audit_entries where seq = 10`, 10},
		{"all deleted", `delete from audit_entries`, 1},
		{"swapped", `update audit_entries set seq = -seq where seq in (4, 5); update audit_entries set seq = 9 + seq where seq < 0`, 4},
		{"inserted before", `insert into audit_entries select 0, prev, hash, canonical, at, actor, action, target, details from audit_entries where seq = 1`, 1},
		{"head moved", `update audit_head set seq = 9`, 9},
		{"head rewritten", `update audit_head set hash = sha256('x')`, 10},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tx := dbtest.Tx(t)
			record(t, tx, 10)
			// As somebody who owns the database would.
			if _, err := tx.Exec(t.Context(), `set local session_replication_role = replica`); err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Conn().PgConn().Exec(t.Context(), tt.sql).ReadAll(); err != nil {
				t.Fatal(err)
			}
			var broken *audit.BrokenError
			if _, err := audit.Verify(t.Context(), tx); !errors.As(err, &broken) || broken.Seq != tt.seq {
				t.Errorf("verify gives %v, want entry %d", err, tt.seq)
			}
		})
	}
}

func TestEntriesAreNeverChanged(t *testing.T) {
	t.Parallel()
	for _, sql := range []string{`update audit_entries set actor = 'x'`, `delete from audit_entries`, `truncate audit_entries`} {
		tx := dbtest.Tx(t)
		record(t, tx, 1)
		if _, err := tx.Exec(t.Context(), sql); err == nil {
			t.Errorf("%s was allowed", sql)
		}
	}
}

// A row inserted without Record is refused unless it is the next link, which
// then is the head.
func TestInsertedRowsFollowTheHead(t *testing.T) {
	t.Parallel()
	const columns = `insert into audit_entries (seq, prev, hash, canonical, at, actor, action, target) `
	for name, values := range map[string]string{
		"with a gap":      `select seq + 2, hash, sha256(hash || 'x'), 'x', now(), 'a', 'b', 'c' from audit_head`,
		"after another":   `select seq + 1, sha256('y'), sha256(sha256('y') || 'x'), 'x', now(), 'a', 'b', 'c' from audit_head`,
		"of another hash": `select seq + 1, hash, sha256('x'), 'x', now(), 'a', 'b', 'c' from audit_head`,
	} {
		tx := dbtest.Tx(t)
		record(t, tx, 2)
		if _, err := tx.Exec(t.Context(), columns+values); err == nil {
			t.Errorf("a row %s was inserted", name)
		}
	}
	tx := dbtest.Tx(t)
	record(t, tx, 2)
	if _, err := tx.Exec(t.Context(), columns+`select seq + 1, hash, sha256(hash || 'x'), 'x', now(), 'a', 'b', 'c' from audit_head`); err != nil {
		t.Fatal(err)
	}
	record(t, tx, 2)
	var broken *audit.BrokenError
	if _, err := audit.Verify(t.Context(), tx); !errors.As(err, &broken) || broken.Seq != 3 || broken.Reason != "the content cannot be decoded" {
		t.Errorf("verify gives %v", err)
	}
}

// A row that was added while triggers were off is found, and stops nobody.
func TestARowBeyondTheHeadStopsNobody(t *testing.T) {
	t.Parallel()
	tx := dbtest.Tx(t)
	record(t, tx, 3)
	for _, sql := range []string{
		`set local session_replication_role = replica`,
		`insert into audit_entries select seq + 1, prev, hash, canonical, at, actor, action, target, details from audit_entries where seq = 3`,
		`set local session_replication_role = origin`,
	} {
		if _, err := tx.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	var broken *audit.BrokenError
	if _, err := audit.Verify(t.Context(), tx); !errors.As(err, &broken) || broken.Seq != 4 {
		t.Errorf("before another entry: %v", err)
	}
	record(t, tx, 2)
	if _, err := audit.Verify(t.Context(), tx); !errors.As(err, &broken) || broken.Seq != 4 {
		t.Errorf("after it: %v", err)
	}
}

// What must not fail with the audit waits beside the chain and is appended
// later.
func TestRecordSoonDoesNotWaitForTheChain(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	holder, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	record(t, holder, 1)
	signIn := audit.Entry{Actor: "admin:1", Action: "admin.sign_in", Target: "admin:1", Details: map[string]any{"from": "here"}}
	soon := func(tx pgx.Tx) error { return audit.RecordSoon(t.Context(), tx, signIn) }
	if err := db.InTx(t.Context(), pool, soon); err != nil {
		t.Fatalf("while the chain is locked: %v", err)
	}
	if err := holder.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := db.InTx(t.Context(), pool, soon); err != nil {
		t.Fatal(err)
	}
	anchors := audit.NewAnchors(pool, storagetest.Folder(t), newKeys(t), site)
	if err := anchors.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	if head, err := audit.Verify(t.Context(), pool); err != nil || head.Seq != 3 {
		t.Errorf("verify gives %+v, %v; want 3 entries", head, err)
	}
	var late, waiting int
	if err := pool.QueryRow(t.Context(), `
		select count(*) filter (where seq = 3 and action = 'admin.sign_in' and details->>'from' = 'here' and (details->>'happened_at')::timestamptz < at),
		       (select count(*) from audit_waiting) from audit_entries`).Scan(&late, &waiting); err != nil {
		t.Fatal(err)
	}
	if late != 1 || waiting != 0 {
		t.Errorf("%d late entries and %d that wait, want 1 and 0", late, waiting)
	}
}

func TestWritersFormOneChain(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			err := db.InTx(context.Background(), pool, func(tx pgx.Tx) error {
				err := audit.Record(context.Background(), tx, audit.Entry{Actor: "system", Action: "test.write", Target: fmt.Sprint(i)})
				if i%5 == 0 && err == nil {
					return errors.New("rolled back") // leaves no gap
				}
				return err
			})
			if err != nil && i%5 != 0 {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if head, err := audit.Verify(t.Context(), pool); err != nil || head.Seq != 16 {
		t.Errorf("verify gives %v, %v; want 16 entries", head, err)
	}
}
