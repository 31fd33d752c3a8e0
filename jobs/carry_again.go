package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// carryAgain puts a message off that its carrier took and gave up before an operator
// had it: it is accepted again, and handed over after a pause that grows with each
// hand-over of the part. A report about an earlier hand-over than the last, or about a
// message that has ended, changes nothing, so that an operator gets no part twice.
type carryAgain struct {
	river.WorkerDefaults[args.CarryAgain]
	*carrying
}

// answerPause is how long the answer to a hand-over is waited for after its report came
// first.
const answerPause = 2 * time.Second

func (w *carryAgain) Work(ctx context.Context, job *river.Job[args.CarryAgain]) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	state := ""
	err = db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		a := job.Args
		state, err = queries.CarriageTakeBack(ctx, tx, models.Carriage{MessageID: a.MessageID, Leg: a.Leg, Part: a.Part, Attempts: a.HandOver})
		if err != nil {
			return fmt.Errorf("taking part %d of message %s back: %w", a.Part, a.MessageID, err)
		}
		if state == "sent" {
			if err := w.putOff(ctx, tx, client, a); err != nil {
				return err
			}
		}
		if state == "dialling" {
			return nil
		}
		_, err = queries.JobUpdateCompleted(ctx, tx, []int64{job.ID})
		return err
	})
	if err == nil && state == "dialling" {
		return river.JobSnooze(answerPause)
	}
	return err
}

// putOff inserts the job that hands a message over after a pause.
func (w *carryAgain) putOff(ctx context.Context, tx pgx.Tx, jobs args.Inserter, a args.CarryAgain) error {
	m, err := queries.MessageGet(ctx, tx, a.MessageID)
	if err != nil {
		return fmt.Errorf("loading message %s: %w", a.MessageID, err)
	}
	m = m.Current()
	channel, err := channels.All.Get(m.Channel)
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
	w.log.WarnContext(ctx, "a carrier had no operator for a message", "message", channel.MessageID(m.ID), "part", a.Part, "hand_over", a.HandOver, "again_in", wait)
	return nil
}
