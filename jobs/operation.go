package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/operation/audit"
	"heliograph/app/operation/insight"
	"heliograph/app/operation/retention"
	"heliograph/app/operation/setting"
	"heliograph/jobs/args"
)

// addOperation adds the workers that keep the installation in order.
func addOperation(w *river.Workers, deps Deps) {
	// The audit may have millions of entries.
	addSlow(w, 5*time.Minute, func(ctx context.Context, _ *river.Job[args.CheckAudit]) error {
		return audit.NewAnchors(deps.Pool, deps.Anchors, deps.Keyring, deps.PublicURL).Check(ctx)
	})
	// Tables know this of readers and partners. What web processes serve they count
	// themselves.
	addSlow(w, 5*time.Minute, func(ctx context.Context, job *river.Job[args.CollectInsight]) error {
		return once(ctx, deps.Pool, job, func(tx pgx.Tx) error { return insight.Collect(ctx, tx, time.Now(), deps.Zone) })
	})
	addSlow(w, housekeepTime, func(ctx context.Context, _ *river.Job[args.Housekeep]) error { return housekeep(ctx, deps) })
	// There may be much to delete. The next run goes on with the rest.
	addSlow(w, 20*time.Minute, func(ctx context.Context, _ *river.Job[args.PurgeLogs]) error {
		return retention.Purge(ctx, deps.Pool, time.Now())
	})
	addSlow(w, 10*time.Minute, func(ctx context.Context, _ *river.Job[args.ResealSecrets]) error {
		_, err := setting.Reseal(ctx, deps.Pool, deps.Keyring)
		return err
	})
}
