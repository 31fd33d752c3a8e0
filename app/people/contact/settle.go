package contact

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/queries/errands"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
	"heliograph/jobs/args"
)

// settleBatch is how many deliveries one transaction settles.
const settleBatch = 200

// Settle stores how emails about enquiries ended, queues emails that waited for a
// recipient, and gives webhooks another job when theirs was lost. It returns how many it
// queued.
func (s *Service) Settle(ctx context.Context) (queued int, err error) {
	if _, err := writes.ContactDeliverySettleEmails(ctx, s.DB); err != nil {
		return 0, fmt.Errorf("settling the emails of enquiries: %w", err)
	}
	settings, err := s.Settings.Saved().Email(ctx)
	if err != nil {
		return 0, err
	}
	err = db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		if err := errands.SettleLock(ctx, tx); err != nil {
			return err
		}
		if settings.Contact != "" {
			waiting, err := writes.ContactDeliveryListWaiting(ctx, tx, settleBatch)
			if err != nil {
				return err
			}
			queued += len(waiting)
			for _, id := range waiting {
				e, err := queries.EnquiryGet(ctx, tx, id)
				if err != nil {
					return err
				}
				if err := s.queueEmail(ctx, tx, e); err != nil {
					return err
				}
			}
		}
		stranded, err := writes.ContactDeliveryListStranded(ctx, tx, settleBatch)
		queued += len(stranded)
		for _, id := range stranded {
			if _, err := s.Jobs.InsertTx(ctx, tx, args.DeliverContact{EnquiryID: id}, nil); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("settling enquiries: %w", err)
	}
	return queued, nil
}

// keepClients is how long the hash of an address is kept.
const keepClients = 30 * 24 * time.Hour

// Sweep deletes what the settings say is no longer kept, and records how much in
// the audit.
func (s *Service) Sweep(ctx context.Context) error {
	v, err := s.Settings.Contact(ctx)
	if err != nil {
		return err
	}
	now := time.Now()
	if err := writes.ContactStampDelete(ctx, s.DB); err != nil {
		return fmt.Errorf("deleting stamps of forms: %w", err)
	}
	if err := writes.EnquiryForgetClients(ctx, s.DB, now.Add(-keepClients)); err != nil {
		return fmt.Errorf("deleting hashes of addresses: %w", err)
	}
	return db.InTx(ctx, s.DB, func(tx pgx.Tx) error {
		deleted := int64(0)
		for spam, days := range map[bool]int{true: v.KeepSpamDays, false: v.KeepDays} {
			n, err := writes.EnquiryDeleteOld(ctx, tx, now.AddDate(0, 0, -days), spam)
			if err != nil {
				return fmt.Errorf("deleting old enquiries: %w", err)
			}
			deleted += n
		}
		if deleted == 0 {
			return nil
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: systemActor, Action: "enquiry.expire", Target: "enquiries", Details: map[string]any{"deleted": deleted}})
	})
}
