package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// moveParts makes steps of parts of different messages. It returns the changes of
// parts, for messages that have several, and the steps that the messages
// themselves can make now. The rows of the messages are locked: of two
// reports at the same time the later one sees what the earlier one changed.
func (c Channels) moveParts(ctx context.Context, tx pgx.Tx, steps []Step) (changes []Change, reached []Step, err error) {
	if len(steps) == 0 {
		return nil, nil, nil
	}
	ids, made := make([]uuid.UUID, len(steps)), map[uuid.UUID]Step{}
	for i, step := range steps {
		ids[i], made[step.MessageID] = step.MessageID, step
	}
	messages, err := writes.MessageLockMany(ctx, tx, ids)
	if err != nil {
		return nil, nil, fmt.Errorf("locking %d messages: %w", len(ids), err)
	}
	moved, err := c.moveCarriages(ctx, tx, steps)
	if err != nil {
		return nil, nil, err
	}
	messages = slices.DeleteFunc(messages, func(m models.Moved) bool { return !slices.Contains(moved, m.ID) })
	var several []uuid.UUID // messages of several parts, which move when all of them have
	for _, m := range messages {
		if m.OnLeg(max(made[m.ID].Leg, 1)).Parts > 1 {
			several = append(several, m.ID)
		}
	}
	carriages, err := queries.CarriageList(ctx, tx, several)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the parts of %d messages: %w", len(several), err)
	}
	of := map[uuid.UUID][]models.Carriage{}
	for _, carriage := range carriages {
		of[carriage.MessageID] = append(of[carriage.MessageID], carriage)
	}
	for _, m := range messages {
		step := made[m.ID]
		step.Leg = max(step.Leg, 1)
		leg := m.OnLeg(step.Leg)
		if leg.Parts > 1 {
			changes = append(changes, Change{Moved: m, Step: step})
		}
		if leg.Parts <= 1 || c[leg.Channel].isReached(leg, of[m.ID], step) {
			step.Part = 0
			reached = append(reached, step)
		}
	}
	return changes, reached, nil
}

// keepIDs keeps the ids of carriers that later reports may name messages by. A part that
// is all of its message has its state and its id in the row of the message.
func keepIDs(ctx context.Context, tx pgx.Tx, moved []Change) error {
	var ids []models.Carriage
	for _, m := range moved {
		if s := m.Step; s.Alone && s.Carrier != "" && s.ProviderID != "" {
			ids = append(ids, models.Carriage{MessageID: s.MessageID, Leg: max(s.Leg, 1), Part: 1, Carrier: s.Carrier, ProviderID: s.ProviderID})
		}
	}
	if len(ids) == 0 {
		return nil
	}
	if err := writes.CarrierIDInsert(ctx, tx, ids); err != nil {
		return fmt.Errorf("keeping the ids of %d messages: %w", len(ids), err)
	}
	return nil
}

// moveCarriages makes steps of parts and returns the messages that have a part that moved.
func (c Channels) moveCarriages(ctx context.Context, tx pgx.Tx, steps []Step) ([]uuid.UUID, error) {
	rules, err := c.rules(steps)
	if err != nil {
		return nil, err
	}
	moves := make([]writes.MessageMove, len(steps))
	for i, step := range steps {
		if moves[i], err = step.move(); err != nil {
			return nil, err
		}
	}
	moved, err := writes.CarriageUpdateStates(ctx, tx, moves, rules)
	if err != nil {
		return nil, fmt.Errorf("moving %d parts: %w", len(moves), err)
	}
	return moved, nil
}

// isReached reports whether a message moves to the state of a step of one of its
// parts. m is the message on the leg of the step.
func (c *Channel) isReached(m models.Message, parts []models.Carriage, step Step) bool {
	if c.isFailure(step.State) {
		return true
	}
	there := 0
	for _, part := range parts {
		if part.Leg == step.Leg && c.hasReached(part.State, step.State) {
			there++
		}
	}
	return there >= max(m.Parts, 1)
}
