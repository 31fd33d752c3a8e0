package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels"
	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/delivery"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// carrying hands messages to their carriers, for the jobs of one message and of
// several.
type carrying struct {
	deps     Deps
	carriers *carriers
	messages *db.Loader[uuid.UUID, models.CarriedMessage]
	steps    *db.Group[step]
	log      *slog.Logger
	slots    chan struct{} // one for each hand-over at the same time
	health   *carrierHealth
	fetches  *fetches
	records  *records
}

// handovers is how many messages a process hands over at the same time.
const handovers = 256

func newCarrying(deps Deps, steps *db.Group[step], log *slog.Logger) *carrying {
	messages := db.NewLoader(
		func(ctx context.Context, ids []uuid.UUID) ([]models.CarriedMessage, error) {
			return queries.MessageListCarried(ctx, deps.Pool, ids)
		},
		func(m models.CarriedMessage) uuid.UUID { return m.ID },
	)
	return &carrying{deps: deps, carriers: newCarriers(deps), messages: messages, steps: steps, log: log, slots: make(chan struct{}, handovers), health: &carrierHealth{pool: deps.Pool}, fetches: newFetches(deps), records: newRecords(deps.Pool)}
}

// carry hands an accepted message over and collects the steps to report. h.delayed
// means that its carrier did not take it now, for the reason err. After any other
// error nothing is known to be handed over.
func (w *carrying) carry(ctx context.Context, h *handover, carried models.CarriedMessage) error {
	m := carried.Current()
	channel, err := channels.All.Get(m.Channel)
	if err != nil {
		return err
	}
	if channel.Open != nil {
		if m.Payload, err = channel.Open(w.deps.Keyring, m); err != nil {
			return fmt.Errorf("opening message %s: %w", channel.MessageID(m.ID), err)
		}
	}
	h.message, h.channel = m, channel
	h.expiry, h.life = channel.Expiry(m)
	if now := time.Now(); !now.Before(h.expiry) {
		h.steps = []delivery.Step{channel.ExpiredStep(m, now)}
		return nil
	}
	if carried.Suppression != "" {
		if step, ok := channel.SuppressedStep(m, blocklist.Reason(carried.Suppression)); ok {
			h.steps = []delivery.Step{step}
			return nil
		}
	}
	select {
	case w.slots <- struct{}{}:
		defer func() { <-w.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if problem, err := w.reviewFiles(ctx, h); err != nil || problem != "" {
		if h.delayed = err != nil; !h.delayed {
			h.steps = []delivery.Step{channel.UnfetchedStep(m, problem)}
		}
		return err
	}
	h.health = w.health
	if h.carrier, err = w.carriers.find(ctx, m); err == nil {
		err = w.send(ctx, h)
	}
	h.delayed = err != nil
	return err
}

// reviewFiles returns the problem of a file that a message names by link. err says
// that the file cannot be had now. A server that stays away is a problem in the end.
func (w *carrying) reviewFiles(ctx context.Context, h *handover) (problem string, err error) {
	files, err := h.channel.RemoteFiles(h.message)
	if err != nil || len(files) == 0 {
		return "", err
	}
	problem, err = w.fetches.review(ctx, h.message, files)
	var away awayError
	if errors.As(err, &away) && h.failures >= fetchTries-1 {
		return absent(away.error), nil
	}
	if err != nil {
		err = fmt.Errorf("fetching a file of the message: %w", err)
	}
	return problem, err
}

// send hands a message over and collects the steps to report. A message that its
// row alone can describe needs no carriages.
func (w *carrying) send(ctx context.Context, h *handover) error {
	if h.message.Parts > 1 || !h.carrier.Traits().Idempotent {
		return h.sendParts(ctx, w.records)
	}
	return h.sendPart(ctx, delivery.Part{Payload: h.message.Payload})
}

// delay logs that a carrier did not take a message and returns how long to wait.
func (w *carrying) delay(ctx context.Context, h *handover, err error) time.Duration {
	wait := h.pause(err)
	w.log.WarnContext(ctx, "a carrier did not take a message", "message", h.channel.MessageID(h.message.ID), "error", err, "failures", h.failures+1, "again_in", wait)
	return wait
}

// report commits the steps of a message together with the end of its job, or alone
// for job 0.
func (w *carrying) report(ctx context.Context, jobID int64, h *handover) error {
	if jobID == 0 && len(h.steps) == 0 {
		return nil
	}
	s, err := stepOf(ctx, jobID, h.steps...)
	if err != nil {
		return err
	}
	s.simulator, _ = h.carrier.(outbound.Simulator)
	return w.steps.Do(ctx, s)
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
	number   int // of the recorded hand-over of the part that is under way
	steps    []delivery.Step
	delayed  bool // the carrier did not take the message now
	health   *carrierHealth
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
	if h.health != nil {
		h.health.count(h.carrier.Traits().Name, err)
	}
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
		Payload: part.Payload, Part: max(part.Number, 1), Parts: max(m.Parts, 1), HandOver: h.number, Until: h.expiry,
	}
}
