package carry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// Expire fails a message that was not delivered by the end of its time to live. A
// message that was delivered stays as it is. A carrier that can take a message back
// does so first, so that no fallback follows one that arrives.
func (e *Engine) Expire(ctx context.Context, run args.Run, a args.ExpireMessage) error {
	m, err := queries.MessageGet(ctx, e.deps.Pool, a.MessageID)
	if db.IsNoRows(err) {
		return river.JobCancel(fmt.Errorf("message %s is gone", a.MessageID))
	}
	if err != nil {
		return fmt.Errorf("loading message %s: %w", a.MessageID, err)
	}
	if m.Leg != max(a.Leg, 1) {
		return nil
	}
	m = m.Current()
	channel, err := e.deps.Channels.Get(m.Channel)
	if err != nil {
		return err
	}
	if wait, err := e.revoke(ctx, run, &handover{message: m, channel: channel}); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e.deps.Log.WarnContext(ctx, "a carrier did not take a message back", "message", channel.MessageID(m.ID), "error", err, "again_in", wait)
		return river.JobSnooze(wait)
	}
	r, err := newJobReport(run, true, channel.ExpiredStep(m, time.Now()))
	if err != nil {
		return err
	}
	return e.reports.Do(ctx, r)
}

// revoke takes a message back that its carrier has, and returns how long to wait
// after an error. A message that was delivered stays.
func (e *Engine) revoke(ctx context.Context, run args.Run, h *handover) (time.Duration, error) {
	if h.message.State != string(outbound.Sent) {
		return 0, nil
	}
	carrier, err := e.carriers.find(ctx, h.message)
	if errors.Is(err, errNoCarrier) {
		return 0, nil
	}
	if revoker, ok := carrier.(outbound.Revoker); ok && err == nil {
		err = revoker.Revoke(ctx, h.newMessage(pipeline.Part{Payload: h.message.Payload}))
	}
	const life = 24 * time.Hour // the pauses grow as for a message
	return pause(run.Snoozes, life, 0), err
}

// awaitExpiry inserts the jobs that look at messages when their life is over.
func (o Options) awaitExpiry(ctx context.Context, tx pgx.Tx, jobs args.Inserter, moved []models.Moved) error {
	var later []river.InsertManyParams
	for _, moved := range moved {
		m := moved.Current()
		channel, err := o.Channels.Get(m.Channel)
		if err != nil {
			return err
		}
		if channel.NeedsExpiry(m) {
			at := channel.ExpiryCheck(m)
			later = append(later, river.InsertManyParams{Args: args.ExpireMessage{MessageID: m.ID, Leg: m.Leg}, InsertOpts: &river.InsertOpts{ScheduledAt: at}})
		}
	}
	if len(later) == 0 {
		return nil
	}
	if _, err := jobs.InsertManyFastTx(ctx, tx, later); err != nil {
		return fmt.Errorf("inserting the jobs that expire messages: %w", err)
	}
	return nil
}
