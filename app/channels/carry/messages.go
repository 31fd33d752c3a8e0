package carry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"

	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// carryPatience is how long a message that was handed over waits for others of its
// job before it is reported.
const carryPatience = 10 * time.Millisecond

// lastReport is how long the report of what a job handed over may take, such as when
// the database is away. A process that is being stopped waits longer for its jobs.
const lastReport = 15 * time.Second

// carried is the end of a hand-over.
type carried struct {
	*handover
	err error
}

// CarryMany hands messages over that were accepted together. Their steps are reported
// together as well, but none waits long for a slower one. A message that its carrier
// puts off gets a job of its own when the others are done. Messages that another run
// of the job has reported are left alone.
func (e *Engine) CarryMany(ctx context.Context, run args.Run, a args.CarryMessages) error {
	batch := &batch{engine: e, expected: true}
	e.records.started.Expect(1)
	defer batch.leave()
	found, err := e.messages.Load(ctx, a.MessageIDs...)
	if err != nil {
		return fmt.Errorf("loading %d messages: %w", len(a.MessageIDs), err)
	}
	batch.results = make(chan carried, len(found))
	defer batch.wg.Wait()
	running := 0
	for _, m := range found {
		if m.State != pipeline.Accepted || m.Leg != 1 {
			continue
		}
		running++
		h := &handover{attempt: run.Attempt}
		if ended, err := e.open(h, m); ended || err != nil {
			batch.results <- carried{h, err}
		} else if !batch.join(ctx, h) {
			batch.wg.Go(func() { batch.results <- carried{h, e.handOver(ctx, h)} })
		}
	}
	batch.start(ctx)
	return e.collect(ctx, run, running, batch.results)
}

// collect reports hand-overs as they end, several at a time, and the last ones with
// the end of the job.
func (e *Engine) collect(ctx context.Context, run args.Run, running int, results <-chan carried) error {
	r, err := newJobReport(run, false)
	if err != nil {
		return err
	}
	r.simulators = map[uuid.UUID]outbound.Simulator{}
	var failures []error
	patience := time.NewTimer(carryPatience)
	defer patience.Stop()
	for running > 0 {
		select {
		case one := <-results:
			running--
			failures = append(failures, e.take(ctx, &r, one))
			patience.Reset(carryPatience)
			continue
		case <-patience.C:
			patience.Reset(carryPatience)
		}
		if len(r.steps) == 0 {
			continue
		}
		if err := e.reports.Do(ctx, r); err != nil {
			return err
		}
		r.steps = nil
	}
	// What was handed over is reported, although the job takes too long or its
	// process is being stopped.
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastReport)
	defer cancel()
	err = errors.Join(failures...)
	if err == nil {
		r.jobID = run.JobID
	}
	return errors.Join(err, e.reports.Do(last, r))
}

// take adds the steps of a hand-over to those to report, and the job of its own for
// a message that was put off.
func (e *Engine) take(ctx context.Context, r *jobReport, one carried) error {
	h := one.handover
	r.steps = append(r.steps, h.steps...)
	if simulator, ok := h.carrier.(outbound.Simulator); ok {
		r.simulators[h.message.ID] = simulator
	}
	if !h.delayed || errors.Is(ctx.Err(), context.Canceled) {
		return one.err
	}
	r.later = append(r.later, laterJob(h.message, e.delay(ctx, h, one.err)))
	return nil
}

// laterJob returns the job of a message that is handed over after a pause. It has
// failed once.
func laterJob(m models.Message, wait time.Duration) river.InsertManyParams {
	metadata, _ := json.Marshal(map[string]int{"snoozes": 1}) // numbers can be written
	opts := &river.InsertOpts{ScheduledAt: time.Now().Add(wait), Metadata: metadata}
	return river.InsertManyParams{Args: args.CarryMessage{MessageID: m.ID}, InsertOpts: opts}
}
