package jobs

import (
	"context"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels"
	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/templates"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/upstream"
	"heliograph/db"
	"heliograph/jobs/args"
)

// addCarrying adds the workers that move messages on.
func addCarrying(w *river.Workers, deps Deps, log *slog.Logger) {
	carrying := deps.carrying()
	carrying.Log = log
	engine := carry.New(carrying)
	add(w, ruled(engine.Carry))
	add(w, ruled(engine.CarryMany))
	add(w, ruled(engine.CarryAgain))
	add(w, ruled(engine.Expire))
	add(w, ruled(engine.Report))
	add(w, ruled(engine.ReportMany))
	add(w, ruled(engine.ReportPayment))
	addUpstreams(w, upstream.Options{Options: carrying, Product: deps.Product})
}

// addUpstreams adds the workers for what lives at other platforms.
func addUpstreams(w *river.Workers, options upstream.Options) {
	upstreams, assets, templates := upstream.New(options), upstream.NewAssets(options), upstream.NewTemplates(options)
	// A post without files has the usual timeout, so that another worker soon reads the
	// post of one that died.
	river.AddWorker(w, &worker[args.TakePost]{work: ruled(upstreams.TakePost), timeout: func(job *river.Job[args.TakePost]) time.Duration {
		if job.Args.Files {
			return 3 * time.Minute
		}
		return 0
	}})
	add(w, ruled(upstreams.TellRead))
	add(w, func(ctx context.Context, _ *river.Job[args.CheckUpstreams]) error { return upstreams.Check(ctx) })
	add(w, ruled(templates.Push))
	add(w, func(ctx context.Context, job *river.Job[args.SyncTemplates]) error {
		return templates.Sync(ctx, runOf(ctx, job))
	})
	addSlow(w, 3*time.Minute, ruled(assets.Push)) // of many products
	add(w, func(ctx context.Context, job *river.Job[args.SyncAssets]) error {
		return assets.Sync(ctx, runOf(ctx, job))
	})
}

// addRelay adds the workers that post callbacks.
func addRelay(w *river.Workers, deps Deps) {
	relayer := relay.NewRelayer(relay.RelayerOptions{
		Pool: deps.Pool, Signals: deps.Signals, Keyring: deps.Keyring, Protocol: deps.Channels.Protocol, Poster: Poster{deps.Poster},
		Schedule: deps.Schedule, Settings: deps.Settings, PublicURL: deps.PublicURL,
	})
	add(w, ruled(relayer.Relay))
	// The line of a failing webhook moves one step in each run.
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], job *river.Job[args.ReleaseCallbacks]) error {
		var next time.Duration
		err := db.InTx(ctx, deps.Pool, func(tx pgx.Tx) (err error) {
			if next, err = relay.Release(ctx, tx, client, job.Args.WebhookID); err != nil || next > 0 {
				return err
			}
			return completing(ctx, job)(tx)
		})
		return orAgain(next, err)
	}))
}

// addReviews adds the workers that review what partners make, and the phones of the
// virtual carrier.
func addReviews(w *river.Workers, deps Deps) {
	add(w, func(ctx context.Context, job *river.Job[args.AnswerInvitation]) error {
		return once(ctx, deps.Pool, job, func(tx pgx.Tx) error {
			return rcs.AnswerInvitation(ctx, tx, job.Args.BotID, job.Args.Number)
		})
	})
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], job *river.Job[args.ReviewRCSTemplate]) error {
		return once(ctx, deps.Pool, job, func(tx pgx.Tx) error { return rcs.ReviewAutomatically(ctx, tx, client, job.Args) })
	}))
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], job *river.Job[args.ReviewTemplate]) error {
		return once(ctx, deps.Pool, job, func(tx pgx.Tx) error { return templates.Review(ctx, tx, client, deps.Product, job.Args) })
	}))
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], _ *river.Job[args.SettleTemplates]) error {
		return templates.Settle(ctx, deps.Pool, client, deps.Product)
	}))
}

// addUpkeep adds the workers that keep messages, numbers and media in order.
func addUpkeep(w *river.Workers, deps Deps, log *slog.Logger) {
	addSlow(w, 5*time.Minute, func(ctx context.Context, job *river.Job[args.CountUsage]) error {
		return once(ctx, deps.Pool, job, func(tx pgx.Tx) error { return pipeline.CountUsage(ctx, tx, time.Now()) })
	})
	// A first look may be at millions of messages. The next run goes on with the rest.
	addSlow(w, 5*time.Minute, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], _ *river.Job[args.SettleWork]) error {
		settling := channels.Settling{DB: deps.Pool, Channels: deps.Channels, Contacts: deps.contacts(client), Jobs: client, Signals: deps.Signals, Log: log}
		return settling.Settle(ctx, time.Now())
	}))
	addSlow(w, 10*time.Minute, func(ctx context.Context, _ *river.Job[args.SweepMedia]) error {
		return media.Sweep(ctx, deps.Pool, deps.Store)
	})
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], _ *river.Job[args.TellStranded]) error {
		if deps.Routes == nil {
			return nil // every number has the carrier of this process
		}
		_, err := relay.Notifier{Mail: deps.notifications(client), PublicURL: deps.PublicURL}.TellStranded(ctx, deps.Pool)
		return err
	}))
}
