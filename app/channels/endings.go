package channels

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Endings ends what jobs work on that are cancelled.
type Endings struct{ Channels pipeline.Channels }

// Message is Cancelling of the channels.
func (e Endings) Message(ctx context.Context, tx pgx.Tx, jobs args.Inserter, id uuid.UUID, reason string) (publicID string, end func(context.Context, pgx.Tx) error, err error) {
	return e.Channels.Cancelling(ctx, tx, jobs, id, reason)
}

// Callback fails a callback that still waits.
func (Endings) Callback(ctx context.Context, tx pgx.Tx, id int64) error {
	return writes.DeliveryUpdateFailed(ctx, tx, id)
}

// Notification returns the name of an SMS or email, and what cancels it.
func (Endings) Notification(ctx context.Context, tx pgx.Tx, id uuid.UUID) (name string, end func(context.Context, pgx.Tx) error, err error) {
	return notification.Cancelling(ctx, tx, id)
}

// Code ends the request for a code.
func (Endings) Code(ctx context.Context, tx pgx.Tx, challenge uuid.UUID) error {
	return identity.CancelCode(ctx, tx, challenge)
}
