package audit

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// CheckEvery is how long what a reading of the chain found is good for.
const CheckEvery = 24 * time.Hour

// Check verifies the chain and stores what it found, unless that was done
// within CheckEvery. The head goes to the log as well: kept there it shows a
// chain that was computed anew.
func Check(ctx context.Context, q db.Querier) error {
	last, err := queries.AuditCheckGet(ctx, q)
	if err != nil && !db.IsNoRows(err) {
		return fmt.Errorf("reading the last check of the audit: %w", err)
	}
	if err == nil && time.Since(last.At) < CheckEvery {
		return nil
	}
	head, err := Verify(ctx, q)
	found := models.AuditCheck{Head: head}
	var broken *Broken
	switch {
	case errors.As(err, &broken):
		found.BrokenSeq, found.Reason = &broken.Seq, broken.Reason
		slog.ErrorContext(ctx, "the audit chain is broken", "seq", broken.Seq, "reason", broken.Reason)
	case err != nil:
		return err
	default:
		slog.InfoContext(ctx, "the audit chain holds", "seq", head.Seq, "hash", hex.EncodeToString(head.Hash))
	}
	if err := queries.AuditCheckInsert(ctx, q, found); err != nil {
		return fmt.Errorf("storing a check of the audit: %w", err)
	}
	return nil
}
