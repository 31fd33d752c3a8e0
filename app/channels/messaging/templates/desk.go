package templates

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Desk is where administrators review the templates of live organisations. Sandbox
// templates are reviewed automatically.
type Desk struct {
	DB      db.Beginner
	Jobs    args.Inserter
	Product string // name of the channel in callbacks
}

// deskTemplates is how many templates the desk lists.
const deskTemplates = 500

// The decisions of an administrator about a template.
const (
	Approve = "approve"
	Reject  = "reject"
)

// RejectionReasons are the reasons for which a template can be rejected, as partners
// get them.
var RejectionReasons = []string{"INVALID_FORMAT", "INCORRECT_CATEGORY", "TAG_CONTENT_MISMATCH", "PROMOTIONAL", "ABUSIVE_CONTENT", "SCAM"}

// Decision is what an administrator decides about a template.
type Decision struct {
	ID       int64
	Revision int // that the administrator has read
	Decision string
	Reason   string // of a rejection
	Category string // of an approved template; empty keeps it
	Actor    string
}

// Waiting returns the templates of live organisations that wait for a review, the
// oldest first.
func (d Desk) Waiting(ctx context.Context) ([]models.DeskTemplate, error) {
	list, err := queries.TemplateListWaiting(ctx, d.DB, deskTemplates)
	if err != nil {
		return nil, fmt.Errorf("listing the templates to review: %w", err)
	}
	return list, nil
}

// Away returns the templates that live at upstreams, which review them.
func (d Desk) Away(ctx context.Context) ([]models.ListedUpstreamTemplate, error) {
	list, err := queries.UpstreamTemplateList(ctx, d.DB, deskTemplates)
	if err != nil {
		return nil, fmt.Errorf("listing the templates of upstreams: %w", err)
	}
	return list, nil
}

// Template returns a template of a live organisation with its texts, in their order.
func (d Desk) Template(ctx context.Context, id int64) (t models.DeskTemplate, parts []Part, err error) {
	t, err = queries.TemplateGetAtDesk(ctx, d.DB, id)
	if err != nil {
		return t, nil, db.Absent(err, fault.New(fault.NotFound, "No live organisation has this template."), "reading template %d", id)
	}
	parts, err = partsOf(t.Components)
	return t, parts, err
}

// Part is a component of a template as a person reads it.
type Part struct {
	Name string // such as BODY
	Text string // what it says, or the JSON of what has no text
}

func partsOf(components json.RawMessage) ([]Part, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(components, &raw); err != nil {
		return nil, fmt.Errorf("reading the components of a template: %w", err)
	}
	var parts []Part
	for _, one := range raw {
		var c struct {
			Type   string `json:"type"`
			Format string `json:"format"`
			Text   string `json:"text"`
		}
		if err := json.Unmarshal(one, &c); err != nil {
			return nil, fmt.Errorf("reading a component of a template: %w", err)
		}
		p := Part{Name: strings.TrimSpace(c.Type + " " + c.Format), Text: c.Text}
		if p.Text == "" {
			p.Text = string(one)
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// Decide reviews a template. The webhooks of its account get the status. A template that was
// edited, reviewed or deleted since the administrator read it is a Conflict.
func (d Desk) Decide(ctx context.Context, decision Decision) error {
	if err := decision.check(); err != nil {
		return err
	}
	return db.InTx(ctx, d.DB, func(tx pgx.Tx) error {
		t, err := writes.TemplateLock(ctx, tx, decision.ID)
		if db.IsNoRows(err) || err == nil && (t.Sandbox || t.Revision != decision.Revision || t.Status != "PENDING") {
			return fault.New(fault.Conflict, "The template was edited, reviewed or deleted meanwhile. Read it again.")
		}
		if err != nil {
			return fmt.Errorf("locking template %d: %w", decision.ID, err)
		}
		if _, err := queries.UpstreamTemplateGet(ctx, tx, t.ID); !db.IsNoRows(err) {
			return cmp.Or(err, error(fault.New(fault.Conflict, "The template is reviewed at the carrier of its account.")))
		}
		result := reviewResult{reason: "NONE", category: t.Category}
		switch {
		case decision.Decision == Reject:
			result.reason = decision.Reason
		case decision.Category != "" && decision.Category != t.Category && !t.AllowCategoryChange:
			return fault.InvalidFields(fault.Field{Name: "category", Message: "The organisation does not allow another category. Reject the template for its category instead."})
		case decision.Category != "":
			result.category = decision.Category
		}
		work := &templateTx{tx: tx, jobs: d.Jobs, product: d.Product, now: time.Now()}
		if err := work.conclude(ctx, &t, result); err != nil {
			return err
		}
		if err := work.save(ctx, &t); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: decision.Actor, Action: "template." + decision.Decision, Target: fmt.Sprintf("template:%d", t.ID),
			Details: map[string]any{"organisation": t.OrganisationID, "name": t.Name, "language": t.Language, "category": t.Category, "reason": t.RejectedReason},
		})
	})
}

func (d *Decision) check() error {
	switch {
	case d.Decision != Approve && d.Decision != Reject:
		return fault.InvalidFields(fault.Field{Name: "decision", Message: "Choose whether the template is approved."})
	case d.Decision == Reject && !slices.Contains(RejectionReasons, d.Reason):
		return fault.InvalidFields(fault.Field{Name: "reason", Message: "Choose the reason of the rejection."})
	case d.Category != "" && !slices.Contains([]string{"AUTHENTICATION", "UTILITY", "MARKETING"}, d.Category):
		return fault.InvalidFields(fault.Field{Name: "category", Message: "Choose one of the categories."})
	}
	return nil
}
