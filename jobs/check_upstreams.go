package jobs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/outbound"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// checkUpstreams asks upstreams about the numbers and accounts that live there, so that
// a banned number and a revoked token are seen within a minute. A carrier that does not
// answer stops none of the others: what was known of it stays.
type checkUpstreams struct {
	river.WorkerDefaults[args.CheckUpstreams]
	deps Deps
}

// checkPatience is how long one carrier may take.
const checkPatience = 20 * time.Second

func (w *checkUpstreams) Work(ctx context.Context, _ *river.Job[args.CheckUpstreams]) error {
	carriers, err := queries.CarrierList(ctx, w.deps.Pool)
	if err != nil {
		return fmt.Errorf("listing the carriers: %w", err)
	}
	failures := []error{queries.UpstreamStateSweep(ctx, w.deps.Pool)}
	for _, c := range carriers {
		if c.Kind == outbound.KindGraph && c.DisabledAt == nil {
			failures = append(failures, w.check(ctx, c.Name))
		}
	}
	return errors.Join(failures...)
}

func (w *checkUpstreams) check(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	stored, err := queries.CarrierGet(ctx, w.deps.Pool, name)
	if err != nil {
		return fmt.Errorf("reading carrier %s: %w", name, err)
	}
	carrier, err := openGraph(w.deps, stored, nil)
	if err != nil {
		return fmt.Errorf("opening carrier %s: %w", name, err)
	}
	var kinds []string
	var ids []int64
	var failures []error
	for _, one := range []struct {
		kind, setting string
		ask           func(context.Context, string) (outbound.GraphHealth, error)
	}{{"number", "numbers", carrier.NumberHealth}, {"account", "accounts", carrier.AccountHealth}} {
		named, err := models.GraphIDs(stored.Settings, one.setting)
		if err != nil {
			return fmt.Errorf("reading carrier %s: %w", name, err)
		}
		for ours, theirs := range named {
			id, err := strconv.ParseInt(ours, 10, 64)
			if err != nil {
				continue // no asset has such an id
			}
			kinds, ids = append(kinds, one.kind), append(ids, id)
			health, err := one.ask(ctx, theirs)
			if err != nil {
				failures = append(failures, fmt.Errorf("asking carrier %s about %s %s: %w", name, one.kind, theirs, err))
				continue
			}
			state := models.UpstreamState{Carrier: name, Kind: one.kind, AssetID: id, UpstreamID: theirs, State: health.State, Quality: health.Quality, Problem: health.Problem}
			failures = append(failures, queries.UpstreamStateUpsert(ctx, w.deps.Pool, state))
		}
	}
	failures = append(failures, queries.UpstreamStateDelete(ctx, w.deps.Pool, name, kinds, ids))
	return errors.Join(failures...)
}
