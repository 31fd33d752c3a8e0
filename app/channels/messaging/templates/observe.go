package templates

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/input"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// sendUpstream gives a template to the upstream that its account lives at, by a job. It
// reports false if there is none, or if the template has a file in it: only a person
// can put one there, and the template is found when it was created.
func sendUpstream(ctx context.Context, tx pgx.Tx, jobs args.Inserter, t models.Template) (bool, error) {
	if t.Sandbox {
		return false, nil
	}
	known, err := queries.UpstreamTemplateGet(ctx, tx, t.ID)
	if err != nil && !db.IsNoRows(err) {
		return false, fmt.Errorf("looking template %d up at its carrier: %w", t.ID, err)
	}
	if err != nil {
		if known, err = homeOf(ctx, tx, t); err != nil || known.Carrier == "" || strings.Contains(string(t.Components), `"header_handle"`) {
			return false, err
		}
		if err := writes.UpstreamTemplateInsert(ctx, tx, known); err != nil {
			return false, fmt.Errorf("storing where template %d lives: %w", t.ID, err)
		}
	}
	return true, pushTemplate(ctx, tx, jobs, t.ID)
}

func pushTemplate(ctx context.Context, tx pgx.Tx, jobs args.Inserter, id int64) error {
	if _, err := jobs.InsertTx(ctx, tx, args.PushTemplate{TemplateID: id}, nil); err != nil {
		return fmt.Errorf("inserting the job of template %d: %w", id, err)
	}
	return nil
}

// homeOf returns the carrier and the account of the upstream that a template lives at.
// The carrier is empty if there is none.
func homeOf(ctx context.Context, tx pgx.Tx, t models.Template) (home models.UpstreamTemplate, err error) {
	carrier, theirs, err := registry.HomeIn(ctx, tx, "accounts", t.BusinessAccountID)
	if err != nil || theirs == "" {
		return home, err
	}
	return models.UpstreamTemplate{TemplateID: t.ID, Carrier: carrier.Name, Account: theirs}, nil
}

// removeUpstream deletes a template at the upstream that has it, by a job.
func removeUpstream(ctx context.Context, tx pgx.Tx, jobs args.Inserter, id int64) error {
	_, err := queries.UpstreamTemplateGet(ctx, tx, id)
	if err != nil {
		return db.Absent(err, nil, "looking template %d up at its carrier", id)
	}
	return pushTemplate(ctx, tx, jobs, id)
}

// Observed is what an upstream says about a template. Empty members say nothing.
type Observed struct {
	UpstreamID     string
	Name, Language string
	Status         string // also one that we do not know
	Reason         string
	Category       string
	Quality        string
	Components     json.RawMessage
	Refusal        string // why the upstream did not take it
	Revision       int    // that the upstream has now
	// AsOf is when a list was asked for, and zero for what an upstream posts or answers.
	// A list does not undo what was posted after it was asked for.
	AsOf time.Time
}

// Observer writes what an upstream says about templates into ours, and tells the
// partners of changes.
type Observer struct {
	DB      db.Beginner
	Jobs    args.Inserter
	Product string // name of the channel in callbacks
}

// Observe takes over what a carrier says about a template of an account. One that is not
// ours is left alone.
func (o Observer) Observe(ctx context.Context, carrier, theirAccount string, accountID int64, seen Observed) error {
	for _, text := range []*string{&seen.UpstreamID, &seen.Name, &seen.Language, &seen.Status, &seen.Reason, &seen.Category, &seen.Quality, &seen.Refusal} {
		*text = strings.ReplaceAll(*text, "\x00", "") // which no text column takes
	}
	return db.InTx(ctx, o.DB, func(tx pgx.Tx) error {
		id, err := queries.UpstreamTemplateFind(ctx, tx, carrier, seen.UpstreamID, accountID, seen.Name, seen.Language)
		if err != nil {
			return fmt.Errorf("looking for template %s of carrier %s: %w", seen.Name, carrier, err)
		}
		if id == 0 {
			return nil
		}
		t, err := writes.TemplateLock(ctx, tx, id)
		if db.IsNoRows(err) || err == nil && t.Sandbox {
			return nil
		}
		if err != nil {
			return fmt.Errorf("locking template %d: %w", id, err)
		}
		home := models.UpstreamTemplate{TemplateID: id, Carrier: carrier, Account: theirAccount, UpstreamID: seen.UpstreamID, Revision: t.Revision}
		if err := writes.UpstreamTemplateInsert(ctx, tx, home); err != nil {
			return fmt.Errorf("storing where template %d lives: %w", id, err)
		}
		there, err := queries.UpstreamTemplateGet(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("looking template %d up at its carrier: %w", id, err)
		}
		if !seen.AsOf.IsZero() && there.ObservedAt != nil && there.ObservedAt.After(seen.AsOf) {
			return nil // the next list says it
		}
		d := &templateTx{tx: tx, jobs: o.Jobs, product: o.Product, now: time.Now()}
		if err := d.observe(ctx, &t, &there, seen); err != nil {
			return err
		}
		there.ObservedAt = &d.now
		if err := writes.UpstreamTemplateUpdate(ctx, tx, there); err != nil {
			return fmt.Errorf("storing what carrier %s has of template %d: %w", carrier, id, err)
		}
		return d.save(ctx, &t)
	})
}

