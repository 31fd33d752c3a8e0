package setting

import (
	"context"
	"fmt"

	"heliograph/app/keyring"
	"heliograph/db"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

// resealBatch is how many values are read at once.
const resealBatch = 200

// Reseal re-encrypts with the first key all values in the database that were
// encrypted with another key. After that the other keys can be removed from the
// keyring. It returns the number of re-encrypted values. Values that cannot be
// decrypted are left unchanged and counted in the error.
func Reseal(ctx context.Context, q db.Querier, keys *keyring.Keyring) (resealed int, err error) {
	stuck := 0
	for _, c := range queries.SealedColumns {
		for after := ""; ; {
			values, err := queries.SealedList(ctx, q, c, queries.SealedPage{First: keys.CurrentPrefix(), After: after, Limit: resealBatch})
			if err != nil {
				return resealed, fmt.Errorf("listing the sealed values of %s: %w", c.Table, err)
			}
			for _, v := range values {
				after = v.Row
				place := keyring.Place(c.Table, c.Column, v.Row)
				plain, err := keys.Open(v.Sealed, place)
				if err != nil {
					stuck++
					continue
				}
				if err := writes.SealedUpdate(ctx, q, c, v, keys.Seal(plain, place)); err != nil {
					return resealed, fmt.Errorf("re-encrypting %s: %w", c.Table, err)
				}
				resealed++
			}
			if len(values) < resealBatch {
				break
			}
		}
	}
	if stuck > 0 {
		return resealed, fmt.Errorf("%d sealed values cannot be decrypted: their key is missing from ENCRYPTION_KEYS", stuck)
	}
	return resealed, nil
}
