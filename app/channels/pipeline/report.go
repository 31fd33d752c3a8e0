package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/relay"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Step is a change of a message's state that its carrier reports.
type Step struct {
	MessageID  uuid.UUID
	Leg        int  // 0 means 1
	Part       int  // from 1; 0 for the whole message
	Alone      bool // the message has no other part, so that its own row tells of this one
	State      string
	At         time.Time
	ProviderID string   // the carrier's own id, or empty
	Carrier    string   // with ProviderID, if the message is looked up by it
	Failure    *Failure // set for states of failed messages
	Final      bool     // no leg follows, whatever the channel says
}

// Change is a step that was made.
type Change struct {
	models.Moved
	Step Step        // Part is 0 if the message moved; otherwise only that part did
	Next *models.Leg // carries the message after the step; nil if none does
}

// Report applies steps in the caller's transaction. For messages with a webhook
// it also stores the callbacks and their jobs. It returns the messages that
// changed, in their new state. A repeated or late report changes nothing. Steps
// of the same message are applied in order.
//
// A message of several parts moves to a state when all its parts have reached
// it, and fails with the first part that fails. A message that fails and has a
// further leg is accepted again, on that leg. The job that carries the leg is
// inserted in the same transaction, so that it is carried exactly once.
func (c Channels) Report(ctx context.Context, tx pgx.Tx, jobs args.Inserter, steps ...Step) (moved []models.Moved, err error) {
	for len(steps) > 0 {
		var now, later []Step
		seen := map[uuid.UUID]bool{}
		for _, step := range steps {
			if seen[step.MessageID] {
				later = append(later, step)
			} else {
				now = append(now, step)
			}
			seen[step.MessageID] = true
		}
		changes, err := c.apply(ctx, tx, jobs, now)
		if err != nil {
			return nil, err
		}
		if err := c.storeCallbacks(ctx, tx, jobs, changes); err != nil {
			return nil, err
		}
		for _, change := range changes {
			if change.Step.Part == 0 {
				moved = append(moved, change.Moved)
			}
		}
		steps = later
	}
	return moved, nil
}

// apply makes one step for each message and returns the changes.
func (c Channels) apply(ctx context.Context, tx pgx.Tx, jobs args.Inserter, steps []Step) ([]Change, error) {
	var whole, parts []Step
	for _, step := range steps {
		switch {
		case step.Part == 0:
			whole = append(whole, step)
		case step.Alone:
			step.Part = 0
			whole = append(whole, step)
		default:
			parts = append(parts, step)
		}
	}
	changes, reached, err := c.moveParts(ctx, tx, parts)
	if err != nil {
		return nil, err
	}
	moved, err := c.moveMessages(ctx, tx, append(whole, reached...))
	if err != nil {
		return nil, err
	}
	if err := keepIDs(ctx, tx, moved); err != nil {
		return nil, err
	}
	if err := c.fallOver(ctx, tx, jobs, moved); err != nil {
		return nil, err
	}
	return append(changes, moved...), nil
}

// moveMessages makes steps of different messages.
func (c Channels) moveMessages(ctx context.Context, tx pgx.Tx, steps []Step) (changes []Change, err error) {
	if len(steps) == 0 {
		return nil, nil
	}
	rules, err := c.rules(steps)
	if err != nil {
		return nil, err
	}
	moves, made := make([]writes.MessageMove, len(steps)), map[uuid.UUID]Step{}
	for i, step := range steps {
		if moves[i], err = step.move(); err != nil {
			return nil, err
		}
		made[step.MessageID] = step
	}
	moved, err := writes.MessageUpdateStates(ctx, tx, moves, rules)
	if err != nil {
		return nil, fmt.Errorf("moving %d messages: %w", len(moves), err)
	}
	for _, m := range moved {
		changes = append(changes, Change{Moved: m, Step: made[m.ID]})
	}
	return changes, nil
}

// rules returns the states that the states of steps may follow in each channel.
// A state that no channel has is an error.
func (c Channels) rules(steps []Step) (rules []writes.MessageRule, err error) {
	seen := map[string]bool{}
	for _, step := range steps {
		if seen[step.State] {
			continue
		}
		seen[step.State] = true
		known := len(rules)
		for _, channel := range c {
			if from := channel.Follows[step.State]; from != nil {
				rules = append(rules, writes.MessageRule{Channel: channel.Name, To: step.State, From: from})
			}
		}
		if len(rules) == known {
			return nil, fmt.Errorf("a message cannot be reported as %q", step.State)
		}
	}
	return rules, nil
}

func (s Step) move() (writes.MessageMove, error) {
	move := writes.MessageMove{ID: s.MessageID, Leg: max(s.Leg, 1), Part: s.Part, To: s.State, At: s.At, ProviderID: s.ProviderID}
	if s.Failure == nil {
		return move, nil
	}
	failure, err := json.Marshal(s.Failure)
	if err != nil {
		return move, fmt.Errorf("writing the failure: %w", err)
	}
	move.Failure = failure
	return move, nil
}

// storeCallbacks stores the callbacks about changes of messages that have a
// webhook, and their jobs. A state that is reached again is not told again.
func (c Channels) storeCallbacks(ctx context.Context, tx pgx.Tx, jobs args.Inserter, changes []Change) error {
	of := map[string][]Change{}
	for _, change := range changes {
		if change.WebhookID != 0 && !change.Again {
			of[change.Channel] = append(of[change.Channel], change)
		}
	}
	var events []relay.Event
	for name, changes := range of {
		channel, err := c.Get(name)
		if err != nil {
			return err
		}
		some, err := channel.Callbacks(ctx, tx, changes)
		if err != nil {
			return fmt.Errorf("making the callbacks of %d messages: %w", len(changes), err)
		}
		events = append(events, some...)
	}
	_, err := relay.Store(ctx, tx, jobs, events...)
	return err
}
