package audit

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

// CheckEvery is how often the whole chain is verified.
const CheckEvery = 24 * time.Hour

// Verify verifies the whole chain against its newest anchor, which it returns. The
// anchor is nil if there is none yet. A *brokenError names the first wrong
// entry.
func (a *Anchors) Verify(ctx context.Context) (models.AuditHead, *Anchor, error) {
	return a.inspect(ctx, true)
}

// Check verifies the whole chain once in CheckEvery, and otherwise the entries
// since the newest anchor. It stores and logs the result. It anchors a valid
// chain once in anchorEvery.
func (a *Anchors) Check(ctx context.Context) error {
	if err := a.appendWaiting(ctx); err != nil { // the check says more about the cause
		slog.ErrorContext(ctx, "audit entries wait", "error", err)
	}
	last, err := queries.AuditCheckGet(ctx, a.db)
	if err != nil && !db.IsNoRows(err) {
		return fmt.Errorf("reading the last check of the audit: %w", err)
	}
	whole := err != nil || last.BrokenSeq != nil || a.now().Sub(last.At) >= CheckEvery
	head, newest, err := a.inspect(ctx, whole)
	var broken *brokenError
	if errors.As(err, &broken) {
		slog.ErrorContext(ctx, "the audit chain is broken", "seq", broken.Seq, "reason", broken.Reason)
		return a.recordCheck(ctx, models.AuditCheck{Head: head, BrokenSeq: &broken.Seq, Reason: broken.Reason})
	}
	if err != nil {
		return err
	}
	if whole {
		slog.InfoContext(ctx, "the audit chain is valid", "seq", head.Seq, "hash", hex.EncodeToString(head.Hash))
		if err := a.recordCheck(ctx, models.AuditCheck{Head: head}); err != nil {
			return err
		}
	}
	// Accept a little early, because jobs do not start exactly on time.
	if newest != nil && a.now().Sub(newest.At) < anchorEvery-time.Minute {
		return nil
	}
	return a.add(ctx, head)
}

// appendWaiting appends entries that RecordSoon could not append.
func (a *Anchors) appendWaiting(ctx context.Context) error {
	return db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		entries, err := writes.AuditWaitingTake(ctx, tx, maxWaiting)
		if err != nil {
			return fmt.Errorf("taking audit entries that wait: %w", err)
		}
		for _, e := range entries {
			details := map[string]any{}
			if err := json.Unmarshal(e.Details, &details); err != nil {
				return fmt.Errorf("reading an audit entry that waits: %w", err)
			}
			details["happened_at"] = e.At.UTC()
			if err := Record(ctx, tx, Entry{Actor: e.Actor, Action: e.Action, Target: e.Target, Details: details}); err != nil {
				return err
			}
		}
		return nil
	})
}

// maxWaiting is how many waiting entries one check appends.
const maxWaiting = 10_000

func (a *Anchors) recordCheck(ctx context.Context, found models.AuditCheck) error {
	if err := writes.AuditCheckInsert(ctx, a.db, found); err != nil {
		return fmt.Errorf("storing a check of the audit: %w", err)
	}
	return nil
}

// inspect verifies the chain against its newest anchor, either the whole chain or
// the entries since that anchor. It returns the head even if the chain is broken.
func (a *Anchors) inspect(ctx context.Context, whole bool) (models.AuditHead, *Anchor, error) {
	newest, keys, missing := a.newest(ctx) // before the chain, which grows
	head, err := queries.AuditHeadGet(ctx, a.db)
	if err != nil {
		return head, nil, fmt.Errorf("reading the head of the audit chain: %w", err)
	}
	if missing != nil {
		return head, nil, missing
	}
	same := newest != nil
	if same {
		if same, err = a.matches(ctx, *newest); err != nil {
			return head, nil, err
		}
	}
	if whole || !same {
		head, err = Verify(ctx, a.db)
	} else {
		var hash []byte
		if hash, err = hex.DecodeString(newest.Hash); err == nil {
			head, err = verify(ctx, a.db, newest.Seq, models.AuditHead{Seq: newest.Seq, Hash: hash})
		}
	}
	if err == nil && newest != nil && !same {
		err = a.describeMismatch(ctx, *newest, keys)
	}
	return head, newest, err
}

// Accept anchors a consistent chain that differs from its anchors, for example
// after a backup was restored. It records the actor, the reason and the
// difference in a new entry. Earlier anchors are kept. A chain that matches its
// anchors is a Conflict.
func (a *Anchors) Accept(ctx context.Context, actor, reason string) (models.AuditHead, error) {
	_, _, err := a.inspect(ctx, true)
	var broken *brokenError
	if err == nil {
		return models.AuditHead{}, fault.New(fault.Conflict, "The audit chain matches its newest anchor. There is nothing to accept.")
	}
	if !errors.As(err, &broken) {
		return models.AuditHead{}, err
	}
	if _, err := Verify(ctx, a.db); err != nil {
		return models.AuditHead{}, err
	}
	err = db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		return Record(ctx, tx, Entry{Actor: actor, Action: "audit.accept", Target: "audit", Details: map[string]any{"reason": reason, "found": broken.Error()}})
	})
	if err != nil {
		return models.AuditHead{}, err
	}
	head, err := Verify(ctx, a.db)
	if err != nil {
		return head, err
	}
	if err := a.add(ctx, head); err != nil {
		return head, err
	}
	return head, a.recordCheck(ctx, models.AuditCheck{Head: head})
}
