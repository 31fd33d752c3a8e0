package upstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"heliograph/app/outbound"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// checkPatience is how long one carrier may take.
const checkPatience = 20 * time.Second

// Check asks upstreams about the numbers and accounts that live there, so that
// a banned number and a revoked token are seen within a minute. A carrier that does not
// answer stops none of the others: what was known of it stays.
func (u *Upstreams) Check(ctx context.Context) error {
	return errors.Join(writes.UpstreamStateSweep(ctx, u.deps.Pool), forEach(ctx, u.deps, func(name string) error { return u.check(ctx, name) }))
}

func (u *Upstreams) check(ctx context.Context, name string) error {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	carrier, stored, err := openStored(ctx, u.deps, name)
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
		_, named, err := assetIDs(stored, one.setting)
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
			failures = append(failures, writes.UpstreamStateUpsert(ctx, u.deps.Pool, state))
		}
	}
	failures = append(failures, writes.UpstreamStateDelete(ctx, u.deps.Pool, name, kinds, ids))
	return errors.Join(failures...)
}
