package templates

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// reviewResult is the result of a review.
type reviewResult struct {
	wait     bool   // leave the template PENDING
	reason   string // why it is rejected, or NONE
	category string // the category that fits
}

// reviewOutcome reviews a template of a sandbox. A utility template cannot have an
// offer. The ending of the name selects the outcome until the first edit (see
// the Templates tag of the contract).
func reviewOutcome(t models.Template) (reviewResult, error) {
	v := reviewResult{reason: "NONE", category: t.Category}
	var components []Component
	if err := json.Unmarshal(t.Components, &components); err != nil {
		return v, fmt.Errorf("reading template %d: %w", t.ID, err)
	}
	promotes := requestsOutcome(t, "category") || slices.ContainsFunc(components, func(c Component) bool { return c.Type == "LIMITED_TIME_OFFER" })
	switch {
	case requestsOutcome(t, "pending"):
		v.wait = true
	case requestsOutcome(t, "rejected"):
		v.reason = "INVALID_FORMAT"
	case t.Category == "UTILITY" && promotes && !t.AllowCategoryChange:
		v.reason = "INCORRECT_CATEGORY"
	case t.Category == "UTILITY" && promotes:
		v.category = "MARKETING"
	}
	return v, nil
}

// requestsOutcome reports whether the name of a sandbox template selects an
// outcome.
func requestsOutcome(t models.Template, outcome string) bool {
	return t.Sandbox && t.Revision == 1 && strings.HasSuffix(t.Name, "_"+outcome)
}

// Review reviews a template in the caller's transaction and stores the
// callbacks. It does nothing if the template was edited, reviewed or deleted in
// the meantime. A template of an account that lives at an upstream is reviewed there. The desk
// reviews others of live organisations, except authentication templates: their texts are
// fixed. product is the name of the channel in callbacks.
func Review(ctx context.Context, tx pgx.Tx, jobs args.Inserter, product string, job args.ReviewTemplate) error {
	t, err := writes.TemplateLock(ctx, tx, job.TemplateID)
	if db.IsNoRows(err) || err == nil && (t.Revision != job.Revision || t.Status != "PENDING") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("locking template %d: %w", job.TemplateID, err)
	}
	if isAway, err := sendUpstream(ctx, tx, jobs, t); isAway || err != nil {
		return err
	}
	if !t.Sandbox && t.Category != "AUTHENTICATION" {
		return nil
	}
	d := &templateTx{tx: tx, jobs: jobs, product: product, now: time.Now()}
	if err := d.review(ctx, &t); err != nil {
		return err
	}
	return d.save(ctx, &t)
}

// review applies the outcome to a PENDING template.
func (d *templateTx) review(ctx context.Context, t *models.Template) error {
	v, err := reviewOutcome(*t)
	if err != nil || v.wait {
		return err
	}
	if err := d.conclude(ctx, t, v); err != nil || t.Status != "APPROVED" {
		return err
	}
	switch {
	case requestsOutcome(*t, "flagged"):
		if err := d.setQuality(ctx, t, "YELLOW"); err != nil {
			return err
		}
		return d.relayStatus(ctx, t, "FLAGGED", nil)
	case requestsOutcome(*t, "disabled"):
		t.Pauses = len(pauseDurations)
		return d.pauseOrDisable(ctx, t)
	case requestsOutcome(*t, "paused"):
		return d.pauseOrDisable(ctx, t)
	}
	return nil
}

// conclude rejects or approves a PENDING template, and tells its numbers.
func (d *templateTx) conclude(ctx context.Context, t *models.Template, v reviewResult) error {
	t.ReviewedAt = &d.now
	if v.reason != "NONE" {
		if err := d.move(t, stepReject); err != nil {
			return err
		}
		t.RejectedReason = v.reason
		return d.relayStatus(ctx, t, "REJECTED", nil)
	}
	if v.category != t.Category {
		previous := t.Category
		setCategory(t, v.category)
		if err := d.relay(ctx, t, "template_category_update", "template.category", categoryChange{subjectOf(t), previous, t.Category}); err != nil {
			return err
		}
	}
	if err := d.move(t, stepApprove); err != nil {
		return err
	}
	return d.relayStatus(ctx, t, "APPROVED", nil)
}

// setCategory changes the category. A time to live outside of its range is
// replaced by the default of the category.
func setCategory(t *models.Template, category string) {
	previous := t.Category
	t.PreviousCategory, t.Category = &previous, category
	if t.TTL == nil || checkTTL(category, *t.TTL) != nil {
		t.TTL = DefaultTTL(category)
	}
}

// Settle ends expired pauses and completes pending deletions once the
// last message has arrived or after 30 days. product is the name of the channel
// in callbacks.
func Settle(ctx context.Context, pool db.Beginner, jobs args.Inserter, product string) error {
	due, err := queries.TemplateListDue(ctx, pool, time.Now())
	if err != nil {
		return fmt.Errorf("listing the templates that are due: %w", err)
	}
	for _, id := range due {
		err := db.InTx(ctx, pool, func(tx pgx.Tx) error {
			t, err := writes.TemplateLock(ctx, tx, id)
			if err != nil {
				return db.Absent(err, nil, "locking template %d", id)
			}
			d := &templateTx{tx: tx, jobs: jobs, product: product, now: time.Now()}
			if err := d.settle(ctx, &t); err != nil {
				return err
			}
			return d.save(ctx, &t)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// settle ends a pause or a pending deletion that is due.
func (d *templateTx) settle(ctx context.Context, t *models.Template) error {
	switch {
	case t.Status == "PAUSED" && t.PausedUntil != nil && !t.PausedUntil.After(d.now):
		if err := d.move(t, stepUnpause); err != nil {
			return err
		}
		if err := d.relayStatus(ctx, t, "UNPAUSED", nil); err != nil {
			return err
		}
		if requestsOutcome(*t, "paused") {
			return d.pauseOrDisable(ctx, t)
		}
	case t.Status == "PENDING_DELETION":
		busy, err := d.hasPendingMessages(ctx, *t)
		if err != nil || busy && d.now.Sub(*t.DeletedAt) < nameBlock {
			return err
		}
		if err := d.move(t, stepRemove); err != nil {
			return err
		}
		return d.relayStatus(ctx, t, "DELETED", nil)
	}
	return nil
}
