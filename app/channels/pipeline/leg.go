package pipeline

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// maxLegs is the highest number of legs of a message.
const maxLegs = 3

// checkLegs checks the legs of a message to accept.
func checkLegs(m models.Message) error {
	if len(m.Legs) >= maxLegs {
		return fmt.Errorf("message %s has %d legs, not 1 to %d", m.ID, len(m.Legs)+1, maxLegs)
	}
	for i, leg := range m.Legs {
		if m.LegOf(leg.Channel) != i+2 {
			return fmt.Errorf("message %s has two legs of channel %s", m.ID, leg.Channel)
		}
	}
	return nil
}

// fallOver puts the messages that failed in changes on their next leg, if they
// have one, and inserts the jobs that carry it. It sets Next of these changes.
func (c Channels) fallOver(ctx context.Context, tx pgx.Tx, jobs args.Inserter, changes []Change) error {
	var ids []uuid.UUID
	var carry []river.InsertManyParams
	for i, change := range changes {
		next, err := c.nextLeg(change)
		if err != nil {
			return err
		}
		if next == nil {
			continue
		}
		changes[i].Next = next
		ids = append(ids, change.ID)
		carry = append(carry, river.InsertManyParams{Args: args.CarryMessage{MessageID: change.ID, Leg: laterLeg(change.Leg + 1)}})
	}
	if len(ids) == 0 {
		return nil
	}
	if err := writes.MessageFallOver(ctx, tx, ids); err != nil {
		return fmt.Errorf("putting %d messages on their next leg: %w", len(ids), err)
	}
	if _, err := jobs.InsertManyFastTx(ctx, tx, carry); err != nil {
		return fmt.Errorf("inserting the jobs of %d legs: %w", len(ids), err)
	}
	return nil
}

// laterLeg returns a leg as jobs have it: 0 for the first one, as in jobs that
// know of no legs.
func laterLeg(leg int) int {
	if leg == 1 {
		return 0
	}
	return leg
}

// nextLeg returns the leg that carries a message after a change; nil if it has
// not failed or fails for good.
func (c Channels) nextLeg(change Change) (*models.Leg, error) {
	m := change.Current()
	next := m.Next()
	if next == nil || change.Step.Final {
		return nil, nil
	}
	channel, err := c.Get(m.Channel)
	if err != nil {
		return nil, err
	}
	if !channel.isFailure(change.Step.State) || channel.FallsOver != nil && !channel.FallsOver(m, change.Step) {
		return nil, nil
	}
	return next, nil
}
