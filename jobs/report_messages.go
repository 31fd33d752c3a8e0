package jobs

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"heliograph/app/channels/delivery"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// reportMessages moves messages to the next state that their carrier announced for
// all of them.
type reportMessages struct {
	river.WorkerDefaults[args.ReportMessages]
	deps  Deps
	steps *db.Group[step]
}

func (w *reportMessages) Work(ctx context.Context, job *river.Job[args.ReportMessages]) error {
	s, err := stepOf(ctx, job.ID)
	if err != nil {
		return err
	}
	simulator, simulates := w.deps.Carrier.(outbound.Simulator)
	s.simulators = map[uuid.UUID]outbound.Simulator{}
	for _, id := range job.Args.MessageIDs {
		s.steps = append(s.steps, delivery.Step{MessageID: id, State: job.Args.State, At: time.Now()})
		if simulates {
			s.simulators[id] = simulator
		}
	}
	return w.steps.Do(ctx, s)
}

const (
	// maxReported is how many messages one job reports.
	maxReported = 20
	// priorityReport is the priority of reports of the virtual carrier. Messages that wait
	// to be handed over go first.
	priorityReport = 2
)

// isPlain reports whether a step of a message can share a job with the same step of
// other messages.
func isPlain(m models.Message, s outbound.Step) bool {
	return s.Delay == 0 && s.Error == nil && s.State != outbound.Replied && m.Parts <= 1 && m.Leg <= 1
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

// reportJob returns the job that reports a step of one message.
func reportJob(m models.Message, s outbound.Step) river.InsertManyParams {
	report, opts := args.ReportMessage{MessageID: m.ID, Leg: m.Leg, State: string(s.State)}, &river.InsertOpts{Priority: priorityReport}
	if m.Parts > 1 {
		report.Parts = m.Parts
	}
	if s.Error != nil {
		report.Code, report.Title = s.Error.Code, s.Error.Title
	}
	if s.Delay > 0 {
		opts.ScheduledAt = time.Now().Add(s.Delay)
	}
	return river.InsertManyParams{Args: report, InsertOpts: opts}
}
