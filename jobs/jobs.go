// Package jobs contains the workers for background jobs, a file for each wing. A worker
// loads its data, calls one rule or makes one outgoing request, and calls
// river.JobCompleteTx in the transaction of its effect, so that a crash neither
// loses a job nor repeats its effect.
package jobs

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/channels/relay"
	"heliograph/db"
	"heliograph/jobs/args"
)

// New returns a client that works the queues. Without queues it only inserts, as
// the web process does. Every client knows every kind of its version. It leaves
// the jobs of other kinds to the workers of a newer version.
func New(deps Deps, queues map[string]river.QueueConfig, log *slog.Logger) (*river.Client[pgx.Tx], error) {
	return open(deps, queues, periodic(), log)
}

// open is New with the jobs that run by the clock.
func open(deps Deps, queues map[string]river.QueueConfig, timed []*river.PeriodicJob, log *slog.Logger) (*river.Client[pgx.Tx], error) {
	config := &river.Config{
		Schema:                      db.RiverSchema,
		Workers:                     workers(deps, log),
		Logger:                      slog.New(warnings{log.Handler()}),
		JobTimeout:                  20 * time.Second,
		MaxAttempts:                 args.Forever,
		RetryPolicy:                 retryPolicy{},
		ErrorHandler:                newFailures(log),
		RescueStuckJobsAfter:        30 * time.Second,
		SoftStopTimeout:             25 * time.Second,
		FetchCooldown:               20 * time.Millisecond,
		FetchOnlyKnownKinds:         true,
		CompletedJobRetentionPeriod: time.Hour,
		DiscardedJobRetentionPeriod: 30 * 24 * time.Hour,
		Middleware:                  []rivertype.Middleware{&storable{}, &measured{signals: deps.Signals}, &traced{pool: deps.Pool}, &excused{}},
		ReindexerIndexNames: slices.DeleteFunc(river.ReindexerIndexNamesDefault(), func(name string) bool {
			return slices.Contains(db.UnusedJobIndexes, name)
		}),
	}
	if len(queues) > 0 {
		config.Queues = maps.Clone(queues)
		config.PeriodicJobs = timed
	}
	client, err := river.NewClient(riverpgxv5.New(deps.Pool), config)
	if err != nil {
		return nil, fmt.Errorf("making the job client: %w", err)
	}
	return client, nil
}

// workers returns the worker of every kind of jobs.
func workers(deps Deps, log *slog.Logger) *river.Workers {
	if deps.Schedule.Circuit == 0 {
		deps.Schedule = relay.Standard
	}
	if deps.Zone == nil {
		deps.Zone = time.UTC
	}
	w := river.NewWorkers()
	addCarrying(w, deps, log)
	addRelay(w, deps)
	addReviews(w, deps)
	addUpkeep(w, deps, log)
	addEditorial(w, deps)
	addImports(w, deps)
	addGallery(w, deps)
	addSDKs(w, deps)
	addMock(w, deps)
	addOperation(w, deps)
	addPeople(w, deps)
	return w
}
