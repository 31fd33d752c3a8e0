package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/channels"
	"heliograph/app/delivery"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// carryMessage hands an accepted message to its carrier and reports it as sent, or
// as failed if the carrier refuses it or it has expired. While a carrier is
// unavailable the job snoozes, so that its own attempts count crashes only.
type carryMessage struct {
	river.WorkerDefaults[args.CarryMessage]
	deps     Deps
	carriers *carriers
	steps    *db.Group[step]
	log      *slog.Logger
}

func (w *carryMessage) Work(ctx context.Context, job *river.Job[args.CarryMessage]) error {
	m, err := queries.MessageGet(ctx, w.deps.Pool, job.Args.MessageID)
	if db.IsNoRows(err) {
		return river.JobCancel(fmt.Errorf("message %s is gone", job.Args.MessageID))
	}
	if err != nil {
		return fmt.Errorf("loading message %s: %w", job.Args.MessageID, err)
	}
	if m.State != delivery.Accepted || m.Leg != max(job.Args.Leg, 1) {
		return nil
	}
	m = m.Current()
	channel, err := channels.All.Get(m.Channel)
	if err != nil {
		return err
	}
	if channel.Open != nil {
		if m.Payload, err = channel.Open(w.deps.Keyring, m); err != nil {
			return fmt.Errorf("opening message %s: %w", channel.MessageID(m.ID), err)
		}
	}
	h := &handover{message: m, channel: channel, failures: snoozes(job.Metadata), attempt: job.Attempt}
	h.expiry, h.life = channel.Expiry(m)
	if now := time.Now(); !now.Before(h.expiry) {
		return w.report(ctx, job, h, channel.ExpiredStep(m, now))
	}
	if h.carrier, err = w.carriers.find(ctx, m); err == nil {
		err = w.send(ctx, h)
	}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err() // this process is being stopped; the carrier is not to blame
	case err != nil:
		wait := h.pause(err)
		w.log.WarnContext(ctx, "a carrier did not take a message", "message", channel.MessageID(m.ID), "error", err, "failures", h.failures+1, "again_in", wait)
		if err := w.reportSome(ctx, h.steps); err != nil {
			return err
		}
		return river.JobSnooze(wait)
	}
	return w.report(ctx, job, h, h.steps...)
}

// send hands a message over and collects the steps to report. A message that its
// row alone can describe needs no carriages.
func (w *carryMessage) send(ctx context.Context, h *handover) error {
	if h.message.Parts > 1 || !h.carrier.Traits().Idempotent {
		return h.sendParts(ctx, w.deps.Pool)
	}
	return h.sendPart(ctx, delivery.Part{Payload: h.message.Payload})
}

// report commits the new state of the message together with the end of its job.
func (w *carryMessage) report(ctx context.Context, job *river.Job[args.CarryMessage], h *handover, steps ...delivery.Step) error {
	s, err := stepOf(ctx, job.ID, steps...)
	if err != nil {
		return err
	}
	s.simulator, _ = h.carrier.(outbound.Simulator)
	return w.steps.Do(ctx, s)
}

// reportSome commits the steps of the parts that were taken while others wait.
func (w *carryMessage) reportSome(ctx context.Context, steps []delivery.Step) error {
	if len(steps) == 0 {
		return nil
	}
	s, err := stepOf(ctx, 0, steps...)
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

// handover is the hand-over of one message to its carrier.
type handover struct {
	message  models.Message
	channel  *delivery.Channel
	carrier  outbound.Carrier
	expiry   time.Time
	life     time.Duration
	failures int // of earlier attempts
	attempt  int // of the job
	steps    []delivery.Step
}

// pause returns how long to wait after a failed hand-over: what the carrier or
// its patience ask for, and otherwise longer with each failure.
func (h *handover) pause(err error) time.Duration {
	left := time.Until(h.expiry)
	wait := pause(h.failures, h.life, left)
	var refusal *outbound.CarrierError
	if errors.As(err, &refusal) {
		wait = max(wait, min(refusal.Wait, left))
	}
	var unknown *unknownError
	if errors.As(err, &unknown) {
		wait = max(wait, min(unknown.wait, left))
	}
	return wait
}

// sendPart hands one part over, or the whole message for a part without number.
// A refusal for good is a step too.
func (h *handover) sendPart(ctx context.Context, part delivery.Part) error {
	m := h.message
	receipt, err := h.carrier.Send(ctx, h.newMessage(part))
	step := delivery.Step{MessageID: m.ID, Leg: m.Leg, Part: part.Number, State: string(receipt.State), At: time.Now(), ProviderID: receipt.ProviderID}
	var refusal *outbound.CarrierError
	if errors.As(err, &refusal) && !refusal.Temporary {
		step, err = h.channel.RefusedStep(m, part.Number, delivery.Refusal{Code: refusal.Code, Title: refusal.Title, Detail: refusal.Detail}), nil
	}
	if err == nil {
		h.steps = append(h.steps, step)
	}
	return err
}

func (h *handover) newMessage(part delivery.Part) outbound.Message {
	m := h.message
	return outbound.Message{
		ID: h.channel.PartID(m.ID, part.Number), Attempt: h.failures + h.attempt, Channel: m.Channel, Sender: m.Sender, Recipient: m.Recipient, Kind: m.Kind,
		Payload: part.Payload, Part: max(part.Number, 1), Parts: max(m.Parts, 1), Until: h.expiry,
	}
}
