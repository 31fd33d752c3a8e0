package carry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/pipeline"
	"heliograph/app/operation/metric"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// jobReport holds the steps of a message that a job found out, and the job.
type jobReport struct {
	steps     []pipeline.Step
	jobID     int64 // completed with the steps; 0 leaves it running
	inserter  args.Inserter
	simulator outbound.Simulator // invents what happens next; nil for a carrier that reports it
	// simulators are the simulators of messages, for steps of several.
	simulators map[uuid.UUID]outbound.Simulator
	later      []river.InsertManyParams // jobs to insert when the job ends
}

var errNoInserter = errors.New("the job runs without its client")

// newJobReport returns the report of a job, which ends with it or goes on.
func newJobReport(run args.Run, ends bool, steps ...pipeline.Step) (jobReport, error) {
	if run.Inserter == nil {
		return jobReport{}, errNoInserter
	}
	r := jobReport{steps: steps, inserter: run.Inserter}
	if ends {
		r.jobID = run.JobID
	}
	return r, nil
}

// newReportGroup returns a group in which the jobs of messages share transactions. Each
// one reports its steps, inserts the job of the next one and is completed. While the
// database is away for a moment the steps wait for it, because what was handed over
// and is not reported is handed over again.
func newReportGroup(deps Options) *db.Group[jobReport] {
	return db.NewGroup(func(ctx context.Context, batch []jobReport) error {
		var moved []models.Moved
		err := db.InTxAgain(ctx, deps.Pool, func(tx pgx.Tx) error {
			inserter, simulators := batch[0].inserter, map[uuid.UUID]outbound.Simulator{}
			var reports []pipeline.Step
			var ids []int64
			later := map[int64][]river.InsertManyParams{}
			for _, r := range batch {
				reports = append(reports, r.steps...)
				if r.jobID != 0 {
					ids, later[r.jobID] = append(ids, r.jobID), r.later
				}
				maps.Copy(simulators, r.simulators)
				if len(r.steps) > 0 && r.simulator != nil {
					simulators[r.steps[0].MessageID] = r.simulator
				}
			}
			var err error
			if moved, err = deps.Channels.Report(ctx, tx, inserter, reports...); err != nil {
				return err
			}
			if err := deps.awaitExpiry(ctx, tx, inserter, moved); err != nil {
				return err
			}
			if err := simulate(ctx, tx, inserter, simulators, moved); err != nil {
				return err
			}
			return completeJobs(ctx, tx, inserter, ids, later)
		})
		if err != nil {
			return err
		}
		for _, m := range moved {
			metric.Message(m.Channel, m.State, time.Since(m.CreatedAt))
			deps.Signals.Add("messages", m.OrganisationID)
			if m.WebhookID != 0 {
				deps.Signals.Add("callbacks", m.OrganisationID)
			}
		}
		return nil
	})
}

// completeJobs completes jobs and inserts those that follow them. Nothing follows a
// job that is not running any more: its jobs are there already, or its next run
// inserts them.
func completeJobs(ctx context.Context, tx pgx.Tx, jobs args.Inserter, ids []int64, later map[int64][]river.InsertManyParams) error {
	completed, err := errands.JobUpdateCompleted(ctx, tx, ids)
	if err != nil {
		return fmt.Errorf("completing %d jobs: %w", len(ids), err)
	}
	var next []river.InsertManyParams
	for _, id := range completed {
		next = append(next, later[id]...)
	}
	if len(next) == 0 {
		return nil
	}
	if _, err := jobs.InsertManyFastTx(ctx, tx, next); err != nil {
		return fmt.Errorf("inserting the jobs of %d messages that were put off: %w", len(next), err)
	}
	return nil
}

// simulate inserts the jobs that report what simulators invent to happen next.
func simulate(ctx context.Context, tx pgx.Tx, jobs args.Inserter, simulators map[uuid.UUID]outbound.Simulator, moved []models.Moved) error {
	var next []river.InsertManyParams
	together := map[outbound.State][]uuid.UUID{}
	for _, moved := range moved {
		m := moved.Current()
		simulator := simulators[m.ID]
		if simulator == nil {
			continue
		}
		if m.State == string(outbound.Read) && m.Kind == "interactive" {
			if err := awaitPayment(ctx, tx, jobs, simulator, m.ID); err != nil {
				return err
			}
		}
		s, ok := simulator.Next(m.Channel, m.Recipient, outbound.State(m.State))
		switch {
		case !ok:
		case isPlain(m, s):
			together[s.State] = append(together[s.State], m.ID)
		default:
			next = append(next, reportJob(m, s))
		}
	}
	if next = append(next, reportJobs(together)...); len(next) == 0 {
		return nil
	}
	if _, err := jobs.InsertManyFastTx(ctx, tx, next); err != nil {
		return fmt.Errorf("inserting the jobs of the next steps: %w", err)
	}
	return nil
}
