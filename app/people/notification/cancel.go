package notification

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/people/writes"
)

// Cancelling returns the name of a message for people, and what cancels it. end is nil if
// the message was deleted.
func Cancelling(ctx context.Context, tx pgx.Tx, id uuid.UUID) (name string, end func(context.Context, pgx.Tx) error, err error) {
	n, err := writes.NotificationLock(ctx, tx, id)
	if err != nil {
		return "", nil, db.Absent(err, nil, "looking a message up")
	}
	kind := map[string]string{models.KindSMS: "SMS", models.KindEmail: "email"}[n.Kind]
	return fmt.Sprintf("the %s of %s for %q", kind, n.CreatedAt.UTC().Format("2 January 15:04 UTC"), n.Purpose), func(ctx context.Context, tx pgx.Tx) error {
		return writes.NotificationUpdateFinished(ctx, tx, id, "cancelled", false)
	}, nil
}
