package pipeline

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs/args"
)

// Cancelling returns the public id of a message that was not handed over, and what fails
// it for a reason, with its callback. end is nil if nothing is left to fail.
func (c Channels) Cancelling(ctx context.Context, tx pgx.Tx, jobs args.Inserter, id uuid.UUID, reason string) (publicID string, end func(context.Context, pgx.Tx) error, err error) {
	m, err := queries.MessageGet(ctx, tx, id)
	if err != nil {
		return "", nil, db.Absent(err, nil, "looking a message up")
	}
	channel := c[m.Channel]
	if channel == nil || m.State != Accepted {
		return "", nil, nil
	}
	return channel.MessageID(m.ID), func(ctx context.Context, tx pgx.Tx) error {
		leg := m.Current()
		current, err := c.Get(leg.Channel)
		if err != nil {
			return err
		}
		step := current.ExpiredStep(leg, time.Now())
		step.Failure.Detail, step.Final = reason, true
		_, err = c.Report(ctx, tx, jobs, step)
		return err
	}, nil
}
