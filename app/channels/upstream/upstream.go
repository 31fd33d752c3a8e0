// Package upstream keeps carriers of kind graph at what numbers, catalogues and
// templates of ours are, and reads their states there.
package upstream

import (
	"context"
	"errors"
	"fmt"
	"heliograph/app/channels/carry"
	"heliograph/app/outbound"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"strconv"
)

// Options holds the dependencies.
type Options struct {
	carry.Options
	Product string // name of the messaging channel in callbacks
}

// Upstreams watches carriers of kind graph and reads what they post.
type Upstreams struct{ deps Options }

// New returns the upstreams.
func New(o Options) *Upstreams { return &Upstreams{o} }

// Assets keeps upstreams at what numbers and catalogues of ours have.
type Assets struct{ deps Options }

// NewAssets returns the assets.
func NewAssets(o Options) *Assets { return &Assets{o} }

// Templates keeps upstreams at what templates of ours are.
type Templates struct{ deps Options }

// NewTemplates returns the templates.
func NewTemplates(o Options) *Templates { return &Templates{o} }

var errNoInserter = errors.New("the job runs without its client")

// openStored returns the carrier of kind graph with a name, opened and as it is stored.
func openStored(ctx context.Context, deps Options, name string) (*outbound.Graph, models.Carrier, error) {
	stored, err := queries.CarrierGet(ctx, deps.Pool, name)
	if err != nil {
		return nil, stored, fmt.Errorf("reading carrier %s: %w", name, err)
	}
	carrier, err := carry.OpenGraph(deps.Options, stored)
	if err != nil {
		return nil, stored, fmt.Errorf("opening carrier %s: %w", name, err)
	}
	return carrier, stored, nil
}

// forEach calls one for the carriers of kind graph that are in use. A failure
// stops none of the others.
func forEach(ctx context.Context, deps Options, one func(name string) error) error {
	carriers, err := queries.CarrierList(ctx, deps.Pool)
	if err != nil {
		return fmt.Errorf("listing the carriers: %w", err)
	}
	var failures []error
	for _, c := range carriers {
		if c.Kind == outbound.KindGraph && c.DisabledAt == nil {
			failures = append(failures, one(c.Name))
		}
	}
	return errors.Join(failures...)
}

// assetIDs returns the ids of the upstream by ours that a setting of a carrier names.
func assetIDs(c models.Carrier, setting string) (ids []int64, theirs map[int64]string, err error) {
	named, err := models.GraphIDs(c.Settings, setting)
	if err != nil {
		return nil, nil, fmt.Errorf("reading carrier %s: %w", c.Name, err)
	}
	theirs = map[int64]string{}
	for ours, id := range named {
		if n, err := strconv.ParseInt(ours, 10, 64); err == nil { // no asset has another id
			ids, theirs[n] = append(ids, n), id
		}
	}
	return ids, theirs, nil
}
