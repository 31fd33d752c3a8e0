package upstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/messaging/registry"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// mostPending bounds what is read and, of products, sent at a time.
const mostPending = 500

// theirAsset is an asset at the upstream where it lives.
type theirAsset struct {
	carrier *outbound.Graph
	id      string // there
}

// Push brings an upstream to what a number or a catalogue of ours has. What it
// refuses is kept with the reason. While it cannot be reached everything waits.
func (u *Assets) Push(ctx context.Context, run args.Run, a args.PushAsset) error {
	kind, id := a.Asset, a.AssetID
	home, theirs, err := registry.Home(ctx, u.deps.Pool, kind, id)
	if err != nil {
		return err
	}
	if home.Name == "" {
		return writes.UpstreamAssetForget(ctx, u.deps.Pool, kind, id)
	}
	if err := writes.UpstreamAssetMove(ctx, u.deps.Pool, kind, id, home.Name); err != nil {
		return fmt.Errorf("moving %s %d to carrier %s: %w", kind, id, home.Name, err)
	}
	carrier, _, err := openStored(ctx, u.deps, home.Name)
	if err != nil {
		return err
	}
	there := theirAsset{carrier, theirs}
	for {
		pending, err := queries.UpstreamAssetPending(ctx, u.deps.Pool, kind, id, mostPending)
		if err != nil {
			return fmt.Errorf("reading what waits of %s %d: %w", kind, id, err)
		}
		if len(pending) == 0 {
			ended, err := u.end(ctx, run, a)
			if err != nil || ended {
				return err
			}
			continue
		}
		if kind == registry.Product {
			err = u.pushProducts(ctx, there, pending)
		} else {
			err = u.pushEach(ctx, there, pending)
		}
		if err != nil {
			return u.wait(ctx, a, err)
		}
	}
}

// end completes the job, unless something was changed meanwhile. A change finds either the
// job at work, which sees it here, or the job completed, and inserts the next one.
func (u *Assets) end(ctx context.Context, run args.Run, a args.PushAsset) (ended bool, err error) {
	err = db.InTx(ctx, u.deps.Pool, func(tx pgx.Tx) error {
		if err := writes.UpstreamAssetHold(ctx, tx, a.AssetID); err != nil {
			return fmt.Errorf("holding %s %d: %w", a.Asset, a.AssetID, err)
		}
		pending, err := queries.UpstreamAssetPending(ctx, tx, a.Asset, a.AssetID, 1)
		if err != nil || len(pending) > 0 {
			return err
		}
		ended = true
		_, err = errands.JobUpdateCompleted(ctx, tx, []int64{run.JobID})
		return err
	})
	return ended && err == nil, err
}

// wait keeps why the upstream takes nothing now.
func (u *Assets) wait(ctx context.Context, a args.PushAsset, err error) error {
	ctx = context.WithoutCancel(ctx)
	if kept := writes.UpstreamAssetWait(ctx, u.deps.Pool, a.Asset, a.AssetID, err.Error()); kept != nil {
		return errors.Join(err, fmt.Errorf("storing why %s %d waits: %w", a.Asset, a.AssetID, kept))
	}
	var refusal *outbound.CarrierError
	if errors.As(err, &refusal) {
		return river.JobSnooze(max(refusal.Wait, pushPause))
	}
	return err
}

// pushEach pushes things of a number one by one. It stores a refusal for good and goes on.
func (u *Assets) pushEach(ctx context.Context, there theirAsset, pending []models.UpstreamAsset) error {
	for _, a := range pending {
		gone := false
		var err error
		switch a.Kind {
		case registry.Profile:
			err = u.pushProfile(ctx, there, &a)
		case registry.EncryptionKey:
			err = u.pushKey(ctx, there, &a)
		case registry.QRCode:
			gone, err = u.pushCode(ctx, there, &a)
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
			err = writes.UpstreamAssetDelete(ctx, u.deps.Pool, a)
		} else {
			err = writes.UpstreamAssetUpdate(ctx, u.deps.Pool, a)
		}
		if err != nil {
			return fmt.Errorf("storing that the upstream has %s %d: %w", a.Kind, a.AssetID, err)
		}
	}
	return nil
}
