package jobs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/messaging"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// carryMessage hands an accepted message to the carrier and reports it sent,
// or failed when the carrier refuses it. The message id is the carrier's
// idempotency key: a hand-over that is repeated after a crash is the same one.
type carryMessage struct {
	river.WorkerDefaults[args.CarryMessage]
	deps  Deps
	steps *db.Group[step]
}

func (w *carryMessage) NextRetry(job *river.Job[args.CarryMessage]) time.Time {
	return soon(job.Attempt)
}

func (w *carryMessage) Work(ctx context.Context, job *river.Job[args.CarryMessage]) error {
	m, err := queries.MessageGet(ctx, w.deps.Pool, job.Args.MessageID)
	if db.IsNoRows(err) {
		return river.JobCancel(fmt.Errorf("message %s is gone", job.Args.MessageID))
	}
	if err != nil {
		return fmt.Errorf("loading message %s: %w", job.Args.MessageID, err)
	}
	if m.State != "accepted" {
		return nil
	}
	receipt, err := w.deps.Carrier.Send(ctx, outbound.Message{
		ID: messaging.MessageID(m.ID), Attempt: job.Attempt, Channel: m.Channel, Sender: strconv.FormatInt(m.SenderID, 10),
		Recipient: m.Recipient, Kind: m.Kind, Payload: m.Payload,
	})
	report := messaging.Step{MessageID: m.ID, State: string(receipt.State), At: time.Now(), ProviderID: receipt.ProviderID}
	var refusal *outbound.CarrierError
	switch {
	case errors.As(err, &refusal) && !refusal.Temporary:
		report.State, report.Failure = "failed", &messaging.Failure{Code: refusal.Code, Title: refusal.Title}
	case err != nil:
		return fmt.Errorf("handing message %s to its carrier: %w", m.ID, err)
	}
	s, err := stepOf(ctx, job.ID, report)
	if err != nil {
		return err
	}
	return w.steps.Do(ctx, s)
}
