package queries

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// SealedColumns are all columns of sealed values.
var SealedColumns = []models.SealedColumn{
	{Table: "carriers", Column: "secret", Row: "name"},
	{Table: "encryption_keys", Column: "private_key", Row: "phone_number_id::text"},
	{Table: "notifications", Column: "body", Row: "id::text"},
	{Table: "notifications", Column: "html", Row: "id::text"},
	{Table: "phone_numbers", Column: "webhook_secret", Row: "id::text"},
	{Table: "phone_numbers", Column: "previous_webhook_secret", Row: "id::text"},
	{Table: "setting_secrets", Column: "sealed", Row: "name"},
	{Table: "webhook_range_requests", Column: "content", Row: "id::text"},
	{Table: "webhook_ranges", Column: "token", Row: "organisation_id::text"},
	{Table: "webhooks", Column: "headers", Row: "channel || '/' || subject"},
	{Table: "webhooks", Column: "secret", Row: "channel || '/' || subject", Shared: "case channel when 'sms' then 'sms of ' || organisation_id else channel || '/' || subject end"},
	{Table: "webhooks", Column: "previous_secret", Row: "channel || '/' || subject"},
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
	return collect.Many[models.SealedValue](ctx, q, fmt.Sprintf(`
		select %[2]s as row, %[4]s as shared, %[1]s as sealed from %[3]s
		where %[1]s is not null and octet_length(%[1]s) > 0 and not starts_with(encode(%[1]s, 'escape'), $1) and %[2]s > $2
		order by 1 limit $3`, c.Column, c.Row, c.Table, cmp.Or(c.Shared, c.Row)), p.First, p.After, p.Limit)
}

// SealedListOfKey returns up to three values of a column that begin with a
// prefix, which names the key.
func SealedListOfKey(ctx context.Context, q db.Querier, c models.SealedColumn, prefix string) ([]models.SealedValue, error) {
	return collect.Many[models.SealedValue](ctx, q, fmt.Sprintf(`
		select %[2]s as row, %[4]s as shared, %[1]s as sealed from %[3]s
		where %[1]s is not null and substring(%[1]s for octet_length($1::bytea)) = $1::bytea limit 3`, c.Column, c.Row, c.Table, cmp.Or(c.Shared, c.Row)), []byte(prefix))
}

// SealedKeyIDs returns the ids of the keys that stored values are sealed with.
func SealedKeyIDs(ctx context.Context, q db.Querier) ([]string, error) {
	var ids []string
	for _, c := range SealedColumns {
		found, err := collect.Values[string](ctx, q, fmt.Sprintf(`
			select distinct split_part(encode(substring(%[1]s for 200), 'escape'), ':', 2) from %[2]s where octet_length(%[1]s) > 0`, c.Column, c.Table))
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}

// KeyCheckList returns the check values of all keys that were ever used.
func KeyCheckList(ctx context.Context, q db.Querier) ([]models.KeyCheck, error) {
	return collect.Many[models.KeyCheck](ctx, q, `select key_id, sealed from key_checks order by key_id`)
}
