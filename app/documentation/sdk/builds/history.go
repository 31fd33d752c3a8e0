package builds

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/sdk"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// The bounds of a change log: releases that are compared, and changes of one release
// that it lists.
const (
	maxReleases = 10
	maxChanges  = 40
)

// history returns the version number of a release and its change log, the latest
// release first.
func (b Builder) history(ctx context.Context, tx pgx.Tx, r models.SDKRelease, now *openapi.Assembly) (string, []sdk.Change, error) {
	releases, err := queries.ReleaseListByScope(ctx, tx, r.ScopeID, r.Number, maxReleases)
	if err != nil {
		return "", nil, fmt.Errorf("reading the releases before: %w", err)
	}
	base, err := firstVersion(ctx, tx, r.ScopeID, releases)
	if err != nil {
		return "", nil, err
	}
	// From the oldest to the latest: each raises the version before.
	var changes []sdk.Change
	var before *openapi.Assembly
	for i := len(releases) - 1; i >= 0; i-- {
		after := now
		if i > 0 {
			after, err = b.assemble(ctx, tx, releases[i].ID)
			var broken errContract
			if errors.As(err, &broken) {
				continue
			}
			if err != nil {
				return "", nil, err
			}
		}
		change := sdk.Change{Date: releases[i].PublishedAt.UTC().Format("2006-01-02")}
		if releases[i].Number == 1 {
			change.Lines = []string{"First release."}
		}
		if before != nil {
			report := compare.Changes(before, after)
			base = base.raise(report)
			change.Lines = lines(report)
		}
		change.Version = base.String()
		changes = append([]sdk.Change{change}, changes...)
		before = after
	}
	return base.String(), changes, nil
}

// firstVersion returns the version number of the oldest of some releases.
func firstVersion(ctx context.Context, tx pgx.Tx, scopeID int64, releases []models.Release) (number, error) {
	if len(releases) == 0 {
		return number{1, 0, 0}, nil
	}
	oldest := releases[len(releases)-1]
	if oldest.Number == 1 {
		return number{1, 0, 0}, nil
	}
	known, _, err := queries.SDKVersionBefore(ctx, tx, scopeID, oldest.Number+1)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return number{}, fmt.Errorf("reading the version before: %w", err)
	}
	n := number{1, oldest.Number - 1, 0}
	_, _ = fmt.Sscanf(known, "%d.%d.%d", &n[0], &n[1], &n[2]) // the default stays where there is none
	return n, nil
}

// number is a semantic version.
type number [3]int

// String returns the version as people write it.
func (n number) String() string { return fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2]) }

// raise returns the version after the changes of a report.
func (n number) raise(r *compare.Report) number {
	switch {
	case r.Levels.Of(compare.Breaking) > 0 || r.Endpoints.Removed > 0:
		return number{n[0] + 1, 0, 0}
	case r.Levels.Of(compare.Risky)+r.Levels.Of(compare.Safe) > 0 || r.Endpoints.Added > 0:
		return number{n[0], n[1] + 1, 0}
	}
	return number{n[0], n[1], n[2] + 1}
}

// lines lists the changes of a report, the most severe first.
func lines(r *compare.Report) (list []string) {
	left := 0
	add := func(place string, c compare.Change) {
		if len(list) == maxChanges {
			left++
			return
		}
		mark := ""
		if c.Level == compare.Breaking {
			mark = "Breaking: "
		}
		list = append(list, mark+place+c.Title)
	}
	for _, level := range compare.Levels {
		for _, c := range r.General {
			if c.Level == level {
				add("", c)
			}
		}
		for _, o := range r.Operations {
			for _, c := range o.Changes {
				if c.Level == level && o.Shown() != nil {
					add(o.Shown().Name+": ", c)
				}
			}
		}
	}
	if left > 0 {
		list = append(list, fmt.Sprintf("%d more changes.", left))
	}
	return list
}
