package queries

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// EncryptionKeyGet returns the key pair of a number.
func EncryptionKeyGet(ctx context.Context, q db.Querier, phoneNumberID int64) (models.EncryptionKey, error) {
	return collect.One[models.EncryptionKey](ctx, q, `select phone_number_id, public_key, private_key from encryption_keys where phone_number_id = $1`, phoneNumberID)
}
