package upstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"heliograph/app/channels/messaging/templates"
	"heliograph/app/outbound"
	"heliograph/jobs/args"
)

// Sync reads the templates of all accounts that live at upstreams, so that what
// no post has told is noticed. An account that cannot be read stops none of the others.
func (u *Templates) Sync(ctx context.Context, run args.Run) error {
	if run.Inserter == nil {
		return errNoInserter
	}
	observer := templates.Observer{DB: u.deps.Pool, Jobs: run.Inserter, Product: u.deps.Product}
	return forEach(ctx, u.deps, func(name string) error { return u.sync(ctx, observer, name) })
}

func (u *Templates) sync(ctx context.Context, o templates.Observer, name string) error {
	carrier, stored, err := openStored(ctx, u.deps, name)
	if err != nil {
		return err
	}
	_, accounts, err := assetIDs(stored, "accounts")
	if err != nil {
		return err
	}
	var failures []error
	for account, theirs := range accounts {
		asked := time.Now()
		err = carrier.Templates.List(ctx, theirs, "", func(t outbound.GraphTemplate) error {
			return o.Observe(ctx, name, theirs, account, templates.Observed{
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
