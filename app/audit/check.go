package audit

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// CheckEvery is how often the whole chain is read.
const CheckEvery = 24 * time.Hour

// Verify reads the whole chain and holds it against its newest anchor, which
// is nil where nothing was anchored yet. A *Broken error says where they fail.
func (a *Anchors) Verify(ctx context.Context) (models.AuditHead, *Anchor, error) {
	return a.inspect(ctx, true)
}

// Check does what is due: it reads the whole chain once within CheckEvery, else
// what came since the newest anchor, stores and logs what it found, and anchors
// a chain that holds once within AnchorEvery.
func (a *Anchors) Check(ctx context.Context) error {
	last, err := queries.AuditCheckGet(ctx, a.db)
	if err != nil && !db.IsNoRows(err) {
		return fmt.Errorf("reading the last check of the audit: %w", err)
	}
	whole := err != nil || last.BrokenSeq != nil || a.now().Sub(last.At) >= CheckEvery
	head, newest, err := a.inspect(ctx, whole)
	var broken *Broken
	if errors.As(err, &broken) {
		slog.ErrorContext(ctx, "the audit chain is broken", "seq", broken.Seq, "reason", broken.Reason)
		return a.note(ctx, models.AuditCheck{Head: head, BrokenSeq: &broken.Seq, Reason: broken.Reason})
	}
	if err != nil {
		return err
	}
	if whole {
		slog.InfoContext(ctx, "the audit chain holds", "seq", head.Seq, "hash", hex.EncodeToString(head.Hash))
		if err := a.note(ctx, models.AuditCheck{Head: head}); err != nil {
			return err
		}
	}
	// A little early is on time: the clock that starts jobs wavers.
	if newest != nil && a.now().Sub(newest.At) < AnchorEvery-time.Minute {
		return nil
	}
	return a.put(ctx, head)
}

func (a *Anchors) note(ctx context.Context, found models.AuditCheck) error {
	if err := queries.AuditCheckInsert(ctx, a.db, found); err != nil {
		return fmt.Errorf("storing a check of the audit: %w", err)
	}
	return nil
}

// inspect verifies the chain against its newest anchor: whole, or what came
// since that anchor. The head comes back even where the chain is broken.
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
		if same, err = a.agrees(ctx, *newest); err != nil {
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
		err = a.differs(ctx, *newest, keys)
	}
	return head, newest, err
}

// Accept anchors a chain that holds within itself although it disagrees with
// its anchors, as after a backup was restored. Who does it, for what reason,
// and how they disagree is the newest entry then; the earlier anchors stay. A
// chain that agrees is a Conflict.
func (a *Anchors) Accept(ctx context.Context, actor, reason string) (models.AuditHead, error) {
	_, _, err := a.inspect(ctx, true)
	var broken *Broken
	if err == nil {
		return models.AuditHead{}, fault.New(fault.Conflict, "The chain agrees with its newest anchor: there is nothing to accept.")
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
	if err := a.put(ctx, head); err != nil {
		return head, err
	}
	return head, a.note(ctx, models.AuditCheck{Head: head})
}
