package audit

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db/dbtest"
)

// BenchmarkVerify reads a chain of 100,000 entries from its beginning.
func BenchmarkVerify(b *testing.B) {
	const entries = 100_000
	tx := dbtest.Tx(b)
	// The triggers take one entry at a time.
	if _, err := tx.Exec(b.Context(), `set local session_replication_role = replica`); err != nil {
		b.Fatal(err)
	}
	last := make([]byte, sha256.Size)
	_, err := tx.CopyFrom(b.Context(), pgx.Identifier{"audit_entries"}, []string{"seq", "prev", "hash", "canonical", "at", "actor", "action", "target", "details"},
		pgx.CopyFromSlice(entries, func(i int) ([]any, error) {
			c := canonical{
				Seq: int64(i + 1), At: time.Unix(int64(i), 0).UTC(), Actor: "admin:1", Action: "organisation.deactivate", Target: fmt.Sprintf("organisation:%d", i),
				Details: json.RawMessage(`{"before": {"status": "active"}, "after": {"status": "suspended"}, "reason": "unpaid"}`),
			}
			text, err := json.Marshal(c)
			prev := last
			last = linkHash(prev, text)
			return []any{c.Seq, prev, last, text, c.At, c.Actor, c.Action, c.Target, c.Details}, err
		}))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := tx.Exec(b.Context(), `update audit_head set seq = $1, hash = $2`, entries, last); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if head, err := Verify(b.Context(), tx); err != nil || head.Seq != entries {
			b.Fatalf("%+v, %v", head, err)
		}
	}
	b.ReportMetric(entries*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}
