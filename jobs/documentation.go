package jobs

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/documentation/card"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing/prepare"
	"heliograph/app/documentation/media"
	"heliograph/app/documentation/mock"
	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/fault"
	"heliograph/app/outbound"
	"heliograph/jobs/args"
)

// comeBack is when a job looks again for an archive that another worker builds, or for
// a storage that is away.
const comeBack = 10 * time.Second

// addEditorial adds the workers for change sets.
func addEditorial(w *river.Workers, deps Deps) {
	// A change set may have a thousand items.
	addSlow(w, 2*time.Minute, func(ctx context.Context, job *river.Job[args.CheckChanges]) error {
		err := once(ctx, deps.Pool, job, func(tx pgx.Tx) error { return editorial.RunChecks(ctx, tx, job.Args.ChangeSetID) })
		if err == nil {
			deps.Signals.Add(editorial.ChecksTopic, 0)
		}
		return err
	})
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], _ *river.Job[args.EmailReviews]) error {
		return editorial.Notifier{Mail: deps.notifications(client), PublicURL: deps.PublicURL, Now: time.Now}.Send(ctx, deps.Pool)
	}))
	add(w, func(ctx context.Context, job *river.Job[args.PublishScheduled]) error {
		return once(ctx, deps.Pool, job, func(tx pgx.Tx) error {
			return editorial.PublishDue(ctx, tx, job.Args.ChangeSetID, job.Args.At)
		})
	})
}

// addImports adds the workers that read documents from outside.
func addImports(w *river.Workers, deps Deps) {
	// That is longer than fetching and preparing a document take.
	addSlow(w, 2*prepare.MaxTime+30*time.Second, func(ctx context.Context, job *river.Job[args.ImportDocument]) error {
		return patient(deps.importing().Run(ctx, job.Args.ImportID, job.Attempt, completing(ctx, job)))
	})
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], _ *river.Job[args.CheckWatches]) error {
		rule := deps.importing()
		rule.Jobs = client
		return rule.Tend(ctx)
	}))
}

// addGallery adds the workers for pictures.
func addGallery(w *river.Workers, deps Deps) {
	library := media.New(media.Options{DB: deps.Pool, Store: deps.Store})
	addSlow(w, 25*time.Second, func(ctx context.Context, job *river.Job[args.PrepareMedia]) error {
		return patient(library.Prepare(ctx, job.Args.FileID, job.Attempt, completing(ctx, job)))
	})
	addSlow(w, time.Minute, func(ctx context.Context, _ *river.Job[args.SweepGallery]) error {
		return library.Sweep(ctx, time.Now())
	})
	addSlow(w, 10*time.Minute, func(ctx context.Context, _ *river.Job[args.SweepCards]) error {
		return card.Sweep(ctx, deps.Store, time.Now())
	})
}

// patient puts a job off while the storage is away, so that it counts as no attempt.
func patient(err error) error {
	if fault.Is(err, fault.Unavailable) {
		return river.JobSnooze(comeBack)
	}
	return err
}

// addSDKs adds the workers for archives of client libraries.
func addSDKs(w *river.Workers, deps Deps) {
	builder := builds.Builder{Store: deps.Store, Site: reference.Site{URL: strings.TrimSuffix(deps.PublicURL, "/")}}
	// A contract may have thousands of operations.
	addSlow(w, 2*time.Minute, func(ctx context.Context, job *river.Job[args.BuildSDK]) error {
		err := once(ctx, deps.Pool, job, func(tx pgx.Tx) error {
			return builder.Build(ctx, tx, job.Args.ReleaseID, job.Args.Language)
		})
		if errors.Is(err, builds.ErrBuilding) {
			return river.JobSnooze(comeBack)
		}
		return err
	})
	addSlow(w, 10*time.Minute, func(ctx context.Context, _ *river.Job[args.SweepSDKs]) error {
		return builds.Sweep(ctx, deps.Pool, deps.Store, time.Now())
	})
}

// addMock adds the worker that sends what callers of a mock asked for, once.
func addMock(w *river.Workers, deps Deps) {
	add(w, func(ctx context.Context, job *river.Job[args.SendMockCallback]) error {
		c, err := mock.TakeCallback(ctx, deps.Pool, job.Args.CallbackID)
		if err != nil || c == nil {
			return err
		}
		// What comes back is the business of the receiver.
		deps.Poster.Post(ctx, outbound.Delivery{
			ID: c.ID.String(), At: time.Now(), Owner: "mock " + strconv.FormatInt(c.OrganisationID, 10), Method: c.Method, URL: c.URL, Body: c.Body, Signed: c.Headers,
		})
		return nil
	})
}
