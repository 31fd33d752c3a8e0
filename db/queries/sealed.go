package queries

import (
	"context"
	"fmt"

	"heliograph/db"
	"heliograph/db/models"
)

// SealedColumns are all columns whose values are sealed.
var SealedColumns = []models.SealedColumn{
	{Table: "carriers", Column: "secret", Row: "name"},
	{Table: "encryption_keys", Column: "private_key", Row: "phone_number_id::text"},
	{Table: "notifications", Column: "body", Row: "id::text"},
	{Table: "phone_numbers", Column: "webhook_secret", Row: "id::text"},
	{Table: "phone_numbers", Column: "previous_webhook_secret", Row: "id::text"},
	{Table: "setting_secrets", Column: "sealed", Row: "name"},
	{Table: "webhooks", Column: "headers", Row: "channel || '/' || subject"},
	{Table: "webhooks", Column: "secret", Row: "channel || '/' || subject"},
}

// SealedPage asks for at most Limit values that do not begin with First, behind
// the row After.
type SealedPage struct {
	First, After string
	Limit        int
}

// SealedList returns a page of the values of a column in the order of their
// rows.
func SealedList(ctx context.Context, q db.Querier, c models.SealedColumn, p SealedPage) ([]models.SealedValue, error) {
	return many[models.SealedValue](ctx, q, fmt.Sprintf(`
		select %[2]s as row, %[1]s as sealed from %[3]s
		where %[1]s is not null and octet_length(%[1]s) > 0 and not starts_with(encode(%[1]s, 'escape'), $1) and %[2]s > $2
		order by 1 limit $3`, c.Column, c.Row, c.Table), p.First, p.After, p.Limit)
}

// SealedUpdate replaces a value that nobody has changed since it was read.
func SealedUpdate(ctx context.Context, q db.Querier, c models.SealedColumn, old models.SealedValue, sealed []byte) error {
	_, err := q.Exec(ctx, fmt.Sprintf(`update %[3]s set %[1]s = $1 where %[2]s = $2 and %[1]s = $3`, c.Column, c.Row, c.Table), sealed, old.Row, old.Sealed)
	return err
}
