// Package audit records who did what in a hash chain in PostgreSQL. The hash of
// an entry is SHA-256 over the previous hash and the entry's canonical bytes, so
// that a change to any entry breaks every link after it. Entries are written in
// the transaction of the change that they record. The newest hash is stored
// outside of the database every hour.
package audit

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

// Entry is an action to record.
type Entry struct {
	Actor   string         // who: "admin:1", "organisation:4" or "system"; at most 200 characters
	Action  string         // what, noun first: "release.publish"; at most 100 characters
	Target  string         // to what: "product:3"; at most 200 characters
	Details map[string]any // further facts, no secrets; may be nil
}

// canonical is the form of an entry that is hashed: JSON with the fields in this
// order and the keys of the details sorted.
type canonical struct {
	Seq     int64           `json:"seq"`
	At      time.Time       `json:"at"`
	Actor   string          `json:"actor"`
	Action  string          `json:"action"`
	Target  string          `json:"target"`
	Details json.RawMessage `json:"details"`
}

// lockWait is how long RecordSoon waits for the chain.
const lockWait = time.Second

// RecordSoon is Record for what must not fail with the audit, such as a sign-in.
// If the entry cannot be appended within a second, it is stored beside the
// chain, logged, and appended by the next check with the time at which it
// happened.
func RecordSoon(ctx context.Context, tx pgx.Tx, e Entry) error {
	err := pgx.BeginFunc(ctx, tx, func(inner pgx.Tx) error {
		if err := queries.AuditLockLimit(ctx, inner, lockWait); err != nil {
			return err
		}
		return Record(ctx, inner, e)
	})
	if err == nil || ctx.Err() != nil {
		return err
	}
	slog.ErrorContext(ctx, "an audit entry waits", "actor", e.Actor, "action", e.Action, "target", e.Target, "error", err)
	details, err := marshalDetails(e)
	if err != nil {
		return err
	}
	waiting := models.AuditWaiting{At: time.Now().UTC(), Actor: e.Actor, Action: e.Action, Target: e.Target, Details: details}
	if err := writes.AuditWaitingInsert(ctx, tx, waiting); err != nil {
		return fmt.Errorf("storing an audit entry that waits: %w", err)
	}
	return nil
}

func marshalDetails(e Entry) ([]byte, error) {
	if e.Details == nil {
		return []byte("{}"), nil
	}
	details, err := json.Marshal(e.Details)
	if err != nil {
		return nil, fmt.Errorf("writing the details of %s: %w", e.Action, err)
	}
	return details, nil
}

// Record appends an entry to the chain within tx. It locks the chain until tx
// ends, so call it late.
func Record(ctx context.Context, tx pgx.Tx, e Entry) error {
	details, err := marshalDetails(e)
	if err != nil {
		return err
	}
	head, last, err := writes.AuditHeadLock(ctx, tx)
	if err != nil {
		return fmt.Errorf("locking the audit chain: %w", err)
	}
	c := canonical{last + 1, time.Now().UTC().Truncate(time.Microsecond), e.Actor, e.Action, e.Target, details}
	text, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("writing the entry of %s: %w", e.Action, err)
	}
	err = writes.AuditEntryInsert(ctx, tx, models.AuditEntry{
		Seq: c.Seq, Prev: head.Hash, Hash: linkHash(head.Hash, text), Canonical: text,
		At: c.At, Actor: c.Actor, Action: c.Action, Target: c.Target, Details: details,
	})
	if err != nil {
		return fmt.Errorf("recording %s: %w", e.Action, err)
	}
	return nil
}

func linkHash(prev, text []byte) []byte {
	hash := sha256.New()
	hash.Write(prev)
	hash.Write(text)
	return hash.Sum(nil)
}
