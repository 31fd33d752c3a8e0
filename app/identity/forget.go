package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/audit"
	"heliograph/db"
	"heliograph/db/queries"
)

// staleBatch is how many registrations are forgotten in one transaction.
const staleBatch = 100

// ForgetUnverified deletes the organisations that were registered, or registered
// again, longer ago than age and whose code was never entered. Their addresses
// can be registered by anybody then, as before.
func ForgetUnverified(ctx context.Context, b db.Beginner, age time.Duration) error {
	for {
		forgotten := 0
		err := db.InTx(ctx, b, func(tx pgx.Tx) error {
			ids, err := queries.ApplicantListStale(ctx, tx, age, staleBatch)
			if err != nil {
				return fmt.Errorf("finding registrations to forget: %w", err)
			}
			for _, id := range ids {
				err := audit.Record(ctx, tx, audit.Entry{
					Actor: "system", Action: "organisation.forget", Target: OrganisationActor(id), Details: map[string]any{"reason": "its code was never entered"},
				})
				if err != nil {
					return err
				}
			}
			forgotten = len(ids)
			return queries.OrganisationDelete(ctx, tx, ids)
		})
		if err != nil || forgotten < staleBatch {
			return err
		}
	}
}
