// Package builds makes the archives of client libraries: one for each language of a
// release, by jobs, and kept in the storage by their hash.
//
// The row of a build is locked while its archive is made, so that two workers never
// build the same one, and the job ends in the transaction that stores the outcome. A
// worker that dies leaves the build waiting, and the job runs again. A contract that
// cannot be written in a language fails that build alone, with a reason; storage that
// is away makes the job run again later.
//
// Version numbers follow the contract: a breaking change raises the first number, any
// other change of what programs see the second, and prose the third. A version begins
// with 1.0.0.
package builds

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/sdk"
	"heliograph/app/lists"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
	"heliograph/db/queries/documentation/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// lostAfter is when the job of a build that still waits is taken for lost.
const lostAfter = 15 * time.Minute

// Enabled lists the languages that a product has.
func Enabled(p content.Product) []*sdk.Language {
	off := strings.FieldsFunc(strings.ToLower(p.SDKOff), func(r rune) bool { return r == ',' || r == ' ' || r == ';' })
	return lists.Where(sdk.Languages, func(l *sdk.Language) bool {
		return !slices.ContainsFunc(off, func(name string) bool { return sdk.Find(name) == l })
	})
}

// browser is the language of samples for browsers, which no library is for.
const browser = "javascript"

// LibraryFor returns the slug of the library for a language of samples; an empty one
// where the product has none.
func LibraryFor(p content.Product, samples string) string {
	l := sdk.Find(samples)
	if samples == browser || !slices.Contains(Enabled(p), l) {
		return ""
	}
	return l.Slug
}

// RequestAll asks for the archives of a new release in the transaction that makes it.
func RequestAll(ctx context.Context, tx pgx.Tx, releaseID int64) error {
	r, err := queries.SDKReleaseGet(ctx, tx, releaseID)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // its product is not public yet: archives are made when somebody asks
	}
	if err != nil {
		return fmt.Errorf("reading release %d: %w", releaseID, err)
	}
	var p content.Product
	if err := json.Unmarshal(r.ProductContent, &p); err != nil {
		return fmt.Errorf("reading the product of release %d: %w", releaseID, err)
	}
	if p.ComingSoon {
		return nil
	}
	for _, l := range Enabled(p) {
		if err := request(ctx, tx, releaseID, l, false); err != nil {
			return err
		}
	}
	return nil
}

// request asks for an archive, unless it is there or somebody asked already. again asks
// once more for one that failed.
func request(ctx context.Context, tx pgx.Tx, releaseID int64, l *sdk.Language, again bool) error {
	insert, err := writes.SDKBuildRequest(ctx, tx, releaseID, l.Slug, again, time.Now().Add(-lostAfter))
	if err == nil && insert {
		err = errands.JobInsertBuild(ctx, tx, args.BuildSDKKind, args.QueueBuild, args.Forever, releaseID, l.Slug)
	}
	if err != nil {
		return fmt.Errorf("asking for the %s archive of release %d: %w", l.Slug, releaseID, err)
	}
	return nil
}

// interval is how often await looks.
const interval = 200 * time.Millisecond

// await returns the build of a release in a language. It asks for one that nobody asked
// for, and waits for it as long as patience says; the build may then still be waiting.
func await(ctx context.Context, b db.Beginner, q db.Querier, releaseID int64, l *sdk.Language, patience time.Duration) (build models.SDKBuild, err error) {
	deadline := time.Now().Add(patience)
	asked := false
	for {
		build, err = queries.SDKBuildGet(ctx, q, releaseID, l.Slug)
		missing := errors.Is(err, pgx.ErrNoRows)
		if err != nil && !missing || build.State == models.SDKBuilt || build.State == models.SDKFailed || asked && time.Now().After(deadline) {
			return build, err
		}
		if !asked {
			asked = true
			if err := db.InTx(ctx, b, func(tx pgx.Tx) error { return request(ctx, tx, releaseID, l, false) }); err != nil {
				return build, err
			}
		}
		select {
		case <-time.After(interval):
		case <-ctx.Done():
			return build, ctx.Err()
		}
	}
}
