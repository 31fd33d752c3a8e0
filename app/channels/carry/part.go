package carry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// unknownError is the error of a hand-over without a known result. It is not
// repeated before wait is over, so that the carrier can report it.
type unknownError struct {
	part int
	wait time.Duration
	err  error // nil if this process was not there
	// parked says that a person has to decide about the part.
	parked bool
}

// Error names the part and the cause.
func (e *unknownError) Error() string {
	if e.parked {
		return fmt.Sprintf("nothing is known of the hand-over of part %d, so that a person decides about it", e.part)
	}
	if e.err == nil {
		return fmt.Sprintf("part %d was being handed over when its worker ended", e.part)
	}
	return fmt.Sprintf("handing part %d over: %v", e.part, e.err)
}

// Unwrap returns the cause.
func (e *unknownError) Unwrap() error { return e.err }

// sendParts hands the parts of a message over, one after the other. Each
// hand-over is recorded before the carrier is called. So after a crash it is
// known which parts the carrier may have, and one that is not idempotent gets
// none of them twice at once. It stops at the first part that the carrier does
// not take now.
func (h *handover) sendParts(ctx context.Context, r *records) error {
	parts, err := h.channel.SplitMessage(h.message)
	if err != nil {
		return fmt.Errorf("splitting message %s: %w", h.message.ID, err)
	}
	var known map[int]models.Carriage
	if h.again() {
		if known, err = r.find(ctx, h.message); err != nil {
			return err
		}
	}
	for _, part := range parts {
		started := false
		if known == nil { // a message that is tried for the first time is seldom known
			if started, err = h.start(ctx, r, part); err == nil && !started {
				known, err = r.find(ctx, h.message)
			}
		}
		if err == nil && !started {
			err = h.proceed(ctx, r, part, known)
		}
		if err != nil {
			return err
		}
		if len(h.steps) > 0 && h.steps[len(h.steps)-1].Failure != nil {
			return nil // the message has failed, so the other parts are of no use
		}
	}
	return nil
}

// again reports whether the message was tried before.
func (h *handover) again() bool { return h.attempt > 1 || h.failures > 0 }

// proceed deals with a part of a message that was tried before.
func (h *handover) proceed(ctx context.Context, r *records, part pipeline.Part, known map[int]models.Carriage) error {
	c, ok := known[part.Number]
	if ok && c.State == "dialling" {
		return h.resume(ctx, r, part, c)
	}
	if ok && c.State != "waiting" {
		return nil // the carrier has it
	}
	started, err := h.start(ctx, r, part)
	if err == nil && !started {
		err = &unknownError{part: part.Number, wait: h.carrier.Traits().Patience} // another worker is handing it over
	}
	return err
}

// start hands a part over that the carrier does not have. started is false if it was
// handed over before.
func (h *handover) start(ctx context.Context, r *records, part pipeline.Part) (started bool, err error) {
	part, ready, err := h.prepare(ctx, part)
	if err != nil || !ready {
		return true, err
	}
	numbers, err := r.start(ctx, r.started.Do, h.again(), h.carriage(part))
	if err != nil || numbers[0] == 0 {
		return false, err
	}
	h.number = numbers[0]
	return true, h.dial(ctx, r, part)
}

// resume deals with a part after its hand-over was interrupted.
func (h *handover) resume(ctx context.Context, r *records, part pipeline.Part, c models.Carriage) error {
	traits := h.carrier.Traits()
	wait := time.Duration(0)
	if asker, ok := h.carrier.(outbound.Asker); ok {
		receipt, found, err := asker.Ask(ctx, h.newMessage(part))
		if err != nil {
			return &unknownError{part: part.Number, err: err}
		}
		if found {
			h.steps = append(h.steps, pipeline.Step{
				MessageID: c.MessageID, Leg: c.Leg, Part: c.Part, State: string(receipt.State), At: time.Now(), ProviderID: receipt.ProviderID,
				Alone: max(h.message.Parts, 1) == 1, Carrier: traits.Name,
			})
			return nil
		}
	} else if !traits.Idempotent {
		wait = traits.Patience
	}
	if left := time.Until(c.UpdatedAt.Add(wait)); left > 0 {
		return &unknownError{part: part.Number, wait: left}
	}
	if traits.Parks {
		return h.park(ctx, r, part)
	}
	restarted, err := writes.CarriageRestart(ctx, r.pool, h.carriage(part), c.Attempts)
	if err != nil {
		return fmt.Errorf("recording the hand-over of message %s: %w", c.MessageID, err)
	}
	if !restarted {
		return &unknownError{part: part.Number, wait: wait}
	}
	h.number = c.Attempts + 1
	return h.dial(ctx, r, part)
}

// parkedPause is how often a message is looked at that waits for a person.
const parkedPause = 30 * time.Minute

// park leaves a part to a person, because nothing is known of its hand-over.
func (h *handover) park(ctx context.Context, r *records, part pipeline.Part) error {
	if _, err := writes.ParkedInsert(ctx, r.pool, h.carriage(part)); err != nil {
		return fmt.Errorf("parking part %d of message %s: %w", part.Number, h.message.ID, err)
	}
	return &unknownError{part: part.Number, wait: parkedPause, parked: true}
}

// prepare returns a part as its carrier takes it. ready is false if the carrier refused
// it for good, which is a step of the message.
func (h *handover) prepare(ctx context.Context, part pipeline.Part) (prepared pipeline.Part, ready bool, err error) {
	preparer, ok := h.carrier.(outbound.Preparer)
	if !ok {
		return part, true, nil
	}
	m, err := preparer.Prepare(ctx, h.newMessage(part))
	var refusal *outbound.CarrierError
	refused := errors.As(err, &refusal)
	if err != nil && h.health != nil && !(refused && isPace(refusal)) {
		h.health.count(h.carrier.Traits().Name, err)
	}
	if refused && !refusal.Temporary {
		h.steps = append(h.steps, h.channel.RefusedStep(h.message, 0, pipeline.Refusal{Code: refusal.Code, Title: refusal.Title, Detail: refusal.Detail}))
		return part, false, nil
	}
	part.Payload = m.Payload
	return part, err == nil, err
}

// isPace reports whether a message only waits for its turn.
func isPace(e *outbound.CarrierError) bool { return e.Code == 130429 || e.Code == 131056 }

// dial calls the carrier with a part once its hand-over is recorded.
func (h *handover) dial(ctx context.Context, r *records, part pipeline.Part) error {
	err := h.sendPart(ctx, part)
	var refusal *outbound.CarrierError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refusal):
		if err := writes.CarriageUpdateWaiting(context.WithoutCancel(ctx), r.pool, h.carriage(part)); err != nil {
			return fmt.Errorf("recording a refusal of message %s: %w", h.message.ID, err)
		}
		return err
	}
	return &unknownError{part: part.Number, wait: h.carrier.Traits().Patience, err: err}
}

// carriage returns the carriage of a part on the leg of the message.
func (h *handover) carriage(part pipeline.Part) models.Carriage {
	return models.Carriage{MessageID: h.message.ID, Leg: max(h.message.Leg, 1), Part: part.Number, Channel: h.message.Channel, Carrier: h.carrier.Traits().Name}
}
