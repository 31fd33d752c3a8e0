// Package registry keeps the ids of what the channel's operations name: businesses,
// accounts, numbers, catalogues, products, templates and media share one register. It
// also knows which of them live at an upstream, and notes what was changed of them.
package registry

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"strconv"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// ParseID parses a registry id: 15 or 16 digits, the first not zero.
func ParseID(id string) (int64, bool) {
	n, err := strconv.ParseInt(id, 10, 64)
	return n, err == nil && len(id) >= 15 && len(id) <= 16 && id[0] >= '1' && id[0] <= '9'
}

// Kind returns the kind of the asset with the id: business, business_account,
// phone_number, catalogue, template or media. An unknown id is NotFound, and so
// is media or a template of another organisation. Any other asset of another
// organisation is Forbidden.
func Kind(ctx context.Context, q db.Querier, organisationID int64, id string) (string, error) {
	n, ok := ParseID(id)
	if !ok {
		return "", refusal.NotFound(id)
	}
	kind, owner, err := queries.RegistryGet(ctx, q, n)
	switch {
	case db.IsNoRows(err):
		return "", refusal.NotFound(id)
	case err != nil:
		return "", fmt.Errorf("looking an id up: %w", err)
	case owner == organisationID:
		return kind, nil
	case kind == "media" || kind == "template":
		return "", refusal.NotFound(id) // do not reveal whether it exists
	}
	return "", refusal.New(refusal.Permission, "", "object %s belongs to another organisation", id)
}

// Owned parses the id of an asset. The asset must be of the kind and
// belong to the organisation.
func Owned(ctx context.Context, q db.Querier, organisationID int64, id, kind string) (int64, error) {
	is, err := Kind(ctx, q, organisationID, id)
	if err != nil {
		return 0, err
	}
	if is != kind {
		return 0, refusal.NotFound(id)
	}
	n, _ := ParseID(id)
	return n, nil
}

var (
	lowestID = big.NewInt(1_000_000_000_000_000)
	idSpan   = big.NewInt(9_000_000_000_000_000)
)

// newID returns a random registry id of 16 digits. The first is never
// zero.
func newID() int64 {
	n, err := rand.Int(rand.Reader, idSpan)
	if err != nil {
		panic(err) // the system's randomness does not fail
	}
	return n.Add(n, lowestID).Int64()
}

// Add registers a new asset under a free id.
func Add(ctx context.Context, tx pgx.Tx, kind string, organisationID int64) (id int64, err error) {
	err = InsertUnique("registry_pkey", func() error {
		id = newID()
		return db.InTx(ctx, tx, func(tx pgx.Tx) error { return writes.RegistryInsert(ctx, tx, id, kind, organisationID) })
	})
	if err != nil {
		return 0, fmt.Errorf("registering a %s: %w", kind, err)
	}
	return id, nil
}

// AddMany registers n new assets of one kind under free ids.
func AddMany(ctx context.Context, tx pgx.Tx, kind string, organisationID int64, n int) ([]int64, error) {
	ids := make([]int64, n)
	err := InsertUnique("registry_pkey", func() error {
		for i := range ids {
			ids[i] = newID()
		}
		return db.InTx(ctx, tx, func(tx pgx.Tx) error { return writes.RegistryInsertMany(ctx, tx, ids, kind, organisationID) })
	})
	if err != nil {
		return nil, fmt.Errorf("registering %d of %s: %w", n, kind, err)
	}
	return ids, nil
}

// InsertUnique retries the insert of a random value while it violates the unique
// constraint, at most five times.
func InsertUnique(constraint string, insert func() error) error {
	for range 5 {
		err := insert()
		if !db.IsUniqueViolation(err, constraint) {
			return err
		}
	}
	return fmt.Errorf("five drawn values in a row were taken (%s)", constraint)
}
