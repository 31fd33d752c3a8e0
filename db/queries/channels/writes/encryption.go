package writes

import (
	"context"

	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/collect"
)

// EncryptionKeyUpsert replaces the key pair of a number. With keep, a
// pair or public key that is already there stays, and replaced is false.
func EncryptionKeyUpsert(ctx context.Context, q db.Querier, k models.EncryptionKey, keep bool) (replaced bool, err error) {
	return collect.Changed(ctx, q, `
		insert into encryption_keys as e (phone_number_id, public_key, private_key) values ($1, $2, $3)
		on conflict (phone_number_id) do update
		set public_key = excluded.public_key, private_key = excluded.private_key, created_at = now()
		where not $4`, k.PhoneNumberID, k.PublicKey, k.PrivateKey, keep)
}