// observe changes a template to what an upstream says. An edit that has not arrived
// there yet is still to be reviewed.
func (d *templateTx) observe(ctx context.Context, t *models.Template, there *models.UpstreamTemplate, seen Observed) error {
	if seen.Revision > 0 {
		there.Revision = seen.Revision
	}
	if seen.UpstreamID != "" {
		there.UpstreamID, there.Attempted = seen.UpstreamID, false
	}
	if there.Error = media.Printable(seen.Refusal, 1000); seen.Refusal != "" {
		seen.Status, seen.Reason = "REJECTED", "INVALID_FORMAT"
	}
	if len(seen.Components) > 0 {
		there.Components = seen.Components
	}
	if seen.Category != "" && seen.Category != t.Category && slices.Contains([]string{"AUTHENTICATION", "UTILITY", "MARKETING"}, seen.Category) {
		previous := t.Category
		setCategory(t, seen.Category)
		if err := d.relay(ctx, t, "template_category_update", "template.category", categoryChange{subjectOf(t), previous, t.Category}); err != nil {
			return err
		}
	}
	if slices.Contains([]string{"GREEN", "YELLOW", "RED", "UNKNOWN"}, seen.Quality) {
		if err := d.setQuality(ctx, t, seen.Quality); err != nil {
			return err
		}
	}
	if seen.Status == "" {
		return nil
	}
	there.Status, there.Reason = media.Printable(seen.Status, 40), media.Printable(seen.Reason, 200)
	if there.Revision < t.Revision && seen.Refusal == "" {
		return nil
	}
	return d.observeStatus(ctx, t, seen)
}

// eventStates are the states after events that are named otherwise.
var eventStates = map[string]string{"UNPAUSED": "APPROVED", "REINSTATED": "APPROVED", "UNLOCKED": "APPROVED", "UNARCHIVED": "APPROVED"}

func (d *templateTx) observeStatus(ctx context.Context, t *models.Template, seen Observed) error {
	status := seen.Status
	if known := eventStates[status]; known != "" {
		status = known
	}
	isKnown := slices.Contains(liveStatuses, status) || status == "DELETED" || status == "PENDING_DELETION"
	switch {
	case status == "FLAGGED": // it goes on
		return d.relayStatus(ctx, t, "FLAGGED", nil)
	case !isKnown:
		slog.InfoContext(ctx, "a carrier has a template in a state that is not known here", "template", t.ID, "status", media.Printable(status, 40))
		return nil
	case status == t.Status, t.Status == "PENDING_DELETION":
		return nil
	}
	t.Status, t.PausedUntil, t.RejectedReason, t.ReviewedAt = status, nil, "NONE", &d.now
	switch status {
	case "REJECTED":
		if t.RejectedReason = seen.Reason; !slices.Contains(RejectionReasons, seen.Reason) {
			t.RejectedReason = "INVALID_FORMAT"
		}
	case "DELETED", "PENDING_DELETION":
		t.DeletedAt = &d.now
	}
	return d.relayStatus(ctx, t, seen.Status, nil)
}

// Fields are the fields of posts that are about templates.
var Fields = map[string]bool{"message_template_status_update": true, "message_template_quality_update": true, "template_category_update": true}

// postedTemplate is the value of a change of a template.
type postedTemplate struct {
	ID          input.Text `json:"message_template_id"`
	Name        string     `json:"message_template_name"`
	Language    string     `json:"message_template_language"`
	Event       string     `json:"event"`
	Reason      string     `json:"reason"`
	NewQuality  string     `json:"new_quality_score"`
	NewCategory string     `json:"new_category"`
}

// Take takes over what a post says about a template. Accounts that the settings
// do not name, and values of another shape, are left out.
func (o Observer) Take(ctx context.Context, carrier models.Carrier, account, field string, value json.RawMessage) error {
	var posted postedTemplate
	if json.Unmarshal(value, &posted) != nil || registry.ClipID(string(posted.ID)) == "" {
		slog.InfoContext(ctx, "a carrier posted a template of another shape", "carrier", carrier.Name, "field", field)
		return nil
	}
	accounts, err := models.GraphIDs(carrier.Settings, "accounts")
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", carrier.Name, err)
	}
	for ours, theirs := range accounts {
		id, ok := registry.ParseID(ours)
		if theirs != account || !ok {
			continue
		}
		seen := Observed{
			UpstreamID: string(posted.ID), Name: posted.Name, Language: posted.Language,
			Status: posted.Event, Reason: posted.Reason, Quality: posted.NewQuality, Category: posted.NewCategory,
		}
		return o.Observe(ctx, carrier.Name, theirs, id, seen)
	}
	slog.WarnContext(ctx, "a carrier posted about an account that its settings do not name", "carrier", carrier.Name, "account", media.Printable(account, 40))
	return nil
}
