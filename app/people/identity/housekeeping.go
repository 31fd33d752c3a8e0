package identity

import (
	"context"
	"time"

	"heliograph/app/operation/retention"
	"heliograph/db"
	"heliograph/db/queries/people/writes"
)

// keepInvitations is how long an expired invitation stays in the list of its organisation.
const keepInvitations = 30 * 24 * time.Hour

// Housekeeping lists the tasks that delete what accounts no longer need. keepUnverified
// is how long a registration is kept if its code was never entered; zero keeps it for
// good.
func Housekeeping(b db.Beginner, keepUnverified time.Duration) []retention.Task {
	return []retention.Task{
		{What: "deleting links of administrators", Do: func(ctx context.Context) error { return writes.AdminLinkDelete(ctx, b) }},
		{What: "deleting links of users", Do: func(ctx context.Context) error { return writes.UserLinkDelete(ctx, b) }},
		{What: "deleting challenges", Do: func(ctx context.Context) error { return writes.OTPChallengeDelete(ctx, b) }},
		{What: "deleting sessions", Do: func(ctx context.Context) error {
			_, err := writes.SessionDelete(ctx, b)
			return err
		}},
		{What: "deleting invitations", Do: func(ctx context.Context) error { return writes.InvitationDeleteExpired(ctx, b, keepInvitations) }},
		{What: "deleting blocks of numbers", Do: func(ctx context.Context) error { return writes.OTPBlockDelete(ctx, b) }},
		{What: "deleting registrations without a code", Do: func(ctx context.Context) error {
			if keepUnverified <= 0 {
				return nil
			}
			return deleteUnverified(ctx, b, keepUnverified)
		}},
	}
}
