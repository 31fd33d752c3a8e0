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

// pushAsset brings an upstream to what a number or a catalogue of ours has. What it
// refuses is kept with the reason. While it cannot be reached everything waits.
type pushAsset struct {
	river.WorkerDefaults[args.PushAsset]
	deps Deps
}

// Timeout leaves time for many products.
func (w *pushAsset) Timeout(*river.Job[args.PushAsset]) time.Duration { return 3 * time.Minute }

// mostPending bounds what is read and, of products, sent at a time.
const mostPending = 500

// theirAsset is an asset at the upstream where it lives.
type theirAsset struct {
	carrier *outbound.Graph
	id      string // there
}

func (w *pushAsset) Work(ctx context.Context, job *river.Job[args.PushAsset]) error {
	kind, id := job.Args.Asset, job.Args.AssetID
	home, theirs, err := messaging.AssetHome(ctx, w.deps.Pool, kind, id)
	if err != nil {
		return err
	}
	if home.Name == "" {
		return queries.UpstreamAssetForget(ctx, w.deps.Pool, kind, id)
	}
	if err := queries.UpstreamAssetMove(ctx, w.deps.Pool, kind, id, home.Name); err != nil {
		return fmt.Errorf("moving %s %d to carrier %s: %w", kind, id, home.Name, err)
	}
	carrier, _, err := carry.OpenStored(ctx, w.deps.carrying(), home.Name)
	if err != nil {
		return err
	}
	there := theirAsset{carrier, theirs}
	for {
		pending, err := queries.UpstreamAssetPending(ctx, w.deps.Pool, kind, id, mostPending)
		if err != nil {
			return fmt.Errorf("reading what waits of %s %d: %w", kind, id, err)
		}
		if len(pending) == 0 {
			ended, err := w.end(ctx, job)
			if err != nil || ended {
				return err
			}
			continue
		}
		if kind == messaging.AssetProduct {
			err = w.pushProducts(ctx, there, pending)
		} else {
			err = w.pushEach(ctx, there, pending)
		}
		if err != nil {
			return w.wait(ctx, job.Args, err)
		}
	}
}

// end completes the job, unless something was changed meanwhile. A change finds either the
// job at work, which sees it here, or the job completed, and inserts the next one.
func (w *pushAsset) end(ctx context.Context, job *river.Job[args.PushAsset]) (ended bool, err error) {
	err = db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if err := queries.UpstreamAssetHold(ctx, tx, job.Args.AssetID); err != nil {
			return fmt.Errorf("holding %s %d: %w", job.Args.Asset, job.Args.AssetID, err)
		}
		pending, err := queries.UpstreamAssetPending(ctx, tx, job.Args.Asset, job.Args.AssetID, 1)
		if err != nil || len(pending) > 0 {
			return err
		}
		ended = true
		_, err = river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
	return ended && err == nil, err
}

// wait keeps why the upstream takes nothing now.
func (w *pushAsset) wait(ctx context.Context, a args.PushAsset, err error) error {
	ctx = context.WithoutCancel(ctx)
	if kept := queries.UpstreamAssetWait(ctx, w.deps.Pool, a.Asset, a.AssetID, err.Error()); kept != nil {
		return errors.Join(err, fmt.Errorf("storing why %s %d waits: %w", a.Asset, a.AssetID, kept))
	}
	var refusal *outbound.CarrierError
	if errors.As(err, &refusal) {
		return river.JobSnooze(max(refusal.Wait, pushPause))
	}
	return err
}

// pushEach pushes things of a number one by one. It stores a refusal for good and goes on.
func (w *pushAsset) pushEach(ctx context.Context, there theirAsset, pending []models.UpstreamAsset) error {
	for _, a := range pending {
		gone := false
		var err error
		switch a.Kind {
		case messaging.AssetProfile:
			err = w.pushProfile(ctx, there, &a)
		case messaging.AssetKey:
			err = w.pushKey(ctx, there, &a)
		case messaging.AssetQRCode:
			gone, err = w.pushCode(ctx, there, &a)
		}
		var refusal *outbound.CarrierError
		if errors.As(err, &refusal) && !refusal.Temporary {
			a.Error, err = refusal.Error(), nil
		} else if err == nil {
			a.Error = ""
		}
		if err != nil {
			return err
		}
		a.Pushed = a.Revision
		if gone && a.Error == "" {
			err = queries.UpstreamAssetDelete(ctx, w.deps.Pool, a)
		} else {
			err = queries.UpstreamAssetUpdate(ctx, w.deps.Pool, a)
		}
		if err != nil {
			return fmt.Errorf("storing that the upstream has %s %d: %w", a.Kind, a.AssetID, err)
		}
	}
	return nil
}
