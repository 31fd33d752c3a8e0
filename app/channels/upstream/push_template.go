package upstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging/templates"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// pushPause is how long a template waits while its carrier cannot be used.
const pushPause = 30 * time.Second

// Push brings an upstream to what a template of ours is. A template that the
// upstream refuses is rejected, and a creation without an answer is looked for before it
// is tried again.
func (u *Templates) Push(ctx context.Context, run args.Run, a args.PushTemplate) error {
	there, err := queries.UpstreamTemplateGet(ctx, u.deps.Pool, a.TemplateID)
	if err != nil {
		return db.Absent(err, nil, "looking template %d up at its carrier", a.TemplateID)
	}
	t, err := queries.TemplateGetAny(ctx, u.deps.Pool, a.TemplateID)
	if err != nil {
		return fmt.Errorf("reading template %d: %w", a.TemplateID, err)
	}
	stored, err := queries.CarrierGet(ctx, u.deps.Pool, there.Carrier)
	if db.IsNoRows(err) || err == nil && stored.Kind != outbound.KindGraph {
		return river.JobCancel(fmt.Errorf("template %d lives at carrier %s, which is gone", t.ID, there.Carrier))
	}
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", there.Carrier, err)
	}
	carrier, err := carry.OpenGraph(u.deps.Options, stored)
	if err != nil {
		return err
	}
	err = u.push(ctx, run, carrier, t, there)
	var refusal *outbound.CarrierError
	switch {
	case errors.As(err, &refusal) && !refusal.Temporary:
		return u.observe(ctx, run, t, there, templates.Observed{Refusal: refusal.Error(), Revision: t.Revision})
	case errors.As(err, &refusal):
		there.Error = refusal.Error()
		if err := writes.UpstreamTemplateUpdate(ctx, u.deps.Pool, there); err != nil {
			return fmt.Errorf("storing why template %d waits: %w", t.ID, err)
		}
		return river.JobSnooze(max(refusal.Wait, pushPause))
	}
	return err
}

func (u *Templates) push(ctx context.Context, run args.Run, carrier *outbound.Graph, t models.Template, there models.UpstreamTemplate) error {
	ours := outbound.GraphTemplate{
		Name: t.Name, Language: t.Language, Category: t.Category, ParameterFormat: t.ParameterFormat, Components: t.Components, TTL: t.TTL, AllowCategory: t.AllowCategoryChange,
	}
	switch {
	case t.Status == "DELETED":
		if there.UpstreamID == "" && !there.Attempted {
			return nil
		}
		return carrier.Templates.Delete(ctx, there.Account, there.UpstreamID, t.Name)
	case there.UpstreamID == "":
		return u.create(ctx, run, carrier, t, there, ours)
	case there.Revision >= t.Revision:
		return nil // it has the newest already
	}
	if err := carrier.Templates.Edit(ctx, there.UpstreamID, ours); err != nil {
		return err
	}
	return u.observe(ctx, run, t, there, templates.Observed{UpstreamID: there.UpstreamID, Revision: t.Revision, Status: "PENDING"})
}

// create creates a template, unless an earlier try that seemed to fail has done so.
func (u *Templates) create(ctx context.Context, run args.Run, carrier *outbound.Graph, t models.Template, there models.UpstreamTemplate, ours outbound.GraphTemplate) error {
	var made outbound.GraphTemplate
	if there.Attempted {
		err := carrier.Templates.List(ctx, there.Account, t.Name, func(listed outbound.GraphTemplate) error {
			if listed.Name == t.Name && listed.Language == t.Language {
				made = listed
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if made.ID == "" {
		there.Attempted = true
		if err := writes.UpstreamTemplateUpdate(ctx, u.deps.Pool, there); err != nil {
			return fmt.Errorf("storing that template %d is created: %w", t.ID, err)
		}
		var err error
		if made, err = carrier.Templates.Create(ctx, there.Account, ours); err != nil {
			return err
		}
	}
	return u.observe(ctx, run, t, there, templates.Observed{
		UpstreamID: made.ID, Revision: t.Revision, Status: made.Status, Category: made.Category, Components: made.Components, Reason: made.Reason,
	})
}

func (u *Templates) observe(ctx context.Context, run args.Run, t models.Template, there models.UpstreamTemplate, seen templates.Observed) error {
	if run.Inserter == nil {
		return errNoInserter
	}
	seen.Name, seen.Language = t.Name, t.Language
	o := templates.Observer{DB: u.deps.Pool, Jobs: run.Inserter, Product: u.deps.Product}
	return o.Observe(ctx, there.Carrier, there.Account, t.BusinessAccountID, seen)
}
