package messaging

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
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// verdict is what a review finds.
type verdict struct {
	wait     bool   // not reviewed at all
	reason   string // why it is rejected, or NONE
	category string // the category that fits
}

// judge reviews a template. An offer fits no utility template. In a sandbox the
// end of the name asks for an outcome (see the Templates tag of the contract)
// until the first edit.
func judge(t models.Template) (verdict, error) {
	v := verdict{reason: "NONE", category: t.Category}
	var components []templateComponent
	if err := json.Unmarshal(t.Components, &components); err != nil {
		return v, fmt.Errorf("reading template %d: %w", t.ID, err)
	}
	promotes := asks(t, "category") || slices.ContainsFunc(components, func(c templateComponent) bool { return c.Type == "LIMITED_TIME_OFFER" })
	switch {
	case asks(t, "pending"):
		v.wait = true
	case asks(t, "rejected"):
		v.reason = "INVALID_FORMAT"
	case t.Category == "UTILITY" && promotes && !t.AllowCategoryChange:
		v.reason = "INCORRECT_CATEGORY"
	case t.Category == "UTILITY" && promotes:
		v.category = "MARKETING"
	}
	return v, nil
}

// asks reports whether the name of a template of a sandbox asks for an outcome.
func asks(t models.Template, outcome string) bool {
	return t.Sandbox && t.Revision == 1 && strings.HasSuffix(t.Name, "_"+outcome)
}

// ReviewTemplate ends the review of a template inside the caller's transaction
// and stores the callbacks about it. It does nothing when the template has been
// edited, reviewed or deleted meanwhile. product is the name of the channel in
// callbacks.
func ReviewTemplate(ctx context.Context, tx pgx.Tx, jobs args.Inserter, product string, job args.ReviewTemplate) error {
	t, err := queries.TemplateLock(ctx, tx, job.TemplateID)
	if db.IsNoRows(err) || err == nil && (t.Revision != job.Revision || t.Status != "PENDING") {
		return nil
	}
	if err != nil {
		return fmt.Errorf("locking template %d: %w", job.TemplateID, err)
	}
	d := &templateDesk{tx: tx, jobs: jobs, product: product, now: time.Now()}
	if err := d.review(ctx, &t); err != nil {
		return err
	}
	return d.save(ctx, &t)
}

// review moves a PENDING template on.
func (d *templateDesk) review(ctx context.Context, t *models.Template) error {
	v, err := judge(*t)
	if err != nil || v.wait {
		return err
	}
	t.ReviewedAt = &d.now
	if v.reason != "NONE" {
		if err := d.move(t, stepReject); err != nil {
			return err
		}
		t.RejectedReason = v.reason
		return d.tell(ctx, t, "REJECTED", nil)
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
	if err := d.tell(ctx, t, "APPROVED", nil); err != nil {
		return err
	}
	switch {
	case asks(*t, "flagged"):
		if err := d.rate(ctx, t, "YELLOW"); err != nil {
			return err
		}
		return d.tell(ctx, t, "FLAGGED", nil)
	case asks(*t, "disabled"):
		t.Pauses = len(pauses)
		return d.decline(ctx, t)
	case asks(*t, "paused"):
		return d.decline(ctx, t)
	}
	return nil
}

// setCategory changes the category; a time to live that does not fit it gives
// way to the category's own.
func setCategory(t *models.Template, category string) {
	previous := t.Category
	t.PreviousCategory, t.Category = &previous, category
	if t.TTL == nil || checkTTL(category, *t.TTL) != nil {
		t.TTL = defaultTTL(category)
	}
}

// SettleTemplates ends the pauses that are over and deletes the templates whose
// last message has arrived or that have waited 30 days for it. product is the
// name of the channel in callbacks.
func SettleTemplates(ctx context.Context, pool db.Beginner, jobs args.Inserter, product string) error {
	due, err := queries.TemplateListDue(ctx, pool, time.Now())
	if err != nil {
		return fmt.Errorf("listing the templates that are due: %w", err)
	}
	for _, id := range due {
		err := db.InTx(ctx, pool, func(tx pgx.Tx) error {
			t, err := queries.TemplateLock(ctx, tx, id)
			if db.IsNoRows(err) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("locking template %d: %w", id, err)
			}
			d := &templateDesk{tx: tx, jobs: jobs, product: product, now: time.Now()}
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

// settle does what time has made due.
func (d *templateDesk) settle(ctx context.Context, t *models.Template) error {
	switch {
	case t.Status == "PAUSED" && t.PausedUntil != nil && !t.PausedUntil.After(d.now):
		if err := d.move(t, stepUnpause); err != nil {
			return err
		}
		if err := d.tell(ctx, t, "UNPAUSED", nil); err != nil {
			return err
		}
		if asks(*t, "paused") {
			return d.decline(ctx, t)
		}
	case t.Status == "PENDING_DELETION":
		busy, err := d.underWay(ctx, *t)
		if err != nil || busy && d.now.Sub(*t.DeletedAt) < nameBlock {
			return err
		}
		if err := d.move(t, stepRemove); err != nil {
			return err
		}
		return d.tell(ctx, t, "DELETED", nil)
	}
	return nil
}
