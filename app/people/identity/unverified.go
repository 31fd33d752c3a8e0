package identity

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/queries/people/writes"
)

// staleBatch is how many registrations are deleted in one transaction.
const staleBatch = 100

// deleteUnverified deletes organisations that were last registered longer than
// age ago, if their code was never entered. Their addresses can be registered
// again.
func deleteUnverified(ctx context.Context, b db.Beginner, age time.Duration) error {
	for {
		forgotten := 0
		err := db.InTx(ctx, b, func(tx pgx.Tx) error {
			ids, err := writes.ApplicantListStale(ctx, tx, age, staleBatch)
			if err != nil {
				return fmt.Errorf("listing unverified registrations: %w", err)
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
			return writes.OrganisationDelete(ctx, tx, ids)
		})
		if err != nil || forgotten < staleBatch {
			return err
		}
	}
}
