package identity

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/audit"
	"heliograph/db"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// ReviewEmails reports whether an administrator receives emails about reviews.
func (d *Directory) ReviewEmails(ctx context.Context, user *User) (bool, error) {
	on, err := queries.AdminUserReviewEmails(ctx, d.db, user.ID)
	if err != nil {
		return false, fmt.Errorf("reading the setting of emails about reviews: %w", err)
	}
	return on, nil
}

// SetReviewEmails sets whether an administrator receives emails about reviews.
func (d *Directory) SetReviewEmails(ctx context.Context, user *User, on bool) error {
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		changed, err := writes.AdminUserUpdateReviewEmails(ctx, tx, user.ID, on)
		if err != nil {
			return fmt.Errorf("setting emails about reviews: %w", err)
		}
		if !changed {
			return nil
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: user.Actor(), Action: "admin.review_emails", Target: user.Actor(),
			Details: audit.Changes(map[string]any{"review_emails": !on}, map[string]any{"review_emails": on}),
		})
	})
}
