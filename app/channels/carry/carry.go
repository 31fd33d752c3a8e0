// Package carry hands accepted messages to their carriers, reports their states and
// ends their jobs with the effect.
//
// A hand-over is recorded before a carrier that knows no idempotency is called, for all
// messages of a job together. The answer is stored in the row of the message, unless the
// message has several parts. So after a crash the carrier is asked, or waited for, instead
// of being handed the same message twice. No count of attempts ends a message: its own
// life does.
//
// Results are errors of River where the job runs again later, or never.
package carry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/blocklist"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/pipeline"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// Options holds the dependencies of an Engine.
type Options struct {
	Pool     *pgxpool.Pool
	Signals  *db.Signals // tells open pages; may be nil
	Keyring  *keyring.Keyring
	Channels pipeline.Channels
	Carrier  outbound.Carrier // of sandboxes, and of everything without Routes
	Routes   *pipeline.Routes // to the carriers of other senders; may be nil
	// Files requests the files that messages name by link; nil leaves them to the
	// carriers.
	Files  *outbound.Client
	Quotas media.Quotas // of the files that it keeps
	// Gateways dials the carriers that operators set up, and CarrierFiles moves files to
	// and from them; nil leaves that to Gateways.
	Gateways, CarrierFiles *outbound.Client
	Store                  storage.Store
	PublicURL              string // start of the addresses that carriers report to
	Log                    *slog.Logger
}

// Engine hands messages to their carriers and reports them.
type Engine struct {
	deps     Options
	carriers *openCarriers
	messages *db.Loader[uuid.UUID, models.CarriedMessage]
	reports  *db.Group[jobReport]
	slots    chan struct{} // one for each hand-over at the same time
	batches  chan struct{} // has the batch that waits for its slots
	health   *carrierHealth
	fetches  *fetches
	records  *records
}

// Handovers is how many messages a process hands over at the same time.
const Handovers = 256

// New returns an engine.
func New(o Options) *Engine {
	messages := db.NewLoader(
		func(ctx context.Context, ids []uuid.UUID) ([]models.CarriedMessage, error) {
			return queries.MessageListCarried(ctx, o.Pool, ids)
		},
		func(m models.CarriedMessage) uuid.UUID { return m.ID },
	)
	return &Engine{
		deps:     o,
		carriers: newOpenCarriers(o),
		messages: messages,
		reports:  newReportGroup(o),
		slots:    make(chan struct{}, Handovers),
		batches:  make(chan struct{}, 1),
		health:   &carrierHealth{pool: o.Pool},
		fetches:  newFetches(o),
		records:  newRecords(o.Pool),
	}
}

// carry hands an accepted message over and collects the steps to report. h.delayed
// means that its carrier did not take it now, for the reason err. After any other
// error nothing is known to be handed over.
func (e *Engine) carry(ctx context.Context, h *handover, carried models.CarriedMessage) error {
	if ended, err := e.open(h, carried); ended || err != nil {
		return err
	}
	return e.handOver(ctx, h)
}

// open reads an accepted message. A message that nobody has to carry any more has ended,
// with its step.
func (e *Engine) open(h *handover, carried models.CarriedMessage) (ended bool, err error) {
	m := carried.Current()
	channel, err := e.deps.Channels.Get(m.Channel)
	if err != nil {
		return false, err
	}
	if channel.Open != nil {
		if m.Payload, err = channel.Open(e.deps.Keyring, m); err != nil {
			return false, fmt.Errorf("opening message %s: %w", channel.MessageID(m.ID), err)
		}
	}
	h.message, h.channel = m, channel
	h.expiry, h.life = channel.Expiry(m)
	if now := time.Now(); !now.Before(h.expiry) {
		h.steps = []pipeline.Step{channel.ExpiredStep(m, now)}
		return true, nil
	}
	if carried.Suppression != "" {
		if step, ok := channel.SuppressedStep(m, blocklist.Reason(carried.Suppression)); ok {
			h.steps = []pipeline.Step{step}
			return true, nil
		}
	}
	return false, nil
}

