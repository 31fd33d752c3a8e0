package rcs

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// ReviewAutomatically reviews a template that has the content of a job, in the
// caller's transaction. A template with a name that ends in _rejected is rejected, so
// that partners can try that; every other one is approved.
func ReviewAutomatically(ctx context.Context, tx pgx.Tx, jobs args.Inserter, r args.ReviewRCSTemplate) error {
	t, err := writes.RCSTemplateLock(ctx, tx, r.TemplateID)
	if db.IsNoRows(err) || err == nil && (t.Revision != r.Revision || t.State != pending) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading template %s: %w", r.TemplateID, err)
	}
	if strings.HasSuffix(t.Name, "_rejected") {
		return reviewed(ctx, tx, jobs, t, "The review of a sandbox rejects names that end in _rejected.")
	}
	return reviewed(ctx, tx, jobs, t, "")
}

// reviewed stores the result of a review: approved without a reason, otherwise
// rejected.
func reviewed(ctx context.Context, tx pgx.Tx, jobs args.Inserter, t models.RCSTemplate, reason string) error {
	if t.State, t.Reason = approved, reason; reason != "" {
		t.State = rejected
	}
	if err := writes.RCSTemplateUpdate(ctx, tx, t); err != nil {
		return fmt.Errorf("storing template %s: %w", t.ID, err)
	}
	return relayTemplate(ctx, tx, jobs, t)
}

// approved is the state of a template that can be sent.
const approved = "APPROVED"
