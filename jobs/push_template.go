package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// pushTemplate brings an upstream to what a template of ours is. A template that the
// upstream refuses is rejected, and a creation without an answer is looked for before it
// is tried again.
type pushTemplate struct {
	river.WorkerDefaults[args.PushTemplate]
	deps Deps
}

// pushPause is how long a template waits while its carrier cannot be used.
const pushPause = 30 * time.Second

func (w *pushTemplate) Work(ctx context.Context, job *river.Job[args.PushTemplate]) error {
	there, err := queries.UpstreamTemplateGet(ctx, w.deps.Pool, job.Args.TemplateID)
	if db.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking template %d up at its carrier: %w", job.Args.TemplateID, err)
	}
	t, err := queries.TemplateGetAny(ctx, w.deps.Pool, job.Args.TemplateID)
	if err != nil {
		return fmt.Errorf("reading template %d: %w", job.Args.TemplateID, err)
	}
	stored, err := queries.CarrierGet(ctx, w.deps.Pool, there.Carrier)
	if db.IsNoRows(err) || err == nil && stored.Kind != outbound.KindGraph {
		return river.JobCancel(fmt.Errorf("template %d lives at carrier %s, which is gone", t.ID, there.Carrier))
	}
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", there.Carrier, err)
	}
	carrier, err := carry.OpenGraph(w.deps.carrying(), stored)
	if err != nil {
		return err
	}
	err = w.push(ctx, carrier, t, there)
	var refusal *outbound.CarrierError
	switch {
	case errors.As(err, &refusal) && !refusal.Temporary:
		return w.observe(ctx, t, there, messaging.ObservedTemplate{Refusal: refusal.Error(), Revision: t.Revision})
	case errors.As(err, &refusal):
		there.Error = refusal.Error()
		if err := queries.UpstreamTemplateUpdate(ctx, w.deps.Pool, there); err != nil {
			return fmt.Errorf("storing why template %d waits: %w", t.ID, err)
		}
		return river.JobSnooze(max(refusal.Wait, pushPause))
	}
	return err
}

func (w *pushTemplate) push(ctx context.Context, carrier *outbound.Graph, t models.Template, there models.UpstreamTemplate) error {
	ours := outbound.GraphTemplate{
		Name: t.Name, Language: t.Language, Category: t.Category, ParameterFormat: t.ParameterFormat, Components: t.Components, TTL: t.TTL, AllowCategory: t.AllowCategoryChange,
	}
	switch {
	case t.Status == "DELETED":
		if there.UpstreamID == "" && !there.Attempted {
			return nil
		}
		return carrier.DeleteTemplate(ctx, there.Account, there.UpstreamID, t.Name)
	case there.UpstreamID == "":
		return w.create(ctx, carrier, t, there, ours)
	case there.Revision >= t.Revision:
		return nil // it has the newest already
	}
	if err := carrier.EditTemplate(ctx, there.UpstreamID, ours); err != nil {
		return err
	}
	return w.observe(ctx, t, there, messaging.ObservedTemplate{UpstreamID: there.UpstreamID, Revision: t.Revision, Status: "PENDING"})
}

// create creates a template, unless an earlier try that seemed to fail has done so.
func (w *pushTemplate) create(ctx context.Context, carrier *outbound.Graph, t models.Template, there models.UpstreamTemplate, ours outbound.GraphTemplate) error {
	var made outbound.GraphTemplate
	if there.Attempted {
		err := carrier.ListTemplates(ctx, there.Account, t.Name, func(listed outbound.GraphTemplate) error {
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
		if err := queries.UpstreamTemplateUpdate(ctx, w.deps.Pool, there); err != nil {
			return fmt.Errorf("storing that template %d is created: %w", t.ID, err)
		}
		var err error
		if made, err = carrier.CreateTemplate(ctx, there.Account, ours); err != nil {
			return err
		}
	}
	return w.observe(ctx, t, there, messaging.ObservedTemplate{
		UpstreamID: made.ID, Revision: t.Revision, Status: made.Status, Category: made.Category, Components: made.Components, Reason: made.Reason,
	})
}

func (w *pushTemplate) observe(ctx context.Context, t models.Template, there models.UpstreamTemplate, seen messaging.ObservedTemplate) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	seen.Name, seen.Language = t.Name, t.Language
	o := messaging.TemplateObserver{DB: w.deps.Pool, Jobs: client, Product: w.deps.Product}
	return o.Observe(ctx, there.Carrier, there.Account, t.BusinessAccountID, seen)
}
