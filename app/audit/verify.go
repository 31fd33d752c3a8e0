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
	"heliograph/db/queries"
)

// Broken says where the chain no longer holds.
type Broken struct {
	Seq    int64 // the first entry that is wrong
	Reason string
}

// Error names the place and the reason.
func (b *Broken) Error() string { return fmt.Sprintf("audit entry %d: %s", b.Seq, b.Reason) }

// Verify reads the chain from its beginning, one entry at a time, and returns
// its head. A *Broken error names the first entry that was changed, removed,
// moved or added past Record. Whoever can rewrite the whole table can also
// compute a new chain: Anchors find that.
func Verify(ctx context.Context, q db.Querier) (models.AuditHead, error) {
	return verify(ctx, q, math.MinInt64, models.AuditHead{Hash: make([]byte, sha256.Size)})
}

// verify reads the entries after the sequence number; last is the link that
// they follow.
func verify(ctx context.Context, q db.Querier, after int64, last models.AuditHead) (models.AuditHead, error) {
	head, err := queries.AuditHeadGet(ctx, q)
	if err != nil {
		return head, fmt.Errorf("reading the head of the audit chain: %w", err)
	}
	err = queries.AuditEntryEach(ctx, q, after, head.Seq, func(e models.AuditEntry) error {
		if reason := check(last, e); reason != "" {
			return &Broken{last.Seq + 1, reason}
		}
		last = models.AuditHead{Seq: e.Seq, Hash: e.Hash}
		return nil
	})
	if err != nil {
		return head, err
	}
	if last.Seq != head.Seq {
		return head, &Broken{last.Seq + 1, "the entry is missing"}
	}
	if !bytes.Equal(last.Hash, head.Hash) {
		return head, &Broken{head.Seq, "the head names another hash"}
	}
	return head, nil
}

// check returns what is wrong with an entry that follows last.
func check(last models.AuditHead, e models.AuditEntry) string {
	switch {
	case e.Seq != last.Seq+1:
		return fmt.Sprintf("the entry is missing, %d follows", e.Seq)
	case !bytes.Equal(e.Prev, last.Hash):
		return "the entry does not follow the one before it"
	case !bytes.Equal(e.Hash, link(e.Prev, e.Canonical)):
		return "the hash is not that of the content"
	}
	var c canonical
	var hashed, stored any
	if json.Unmarshal(e.Canonical, &c) != nil || json.Unmarshal(c.Details, &hashed) != nil || json.Unmarshal(e.Details, &stored) != nil {
		return "the content cannot be read"
	}
	if c.Seq != e.Seq || !c.At.Equal(e.At) || c.Actor != e.Actor || c.Action != e.Action || c.Target != e.Target || !reflect.DeepEqual(hashed, stored) {
		return "the columns differ from what was hashed"
	}
	return ""
}
