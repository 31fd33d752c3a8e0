package setting

import (
	"context"
	"fmt"
	"slices"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/db/queries/operation/writes"
)

// CheckKeys checks that the keyring opens what is sealed in the database. For
// each key the database has a check value, which the first process with the key
// stores. A keyring with another key under the same id, or without a key that is
// still needed, is refused with an error that says what to do.
func CheckKeys(ctx context.Context, q db.Querier, keys *keyring.Keyring) error {
	checks, err := openChecks(ctx, q, keys)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, c := range checks {
		known[c.KeyID] = true
		if !keys.Has(c.KeyID) {
			if err := checkUnused(ctx, q, c.KeyID); err != nil {
				return err
			}
		}
	}
	if len(checks) == 0 { // values may be older than check values
		ids, err := queries.SealedKeyIDs(ctx, q)
		if err != nil {
			return fmt.Errorf("listing the keys of sealed values: %w", err)
		}
		for _, id := range ids {
			if !keys.Has(id) {
				return missingKey(id)
			}
		}
	}
	fresh := slices.DeleteFunc(keys.IDs(), func(id string) bool { return known[id] })
	for _, id := range fresh {
		if err := checkSamples(ctx, q, keys, id); err != nil {
			return err
		}
	}
	for _, id := range fresh {
		if err := storeCheck(ctx, q, keys, id); err != nil {
			return err
		}
	}
	_, err = openChecks(ctx, q, keys) // another process may have stored its own
	return err
}

// OpensChecks reports whether the keyring opens the check values of its keys. A
// database that does not answer is an error.
func OpensChecks(ctx context.Context, q db.Querier, keys *keyring.Keyring) (bool, error) {
	_, err := openChecks(ctx, q, keys)
	if fault.Is(err, fault.Conflict) {
		return false, nil
	}
	return err == nil, err
}

// openChecks opens the check values of the keyring's keys and returns all.
func openChecks(ctx context.Context, q db.Querier, keys *keyring.Keyring) ([]models.KeyCheck, error) {
	checks, err := queries.KeyCheckList(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("reading the check values of keys: %w", err)
	}
	for _, c := range checks {
		if !keys.Has(c.KeyID) {
			continue
		}
		if _, err := keys.Open(c.Sealed, checkPlace(c.KeyID)); err != nil {
			return nil, wrongKey(c.KeyID)
		}
	}
	return checks, nil
}

// checkUnused checks that no value is sealed with a key that was removed.
func checkUnused(ctx context.Context, q db.Querier, id string) error {
	for _, c := range queries.SealedColumns {
		sample, err := queries.SealedListOfKey(ctx, q, c, keyring.Prefix(id))
		if err != nil {
			return fmt.Errorf("looking for sealed values of %s: %w", c.Table, err)
		}
		if len(sample) > 0 {
			return missingKey(id)
		}
	}
	return nil
}

// checkSamples checks that a key opens samples of what is sealed under its id.
// One damaged value does not decide.
func checkSamples(ctx context.Context, q db.Querier, keys *keyring.Keyring, id string) error {
	opened, failed := 0, 0
	for _, c := range queries.SealedColumns {
		sample, err := queries.SealedListOfKey(ctx, q, c, keyring.Prefix(id))
		if err != nil {
			return fmt.Errorf("looking for sealed values of %s: %w", c.Table, err)
		}
		for _, v := range sample {
			if _, err := keys.Open(v.Sealed, keyring.Place(c.Table, c.Column, v.Row)); err != nil {
				failed++
			} else {
				opened++
			}
		}
	}
	if failed > opened {
		return wrongKey(id)
	}
	return nil
}

func storeCheck(ctx context.Context, q db.Querier, keys *keyring.Keyring, id string) error {
	sealed, err := keys.SealWith(id, []byte("check"), checkPlace(id))
	if err != nil {
		return err
	}
	if err := writes.KeyCheckInsert(ctx, q, models.KeyCheck{KeyID: id, Sealed: sealed}); err != nil {
		return fmt.Errorf("storing the check value of a key: %w", err)
	}
	return nil
}

func checkPlace(id string) string { return keyring.Place("key_checks", "sealed", id) }

func wrongKey(id string) error {
	return fault.New(fault.Conflict, "ENCRYPTION_KEYS has another key %q than the one that sealed what is stored. Set the key that this database was used with; it is kept apart from backups.", id)
}

func missingKey(id string) error {
	return fault.New(fault.Conflict, "ENCRYPTION_KEYS lacks the key %q, which sealed values that are still stored. Add it behind the first key until the daily job has sealed them with the first.", id)
}
