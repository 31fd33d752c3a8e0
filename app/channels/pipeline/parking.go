package pipeline

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// What a person decides about a parked message.
const (
	ParkedArrived = "arrived" // the carrier has it
	ParkedAgain   = "again"   // it is handed over once more
	ParkedFailed  = "failed"  // it fails
)

// mostParked is how many parked messages are listed.
const mostParked = 200

// Parking holds the messages of which nobody knows whether their carrier has them. They
// wait for a report of the carrier, the end of their life, or a person.
type Parking struct {
	DB       db.Beginner
	Jobs     args.Inserter
	Channels Channels
	Signals  *db.Signals // may be nil
}

// List returns the messages that wait for a person, the oldest first.
func (p *Parking) List(ctx context.Context) ([]models.ParkedPart, error) {
	parts, err := queries.ParkedList(ctx, p.DB, mostParked)
	if err != nil {
		return nil, fmt.Errorf("listing parked messages: %w", err)
	}
	return parts, nil
}

// Get returns a message that waits for a person. One that does not is NotFound.
func (p *Parking) Get(ctx context.Context, message uuid.UUID) (part models.ParkedPart, err error) {
	err = db.InTx(ctx, p.DB, func(tx pgx.Tx) error {
		part, err = writes.ParkedLock(ctx, tx, message)
		return err
	})
	if err != nil {
		absent := fault.New(fault.NotFound, "This message waits for nobody. Its carrier may have reported it meanwhile.")
		return part, db.Absent(err, absent, "reading parked message %s", message)
	}
	return part, nil
}

// Decide does with a parked message what a person decided. One that has moved meanwhile
// is a Conflict.
func (p *Parking) Decide(ctx context.Context, message uuid.UUID, decision, actor string) error {
	if decision != ParkedArrived && decision != ParkedAgain && decision != ParkedFailed {
		return fault.InvalidFields(fault.Field{Name: "decision", Message: "Choose one of the outcomes."})
	}
	var part models.ParkedPart
	err := db.InTx(ctx, p.DB, func(tx pgx.Tx) (err error) {
		part, err = writes.ParkedLock(ctx, tx, message)
		if err != nil {
			absent := fault.New(fault.Conflict, "The message has moved meanwhile, so that nothing has to be decided.")
			return db.Absent(err, absent, "reading parked message %s", message)
		}
		if err := p.apply(ctx, tx, part, decision); err != nil {
			return err
		}
		if err := writes.ParkedDelete(ctx, tx, part); err != nil {
			return fmt.Errorf("ending the wait of message %s: %w", message, err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "message.parked_" + decision, Target: "message:" + message.String(),
			Details: map[string]any{"carrier": part.Carrier, "organisation": part.OrganisationID, "hand_over": part.HandOver},
		})
	})
	if err == nil {
		p.Signals.Add("messages", part.OrganisationID)
	}
	return err
}

// apply moves a parked part, or has it handed over again.
func (p *Parking) apply(ctx context.Context, tx pgx.Tx, part models.ParkedPart, decision string) error {
	channel, err := p.Channels.Get(part.Channel)
	if err != nil {
		return err
	}
	step := Step{MessageID: part.MessageID, Leg: part.Leg, Part: part.Part, State: "sent", At: time.Now()}
	switch decision {
	case ParkedAgain:
		c := models.Carriage{MessageID: part.MessageID, Leg: part.Leg, Part: part.Part}
		if err := writes.CarriageUpdateWaiting(ctx, tx, c); err != nil {
			return fmt.Errorf("releasing message %s: %w", part.MessageID, err)
		}
		if _, err := p.Jobs.InsertTx(ctx, tx, args.CarryMessage{MessageID: part.MessageID, Leg: laterLeg(part.Leg)}, nil); err != nil {
			return fmt.Errorf("inserting the job of message %s: %w", part.MessageID, err)
		}
		return nil
	case ParkedFailed:
		m, err := queries.MessageGet(ctx, tx, part.MessageID)
		if err != nil {
			return fmt.Errorf("reading message %s: %w", part.MessageID, err)
		}
		step = channel.RefusedStep(m.OnLeg(part.Leg), part.Part, Refusal{Code: parkedCode, Title: "Something went wrong", Detail: "The carrier did not say whether it took the message."})
		step.Leg = part.Leg
	}
	_, err = p.Channels.Report(ctx, tx, p.Jobs, step)
	return err
}

// parkedCode is the code of a message that a person fails.
const parkedCode = 131000
