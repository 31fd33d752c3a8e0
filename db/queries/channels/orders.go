package queries

import (
	"context"

	"github.com/google/uuid"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// OrderColumns are the columns of orders that a models.Order has.
const OrderColumns = `message_id, phone_number_id, payment_configuration as configuration, reference_id as reference, recipient, payment_type, currency,
	amount, amount_offset as "offset", status, payment_status, expires_at`

// OrderGet returns the order that a message opened.
func OrderGet(ctx context.Context, q db.Querier, messageID uuid.UUID) (models.Order, error) {
	return collect.One[models.Order](ctx, q, `select `+OrderColumns+` from orders where message_id = $1`, messageID)
}

// OrderGetByReference returns an order of a number by its payment
// configuration and reference.
func OrderGetByReference(ctx context.Context, q db.Querier, phoneNumberID int64, configuration, reference string) (models.Order, error) {
	return collect.One[models.Order](ctx, q, `
		select `+OrderColumns+` from orders where phone_number_id = $1 and payment_configuration = $2 and reference_id = $3`,
		phoneNumberID, configuration, reference)
}

// TransactionList returns the attempts to pay an order, oldest first.
func TransactionList(ctx context.Context, q db.Querier, orderID uuid.UUID) ([]models.Transaction, error) {
	return collect.Many[models.Transaction](ctx, q, `
		select id, status, created_at, updated_at from payment_transactions where order_id = $1 order by number`, orderID)
}
