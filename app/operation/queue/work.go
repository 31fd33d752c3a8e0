package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/jobs/args"
)

// work is what a job works on, and what ends with it.
type work struct {
	name string // for people, such as "the message wamid…"; empty if nothing ends
	end  func(ctx context.Context, tx pgx.Tx) error
}

// cancelled is the detail of messages that ended because their job was cancelled.
const cancelled = "The message was cancelled by the operator of the platform before it was handed over."

// work returns what ends when a job is cancelled.
func (c *Control) work(ctx context.Context, tx pgx.Tx, row *rivertype.JobRow) (w work, err error) {
	var ids struct {
		MessageID      uuid.UUID `json:"message_id"`
		DeliveryID     int64     `json:"delivery_id"`
		NotificationID uuid.UUID `json:"notification_id"`
		ChallengeID    uuid.UUID `json:"challenge_id"`

		MessageIDs []uuid.UUID `json:"message_ids"`
	}
	if err := json.Unmarshal(row.EncodedArgs, &ids); err != nil {
		return w, nil // a payload of another version: the job alone ends
	}
	switch row.Kind {
	case args.CarryMessage{}.Kind():
		return c.messageWork(ctx, tx, ids.MessageID)
	case args.CarryMessages{}.Kind():
		return c.messagesWork(ctx, tx, ids.MessageIDs)
	case args.RelayCallback{}.Kind():
		w.name = "the callback " + strconv.FormatInt(ids.DeliveryID, 10)
		w.end = func(ctx context.Context, tx pgx.Tx) error {
			return c.endings.Callback(ctx, tx, ids.DeliveryID)
		}
	case args.SendSMS{}.Kind(), args.SendEmail{}.Kind():
		w.name, w.end, err = c.endings.Notification(ctx, tx, ids.NotificationID)
		return w, err
	case args.SendCode{}.Kind():
		w.name = "the request for a code"
		w.end = func(ctx context.Context, tx pgx.Tx) error {
			return c.endings.Code(ctx, tx, ids.ChallengeID)
		}
	}
	return w, nil
}

// messageWork fails a message that was not handed over, with its callback.
func (c *Control) messageWork(ctx context.Context, tx pgx.Tx, id uuid.UUID) (w work, err error) {
	name, end, err := c.endings.Message(ctx, tx, c.river, id, cancelled)
	if err != nil || end == nil {
		return w, err
	}
	return work{"the message " + name, end}, nil
}

// messagesWork fails the messages of a job that were not handed over.
func (c *Control) messagesWork(ctx context.Context, tx pgx.Tx, ids []uuid.UUID) (w work, err error) {
	var ends []work
	for _, id := range ids {
		one, err := c.messageWork(ctx, tx, id)
		if err != nil {
			return w, err
		}
		if one.end != nil {
			ends = append(ends, one)
		}
	}
	if len(ends) == 0 {
		return w, nil
	}
	w.name = fmt.Sprintf("%d messages, the first of them %s", len(ends), strings.TrimPrefix(ends[0].name, "the message "))
	w.end = func(ctx context.Context, tx pgx.Tx) error {
		for _, one := range ends {
			if err := one.end(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	}
	return w, nil
}

// Cancel cancels a waiting job, asks a running one to stop, and ends what it
// works on in the same transaction: a message fails with its callback, a callback
// is given up, an SMS or email is not sent. A job that has ended is a Conflict.
func (c *Control) Cancel(ctx context.Context, id int64, actor string) error {
	return db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		row, err := c.row(ctx, tx, id)
		if err != nil {
			return err
		}
		before := newJob(row)
		if !before.CanCancel {
			return errUnchanged(before)
		}
		// Workers lock messages before jobs.
		w, err := c.work(ctx, tx, row)
		if err != nil {
			return err
		}
		if w.end != nil {
			if err := w.end(ctx, tx); err != nil {
				return fmt.Errorf("ending %s: %w", w.name, err)
			}
		}
		after, err := c.river.JobCancelTx(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("cancelling a job: %w", err)
		}
		return record(ctx, tx, before, string(after.State), change{actor, "job.cancel", w.name})
	})
}

func errUnchanged(j Job) error {
	return fault.New(fault.Conflict, "The job is %s. Nothing was changed.", j.State)
}
