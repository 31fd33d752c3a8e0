package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/messaging"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// carryMessage hands an accepted message to the carrier and reports it as sent, or
// as failed if the carrier refuses it or it has expired. The message id is the
// carrier's idempotency key, so that a hand-over can be repeated after a crash.
// While a carrier is unavailable the job snoozes, so that its own attempts count
// crashes only.
type carryMessage struct {
	river.WorkerDefaults[args.CarryMessage]
	deps  Deps
	steps *db.Group[step]
	log   *slog.Logger
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
	life := messaging.TimeToLive(m)
	expiry := m.CreatedAt.Add(life)
	if now := time.Now(); !now.Before(expiry) {
		return w.report(ctx, job, messaging.ExpiredStep(m, now))
	}
	failures := snoozes(job.Metadata)
	receipt, err := w.deps.Carrier.Send(ctx, outbound.Message{
		ID: messaging.MessageID(m.ID), Attempt: failures + job.Attempt, Channel: m.Channel, Sender: strconv.FormatInt(m.SenderID, 10),
		Recipient: m.Recipient, Kind: m.Kind, Payload: m.Payload,
	})
	report := messaging.Step{MessageID: m.ID, State: string(receipt.State), At: time.Now(), ProviderID: receipt.ProviderID}
	var refusal *outbound.CarrierError
	switch {
	case errors.As(err, &refusal) && !refusal.Temporary:
		report.State, report.Failure = "failed", &messaging.Failure{Code: refusal.Code, Title: refusal.Title}
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err() // this process is being stopped; the carrier is not to blame
	case err != nil:
		wait := pause(failures, life, time.Until(expiry))
		w.log.WarnContext(ctx, "a carrier did not take a message", "message", messaging.MessageID(m.ID), "error", err, "failures", failures+1, "again_in", wait)
		return river.JobSnooze(wait)
	}
	return w.report(ctx, job, report)
}

// report commits the new state of the message together with the end of its job.
func (w *carryMessage) report(ctx context.Context, job *river.Job[args.CarryMessage], report messaging.Step) error {
	s, err := stepOf(ctx, job.ID, report)
	if err != nil {
		return err
	}
	return w.steps.Do(ctx, s)
}

// snoozes is how often a job was snoozed, which River counts in its metadata:
// here, how often the carrier failed.
func snoozes(metadata []byte) int {
	var m struct{ Snoozes int }
	_ = json.Unmarshal(metadata, &m) // what cannot be read begins with short pauses again
	return max(m.Snoozes, 0)
}

// pauses are the waits after the first failures of a carrier; the last is that
// of all others.
var pauses = []time.Duration{time.Second, 5 * time.Second, 25 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute}

// pause is how long a message waits for its carrier after earlier failures and
// one more: longer each time, up to a quarter less by chance so that messages
// spread, and at most a tenth of its life so that a short one is tried while it
// matters. It ends with what is left of that life, when the message fails.
func pause(earlier int, life, left time.Duration) time.Duration {
	wait := min(pauses[min(earlier, len(pauses)-1)], life/10)
	return max(min(wait-rand.N(wait/4), left), 0)
}
