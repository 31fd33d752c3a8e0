// Package jobs contains the workers for background jobs, one per file. A worker
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

	"heliograph/app/channels/carry"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/upstream"
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

func workers(deps Deps, log *slog.Logger) *river.Workers {
	if deps.Schedule.Circuit == 0 {
		deps.Schedule = relay.Standard
	}
	if deps.Zone == nil {
		deps.Zone = time.UTC
	}
	w := river.NewWorkers()
	river.AddWorker(w, &answerInvitation{deps: deps})
	river.AddWorker(w, &buildSDK{deps: deps})
	carrying := deps.carrying()
	carrying.Log = log
	engine, there := carry.New(carrying), upstream.Options{Options: carrying, Product: deps.Product}
	upstreams, assets, templates := upstream.New(there), upstream.NewAssets(there), upstream.NewTemplates(there)
	river.AddWorker(w, &carryAgain{engine: engine})
	river.AddWorker(w, &carryMessage{engine: engine})
	river.AddWorker(w, &carryMessages{engine: engine})
	river.AddWorker(w, &checkAudit{deps: deps})
	river.AddWorker(w, &checkChanges{deps: deps})
	river.AddWorker(w, &checkWatches{deps: deps})
	river.AddWorker(w, &collectInsight{deps: deps})
	river.AddWorker(w, &countUsage{deps: deps})
	river.AddWorker(w, &deliverContact{deps: deps})
	river.AddWorker(w, &emailReviews{deps: deps})
	river.AddWorker(w, &expireMessage{engine: engine})
	river.AddWorker(w, &housekeep{deps: deps})
	river.AddWorker(w, &prepareMedia{deps: deps})
	river.AddWorker(w, &importDocument{deps: deps})
	river.AddWorker(w, &publishScheduled{deps: deps})
	river.AddWorker(w, &purgeLogs{deps: deps})
	river.AddWorker(w, newRelayCallback(deps))
	river.AddWorker(w, &releaseCallbacks{deps: deps})
	river.AddWorker(w, &reportMessage{engine: engine})
	river.AddWorker(w, &reportMessages{engine: engine})
	river.AddWorker(w, &reportPayment{engine: engine})
	river.AddWorker(w, &resealSecrets{deps: deps})
	river.AddWorker(w, &reviewRCSTemplate{deps: deps})
	river.AddWorker(w, &reviewTemplate{deps: deps})
	river.AddWorker(w, &sendCode{deps: deps})
	river.AddWorker(w, &sendEmail{deps: deps})
	river.AddWorker(w, &sendMockCallback{deps: deps})
	river.AddWorker(w, &sendSMS{deps: deps})
	river.AddWorker(w, &settleTemplates{deps: deps})
	river.AddWorker(w, &settleWork{deps: deps, log: log})
	river.AddWorker(w, &sweepCards{deps: deps})
	river.AddWorker(w, &sweepGallery{deps: deps})
	river.AddWorker(w, &sweepMedia{deps: deps})
	river.AddWorker(w, &takePost{upstreams: upstreams})
	river.AddWorker(w, &tellRead{upstreams: upstreams})
	river.AddWorker(w, &pushTemplate{templates: templates})
	river.AddWorker(w, &syncTemplates{templates: templates})
	river.AddWorker(w, &pushAsset{assets: assets})
	river.AddWorker(w, &syncAssets{assets: assets})
	river.AddWorker(w, &checkUpstreams{upstreams: upstreams})
	river.AddWorker(w, &sweepSDKs{deps: deps})
	river.AddWorker(w, &tellStranded{deps: deps})
	return w
}
