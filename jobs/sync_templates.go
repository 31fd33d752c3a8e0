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
	"heliograph/jobs/args"
)

// syncTemplates reads the templates of all accounts that live at upstreams, so that what
// no post has told is noticed. An account that cannot be read stops none of the others.
type syncTemplates struct {
	river.WorkerDefaults[args.SyncTemplates]
	deps Deps
}

func (w *syncTemplates) Work(ctx context.Context, _ *river.Job[args.SyncTemplates]) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	observer := messaging.TemplateObserver{DB: w.deps.Pool, Jobs: client, Product: w.deps.Product}
	return carry.ForEachUpstream(ctx, w.deps.carrying(), func(name string) error { return w.sync(ctx, observer, name) })
}

func (w *syncTemplates) sync(ctx context.Context, o messaging.TemplateObserver, name string) error {
	carrier, stored, err := carry.OpenStored(ctx, w.deps.carrying(), name)
	if err != nil {
		return err
	}
	_, accounts, err := carry.AssetIDs(stored, "accounts")
	if err != nil {
		return err
	}
	var failures []error
	for account, theirs := range accounts {
		asked := time.Now()
		err = carrier.ListTemplates(ctx, theirs, "", func(t outbound.GraphTemplate) error {
			return o.Observe(ctx, name, theirs, account, messaging.ObservedTemplate{
				UpstreamID: t.ID, Name: t.Name, Language: t.Language, Status: t.Status, Reason: t.Reason, Category: t.Category, Quality: t.Quality, Components: t.Components,
				AsOf: asked,
			})
		})
		if err != nil {
			failures = append(failures, fmt.Errorf("reading the templates of account %s at carrier %s: %w", theirs, name, err))
		}
	}
	return errors.Join(failures...)
}
