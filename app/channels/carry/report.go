package carry

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// Report moves a message to the next state that its carrier announced.
func (e *Engine) Report(ctx context.Context, run args.Run, a args.ReportMessage) error {
	if a.State == string(outbound.Replied) {
		return e.answer(ctx, run, a)
	}
	next := pipeline.Step{MessageID: a.MessageID, Leg: a.Leg, State: a.State, At: time.Now()}
	if a.Code != 0 {
		next.Failure = &pipeline.Failure{Code: a.Code, Title: a.Title}
	}
	steps := []pipeline.Step{next}
	for part := range a.Parts {
		if next.Part = part + 1; part == 0 {
			steps[0] = next
		} else {
			steps = append(steps, next)
		}
	}
	r, err := newJobReport(run, true, steps...)
	if err != nil {
		return err
	}
	r.simulator, _ = e.deps.Carrier.(outbound.Simulator)
	return e.reports.Do(ctx, r)
}

// answer simulates the reply of a message's recipient.
func (e *Engine) answer(ctx context.Context, run args.Run, a args.ReportMessage) error {
	m, err := queries.MessageGet(ctx, e.deps.Pool, a.MessageID)
	if db.IsNoRows(err) {
		return river.JobCancel(fmt.Errorf("message %s is gone", a.MessageID))
	}
	if err != nil {
		return fmt.Errorf("loading message %s: %w", a.MessageID, err)
	}
	if run.Inserter == nil {
		return errNoInserter
	}
	m = m.OnLeg(a.Leg)
	channel, err := e.deps.Channels.Get(m.Channel)
	if err != nil {
		return err
	}
	return db.InTx(ctx, e.deps.Pool, func(tx pgx.Tx) error {
		if err := channel.SimulateReply(ctx, tx, run.Inserter, m); err != nil {
			return err
		}
		return complete(ctx, tx, run)
	})
}

// ReportMany moves messages to the next state that their carrier announced for all of
// them.
func (e *Engine) ReportMany(ctx context.Context, run args.Run, a args.ReportMessages) error {
	r, err := newJobReport(run, true)
	if err != nil {
		return err
	}
	simulator, simulates := e.deps.Carrier.(outbound.Simulator)
	r.simulators = map[uuid.UUID]outbound.Simulator{}
	for _, id := range a.MessageIDs {
		r.steps = append(r.steps, pipeline.Step{MessageID: id, State: a.State, At: time.Now()})
		if simulates {
			r.simulators[id] = simulator
		}
	}
	return e.reports.Do(ctx, r)
}

const (
	// maxReported is how many messages one job reports.
	maxReported = 20
	// priorityReport is the priority of reports of the virtual carrier. Messages that wait
	// to be handed over go first.
	priorityReport = 2
)

// isPlain reports whether a forecast of a message can share a job with the same forecast
// of other messages.
func isPlain(m models.Message, f outbound.Forecast) bool {
	return f.Delay == 0 && f.Error == nil && f.State != outbound.Replied && m.Parts <= 1 && m.Leg <= 1
}

// reportJobs returns the jobs that report messages by their next state.
func reportJobs(together map[outbound.State][]uuid.UUID) (jobs []river.InsertManyParams) {
	for _, state := range slices.Sorted(maps.Keys(together)) {
		for ids := range slices.Chunk(together[state], maxReported) {
			report := river.InsertManyParams{Args: args.ReportMessages{MessageIDs: ids, State: string(state)}, InsertOpts: &river.InsertOpts{Priority: priorityReport}}
			if len(ids) == 1 {
				report.Args = args.ReportMessage{MessageID: ids[0], Leg: 1, State: string(state)}
			}
			jobs = append(jobs, report)
		}
	}
	return jobs
}

// reportJob returns the job that reports what was forecast of one message.
func reportJob(m models.Message, f outbound.Forecast) river.InsertManyParams {
	report, opts := args.ReportMessage{MessageID: m.ID, Leg: m.Leg, State: string(f.State)}, &river.InsertOpts{Priority: priorityReport}
	if m.Parts > 1 {
		report.Parts = m.Parts
	}
	if f.Error != nil {
		report.Code, report.Title = f.Error.Code, f.Error.Title
	}
	if f.Delay > 0 {
		opts.ScheduledAt = time.Now().Add(f.Delay)
	}
	return river.InsertManyParams{Args: report, InsertOpts: opts}
}
