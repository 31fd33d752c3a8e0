package writes

import (
	"context"
	"time"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/collect"
)

// OrderInsert opens an order; opened is false when its number used the
// reference under the same payment configuration before.
func OrderInsert(ctx context.Context, q db.Querier, o models.Order) (opened bool, err error) {
	return collect.Changed(ctx, q, `
		insert into orders (message_id, phone_number_id, payment_configuration, reference_id, recipient, payment_type, currency, amount, amount_offset, expires_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		on conflict (phone_number_id, payment_configuration, reference_id) do nothing`,
		o.MessageID, o.PhoneNumberID, o.Configuration, o.Reference, o.Recipient, o.PaymentType, o.Currency, o.Amount, o.Offset, o.ExpiresAt)
}

// OrderLockLatest returns the newest order that a number sent to a recipient
// under a reference, and keeps it from changing until the transaction ends.
func OrderLockLatest(ctx context.Context, q db.Querier, organisationID, phoneNumberID int64, recipient, reference string) (models.Order, error) {
	return collect.One[models.Order](ctx, q, `
		select `+queries.OrderColumns+` from orders where phone_number_id = $3 and recipient in `+queries.IdentitiesOf+` and reference_id = $4
		order by message_id desc limit 1 for update`, organisationID, recipient, phoneNumberID, reference)
}

// OrderUpdateStatus sets how far an order and its payment are.
func OrderUpdateStatus(ctx context.Context, q db.Querier, messageID uuid.UUID, status, payment string) error {
	return collect.Execute(ctx, q, `update orders set status = $2, payment_status = $3 where message_id = $1`, messageID, status, payment)
}

// OrderUpdatePayment moves the payment of an order from one of the from states
// and returns the order; from any other state it stays as it is, and so it does
// when an attempt would begin after the order expired: pgx.ErrNoRows.
func OrderUpdatePayment(ctx context.Context, q db.Querier, messageID uuid.UUID, to string, from []string) (models.Order, error) {
	return collect.One[models.Order](ctx, q, `
		update orders set payment_status = $2
		where message_id = $1 and payment_status = any($3) and ($2 <> 'PENDING' or expires_at is null or expires_at > now())
		returning `+queries.OrderColumns, messageID, to, from)
}

// TransactionInsert begins an attempt to pay an order.
func TransactionInsert(ctx context.Context, q db.Querier, orderID uuid.UUID, id string, at time.Time) (models.Transaction, error) {
	return collect.One[models.Transaction](ctx, q, `
		insert into payment_transactions (order_id, number, id, created_at, updated_at)
		select $1, coalesce(max(number), 0) + 1, $2, $3, $3 from payment_transactions where order_id = $1
		returning id, status, created_at, updated_at`, orderID, id, at)
}

// TransactionUpdatePending ends the attempt to pay an order that is under way.
func TransactionUpdatePending(ctx context.Context, q db.Querier, orderID uuid.UUID, status string, at time.Time) (models.Transaction, error) {
	return collect.One[models.Transaction](ctx, q, `
		update payment_transactions set status = $2, updated_at = $3 where order_id = $1 and status = 'pending'
		returning id, status, created_at, updated_at`, orderID, status, at)
}
