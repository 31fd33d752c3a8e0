package templates

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// Limits on edits of an approved template.
const (
	editPause   = 24 * time.Hour // between two edits
	editWindow  = 30 * 24 * time.Hour
	editsWithin = 10 // in each window
)

// EditTemplate changes a template of the organisation and submits it for review
// again.
func (s *Service) EditTemplate(ctx context.Context, organisationID int64, id string, in Input) error {
	n, err := registry.Owned(ctx, s.pool, organisationID, id, "template")
	if err != nil {
		return err
	}
	return db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		t, err := writes.TemplateLock(ctx, tx, n)
		if err != nil {
			return db.Absent(err, refusal.NotFound(id), "locking template %d", n)
		}
		d := &templateTx{tx: tx, jobs: s.jobs, product: s.Names[0], now: time.Now()}
		if err := in.checkEdit(&t, d.now); err != nil {
			return err
		}
		if err := in.apply(&t, s.fileType(ctx, organisationID)); err != nil {
			return err
		}
		if t.Status == "APPROVED" {
			t.Edits = append(t.Edits, d.now)
		}
		t.Revision++
		if err := d.move(&t, stepEdit); err != nil {
			return err
		}
		if err := d.save(ctx, &t); err != nil {
			return err
		}
		return s.sendToReview(ctx, tx, t, false)
	})
}

// checkEdit checks that a template may be edited now. It drops edits from
// t.Edits that are older than editWindow.
func (in Input) checkEdit(t *models.Template, now time.Time) error {
	switch {
	case in.Category == "" && in.Components == nil && in.TTL == nil && in.ParameterFormat == "":
		return refusal.New(refusal.Invalid, "", "send category, components, message_send_ttl_seconds or parameter_format")
	case in.Name != "" && string(in.Name) != t.Name, in.Language != "" && string(in.Language) != t.Language:
		return refusal.New(refusal.Invalid, "name", "name and language cannot be changed: create a new template")
	case !canStep(t, stepEdit):
		return refusal.New(refusal.Invalid, "", "a template that is %s cannot be edited: edit one that is APPROVED, REJECTED or PAUSED", t.Status)
	}
	t.Edits = slices.DeleteFunc(t.Edits, func(at time.Time) bool { return now.Sub(at) >= editWindow })
	if t.Status != "APPROVED" {
		return nil
	}
	switch {
	case slices.ContainsFunc(t.Edits, func(at time.Time) bool { return now.Sub(at) < editPause }):
		return refusal.New(refusal.Invalid, "", "an approved template can be edited once in 24 hours: wait, or create a new template")
	case len(t.Edits) >= editsWithin:
		return refusal.New(refusal.Invalid, "", "an approved template can be edited %d times in 30 days: wait, or create a new template", editsWithin)
	}
	return nil
}

// apply applies the changes to the template. Unchanged components are validated
// against a new category or parameter format too.
func (in Input) apply(t *models.Template, file fileTypeFunc) error {
	was := t.Category
	if err := in.applyCategory(t); err != nil {
		return err
	}
	if in.ParameterFormat != "" {
		format, err := in.format()
		if err != nil {
			return err
		}
		t.ParameterFormat = format
	}
	if in.TTL != nil {
		ttl, err := in.ttl(t.Category)
		if err != nil {
			return err
		}
		t.TTL = ttl
	}
	written := in.Components
	switch crosses := (was == "AUTHENTICATION") != (t.Category == "AUTHENTICATION"); {
	case written != nil:
	case crosses:
		return refuse(subcodeFieldMissing, "components", "authentication templates have different components: send components too")
	case t.Category == "AUTHENTICATION" && t.ParameterFormat == Positional:
		return nil // the stored components differ from the ones that were sent
	default:
		written, file = t.Components, nil
	}
	components, err := readComponents(written)
	if err != nil {
		return err
	}
	t.Components, err = checkedComponents(*t, components, file)
	return err
}

func (in Input) applyCategory(t *models.Template) error {
	if in.Category == "" {
		return nil
	}
	category, err := in.category()
	switch {
	case err != nil:
		return err
	case category == t.Category:
		return nil
	case t.Status == "APPROVED":
		return refusal.New(refusal.Invalid, "category", "the category of an approved template cannot be changed: create a new template")
	}
	setCategory(t, category)
	return nil
}
