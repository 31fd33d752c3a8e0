package setting

import (
	"context"
	"fmt"

	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/queries"
)

// resealBatch bounds how much is read at once.
const resealBatch = 200

// Reseal seals anew, with the first key, everything in the database that was
// sealed with another one; a key may leave the keyring after that. It returns
// how many values it sealed. What does not open is left as it is and counted in
// the error.
func Reseal(ctx context.Context, q db.Querier, keys *keyring.Keyring) (resealed int, err error) {
	stuck := 0
	for _, c := range queries.SealedColumns {
		for after := ""; ; {
			values, err := queries.SealedList(ctx, q, c, queries.SealedPage{First: keys.First(), After: after, Limit: resealBatch})
			if err != nil {
				return resealed, fmt.Errorf("listing what is sealed in %s: %w", c.Table, err)
			}
			for _, v := range values {
				after = v.Row
				place := keyring.Place(c.Table, c.Column, v.Row)
				plain, err := keys.Open(v.Sealed, place)
				if err != nil {
					stuck++
					continue
				}
				if err := queries.SealedUpdate(ctx, q, c, v, keys.Seal(plain, place)); err != nil {
					return resealed, fmt.Errorf("sealing %s anew: %w", c.Table, err)
				}
				resealed++
			}
			if len(values) < resealBatch {
				break
			}
		}
	}
	if stuck > 0 {
		return resealed, fmt.Errorf("%d sealed values do not open: their key is missing from ENCRYPTION_KEYS", stuck)
	}
	return resealed, nil
}
