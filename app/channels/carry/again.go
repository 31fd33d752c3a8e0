package carry

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// answerPause is how long the answer to a hand-over is waited for after its report came
// first.
const answerPause = 2 * time.Second

// CarryAgain puts a message off that its carrier took and gave up before an operator
// had it: it is accepted again, and handed over after a pause that grows with each
// hand-over of the part. A report about an earlier hand-over than the last, or about a
// message that has ended, changes nothing, so that an operator gets no part twice.
func (e *Engine) CarryAgain(ctx context.Context, run args.Run, a args.CarryAgain) error {
	if run.Inserter == nil {
		return errNoInserter
	}
	state := ""
	err := db.InTx(ctx, e.deps.Pool, func(tx pgx.Tx) (err error) {
		state, err = writes.CarriageTakeBack(ctx, tx, models.Carriage{MessageID: a.MessageID, Leg: a.Leg, Part: a.Part, Attempts: a.HandOver})
		if err != nil {
			return fmt.Errorf("taking part %d of message %s back: %w", a.Part, a.MessageID, err)
		}
		if state == "sent" {
			if err := e.putOff(ctx, tx, run.Inserter, a); err != nil {
				return err
			}
		}
		if state == "dialling" {
			return nil
		}
		return complete(ctx, tx, run)
	})
	if err == nil && state == "dialling" {
		return river.JobSnooze(answerPause)
	}
	return err
}

// complete ends a job in the transaction of its effect.
func complete(ctx context.Context, tx pgx.Tx, run args.Run) error {
	if _, err := errands.JobUpdateCompleted(ctx, tx, []int64{run.JobID}); err != nil {
		return fmt.Errorf("completing job %d: %w", run.JobID, err)
	}
	return nil
}

// putOff inserts the job that hands a message over after a pause.
func (e *Engine) putOff(ctx context.Context, tx pgx.Tx, jobs args.Inserter, a args.CarryAgain) error {
	m, err := queries.MessageGet(ctx, tx, a.MessageID)
	if err != nil {
		return fmt.Errorf("loading message %s: %w", a.MessageID, err)
	}
	m = m.Current()
	channel, err := e.deps.Channels.Get(m.Channel)
	if err != nil {
		return err
	}
	expiry, life := channel.Expiry(m)
	wait := pause(a.HandOver-1, life, time.Until(expiry))
	metadata, _ := json.Marshal(map[string]int{"snoozes": a.HandOver}) // numbers can be written
	opts := &river.InsertOpts{ScheduledAt: time.Now().Add(wait), Metadata: metadata}
	if _, err := jobs.InsertTx(ctx, tx, args.CarryMessage{MessageID: m.ID, Leg: a.Leg}, opts); err != nil {
		return fmt.Errorf("putting message %s off: %w", channel.MessageID(m.ID), err)
	}
	e.deps.Log.WarnContext(ctx, "a carrier had no operator for a message", "message", channel.MessageID(m.ID), "part", a.Part, "hand_over", a.HandOver, "again_in", wait)
	return nil
}