// handOver hands over a message that was opened.
func (e *Engine) handOver(ctx context.Context, h *handover) error {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if problem, err := e.reviewFiles(ctx, h); err != nil || problem != "" {
		if h.delayed = err != nil; !h.delayed {
			h.steps = []pipeline.Step{h.channel.UnfetchedStep(h.message, problem)}
		}
		return err
	}
	err := e.findCarrier(ctx, h)
	if err == nil {
		err = e.send(ctx, h)
	}
	h.delayed = err != nil
	return err
}

// findCarrier finds the carrier of a message.
func (e *Engine) findCarrier(ctx context.Context, h *handover) (err error) {
	if h.health = e.health; h.carrier == nil {
		h.carrier, err = e.carriers.find(ctx, h.message)
	}
	return err
}

// reviewFiles returns the problem of a file that a message names by link. err says
// that the file cannot be had now. A server that stays away is a problem in the end.
func (e *Engine) reviewFiles(ctx context.Context, h *handover) (problem string, err error) {
	files, err := h.channel.RemoteFiles(h.message)
	if err != nil || len(files) == 0 {
		return "", err
	}
	problem, err = e.fetches.review(ctx, h.message, files)
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
func (e *Engine) send(ctx context.Context, h *handover) error {
	if h.message.Parts > 1 || !h.carrier.Traits().Idempotent {
		return h.sendParts(ctx, e.records)
	}
	return h.sendPart(ctx, pipeline.Part{Payload: h.message.Payload})
}

// delay logs that a carrier did not take a message and returns how long to wait.
func (e *Engine) delay(ctx context.Context, h *handover, err error) time.Duration {
	wait := h.pause(err)
	e.deps.Log.WarnContext(ctx, "a carrier did not take a message", "message", h.channel.MessageID(h.message.ID), "error", err, "failures", h.failures+1, "again_in", wait)
	return wait
}

// report commits the steps of a message, with the end of its job if that has ended.
func (e *Engine) report(ctx context.Context, run args.Run, ends bool, h *handover) error {
	if !ends && len(h.steps) == 0 {
		return nil
	}
	r, err := newJobReport(run, ends, h.steps...)
	if err != nil {
		return err
	}
	r.simulator, _ = h.carrier.(outbound.Simulator)
	return e.reports.Do(ctx, r)
}

// handover is the hand-over of one message to its carrier.
type handover struct {
	message  models.Message
	channel  *pipeline.Channel
	carrier  outbound.Carrier
	expiry   time.Time
	life     time.Duration
	failures int // of earlier attempts
	attempt  int // of the job
	number   int // of the recorded hand-over of the part that is under way
	steps    []pipeline.Step
	delayed  bool // the carrier did not take the message now
	health   *carrierHealth
	partID   string // as carriers get it, of the part with the number named
	named    int
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
func (h *handover) sendPart(ctx context.Context, part pipeline.Part) error {
	m := h.message
	receipt, err := h.carrier.Send(ctx, h.newMessage(part))
	if h.health != nil {
		h.health.count(h.carrier.Traits().Name, err)
	}
	step := pipeline.Step{MessageID: m.ID, Leg: m.Leg, Part: part.Number, State: string(receipt.State), At: time.Now(), ProviderID: receipt.ProviderID}
	if part.Number > 0 {
		step.Carrier = h.carrier.Traits().Name
	}
	var refusal *outbound.CarrierError
	if errors.As(err, &refusal) && !refusal.Temporary {
		step, err = h.channel.RefusedStep(m, part.Number, pipeline.Refusal{Code: refusal.Code, Title: refusal.Title, Detail: refusal.Detail}), nil
	}
	if err == nil {
		step.Alone = max(m.Parts, 1) == 1
		h.steps = append(h.steps, step)
	}
	return err
}

func (h *handover) newMessage(part pipeline.Part) outbound.Message {
	m := h.message
	if h.partID == "" || h.named != part.Number {
		h.partID, h.named = h.channel.PartID(m.ID, part.Number), part.Number
	}
	return outbound.Message{
		ID: h.partID, Attempt: h.failures + h.attempt, Channel: m.Channel, Sender: m.Sender, Recipient: m.Recipient, Kind: m.Kind,
		Payload: part.Payload, Part: max(part.Number, 1), Parts: max(m.Parts, 1), HandOver: h.number, Until: h.expiry,
	}
}
