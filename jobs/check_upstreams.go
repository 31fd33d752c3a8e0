package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels/carry"
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
	return errors.Join(queries.UpstreamStateSweep(ctx, w.deps.Pool), carry.ForEachUpstream(ctx, w.deps.carrying(), func(name string) error { return w.check(ctx, name) }))
}

func (w *checkUpstreams) check(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	carrier, stored, err := carry.OpenStored(ctx, w.deps.carrying(), name)
	if err != nil {
		return err
	}
	var kinds []string
	var ids []int64
	var failures []error
	for _, one := range []struct {
		kind, setting string
		ask           func(context.Context, string) (outbound.GraphHealth, error)
	}{{"number", "numbers", carrier.NumberHealth}, {"account", "accounts", carrier.AccountHealth}} {
		_, named, err := carry.AssetIDs(stored, one.setting)
		if err != nil {
			return err
		}
		for id, theirs := range named {
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
