package jobs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/messaging"
	"heliograph/app/outbound"
	"heliograph/db/models"
	"heliograph/db/queries"
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
	carriers, err := queries.CarrierList(ctx, w.deps.Pool)
	if err != nil {
		return fmt.Errorf("listing the carriers: %w", err)
	}
	observer := messaging.TemplateObserver{DB: w.deps.Pool, Jobs: client, Product: w.deps.Product}
	var failures []error
	for _, c := range carriers {
		if c.Kind == outbound.KindGraph && c.DisabledAt == nil {
			failures = append(failures, w.sync(ctx, observer, c))
		}
	}
	return errors.Join(failures...)
}

func (w *syncTemplates) sync(ctx context.Context, o messaging.TemplateObserver, c models.Carrier) error {
	c, err := queries.CarrierGet(ctx, w.deps.Pool, c.Name) // with its secret
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", c.Name, err)
	}
	carrier, err := openGraph(w.deps, c, nil)
	if err != nil {
		return fmt.Errorf("opening carrier %s: %w", c.Name, err)
	}
	accounts, err := outbound.GraphAccounts(c.Settings)
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", c.Name, err)
	}
	var failures []error
	for ours, theirs := range accounts {
		account, err := strconv.ParseInt(ours, 10, 64)
		if err != nil {
			continue // no account has such an id
		}
		asked := time.Now()
		err = carrier.ListTemplates(ctx, theirs, "", func(t outbound.GraphTemplate) error {
			return o.Observe(ctx, c.Name, theirs, account, messaging.ObservedTemplate{
				UpstreamID: t.ID, Name: t.Name, Language: t.Language, Status: t.Status, Reason: t.Reason, Category: t.Category, Quality: t.Quality, Components: t.Components,
				AsOf: asked,
			})
		})
		if err != nil {
			failures = append(failures, fmt.Errorf("reading the templates of account %s at carrier %s: %w", theirs, c.Name, err))
		}
	}
	return errors.Join(failures...)
}
