package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
)

// brokenError is the error of a chain that is not valid.
type brokenError struct {
	Seq    int64 // the first wrong entry
	Reason string
}

// Error returns the entry and the reason.
func (b *brokenError) Error() string { return fmt.Sprintf("audit entry %d: %s", b.Seq, b.Reason) }

// Verify reads the chain from its start, one entry at a time, and returns its
// head. A *brokenError names the first entry that was changed, removed, moved or
// added without Record. An attacker who can rewrite the whole table can also
// compute a new chain. Anchors detect that.
func Verify(ctx context.Context, q db.Querier) (models.AuditHead, error) {
	return verify(ctx, q, math.MinInt64, models.AuditHead{Hash: make([]byte, sha256.Size)})
}

// verify verifies the entries after a sequence number. last is the entry before
// them.
func verify(ctx context.Context, q db.Querier, after int64, last models.AuditHead) (models.AuditHead, error) {
	head, err := queries.AuditHeadGet(ctx, q)
	if err != nil {
		return head, fmt.Errorf("reading the head of the audit chain: %w", err)
	}
	err = queries.AuditEntryEach(ctx, q, after, head.Seq, func(e models.AuditEntry) error {
		if reason := entryProblem(last, e); reason != "" {
			return &brokenError{last.Seq + 1, reason}
		}
		last = models.AuditHead{Seq: e.Seq, Hash: e.Hash}
		return nil
	})
	if err != nil {
		return head, err
	}
	if last.Seq != head.Seq {
		return head, &brokenError{last.Seq + 1, "the entry is missing"}
	}
	if !bytes.Equal(last.Hash, head.Hash) {
		return head, &brokenError{head.Seq, "the head has a different hash"}
	}
	beyond, err := queries.AuditEntryBeyond(ctx, q)
	if err != nil {
		return head, fmt.Errorf("looking for audit entries beyond the head: %w", err)
	}
	if beyond != 0 {
		return head, &brokenError{beyond, "the entry was added beside the chain"}
	}
	return head, nil
}

// entryProblem returns what is wrong with the entry after last, or an empty
// string.
func entryProblem(last models.AuditHead, e models.AuditEntry) string {
	switch {
	case e.Seq != last.Seq+1:
		return fmt.Sprintf("the entry is missing, %d follows", e.Seq)
	case !bytes.Equal(e.Prev, last.Hash):
		return "the entry does not follow the one before it"
	case !bytes.Equal(e.Hash, linkHash(e.Prev, e.Canonical)):
		return "the hash is not that of the content"
	}
	var c canonical
	var hashed, stored any
	if json.Unmarshal(e.Canonical, &c) != nil || json.Unmarshal(c.Details, &hashed) != nil || json.Unmarshal(e.Details, &stored) != nil {
		return "the content cannot be decoded"
	}
	if c.Seq != e.Seq || !c.At.Equal(e.At) || c.Actor != e.Actor || c.Action != e.Action || c.Target != e.Target || !reflect.DeepEqual(hashed, stored) {
		return "the columns differ from the hashed content"
	}
	return ""
}
