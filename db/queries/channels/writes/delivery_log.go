package writes

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/db/queries/collect"
)

// DeliveryReplay makes a finished callback of an organisation due once more,
// and returns its webhook. No row comes back when there is none, it is not
// finished, or its webhook takes nothing.
func DeliveryReplay(ctx context.Context, tx pgx.Tx, organisationID, id int64) (int64, error) {
	return collect.Value[int64](ctx, tx, `
		update deliveries d set state = 'pending', attempts_before = attempts, next_attempt_at = now(), finished_at = null
		from webhooks w
		where d.id = $1 and d.organisation_id = $2 and d.state <> 'pending' and d.body <> '' and w.id = d.webhook_id and w.url <> '' and w.disabled_at is null
		returning d.webhook_id`, id, organisationID)
}
