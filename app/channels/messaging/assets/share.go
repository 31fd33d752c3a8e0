package assets

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Share shares an account of an organisation with the business of another one,
// which then finds it among its client accounts. Sharing gives nothing else away.
func (a *Service) Share(ctx context.Context, by By, accountID int64, businessID string) error {
	business, err := strconv.ParseInt(strings.TrimSpace(businessID), 10, 64)
	if err != nil {
		return invalid("business", "Enter the id of a business: 15 or 16 digits.")
	}
	return db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		if _, err := writes.AssetOwnerLock(ctx, tx, by.OrganisationID); err != nil {
			return fmt.Errorf("locking organisation %d: %w", by.OrganisationID, err)
		}
		account, err := queries.AccountIDGetOwned(ctx, tx, by.OrganisationID, accountID)
		if err != nil {
			return db.Absent(err, invalid("account", "Choose an account of your organisation."), "looking account %d up", accountID)
		}
		kind, owner, err := queries.RegistryGet(ctx, tx, business)
		if db.IsNoRows(err) || err == nil && kind != "business" {
			return invalid("business", "No business has this id.")
		}
		if err != nil {
			return fmt.Errorf("looking business %d up: %w", business, err)
		}
		if owner == by.OrganisationID {
			return invalid("business", "This is your own business. It has the account already.")
		}
		share := models.AccountShare{AccountID: account, BusinessID: business}
		shares, err := writes.AccountShareInsert(ctx, tx, share)
		if err != nil {
			return fmt.Errorf("sharing account %d: %w", account, err)
		}
		if shares > maxShares {
			return fault.New(fault.Conflict, "This account is shared with %d businesses, and cannot be shared with more.", maxShares)
		}
		return by.record(ctx, tx, "business_account.share", share.Details())
	})
}

// Unshare ends the sharing of an account with a business. Either side can end it.
func (a *Service) Unshare(ctx context.Context, by By, share models.AccountShare) error {
	return db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		ended, err := writes.AccountShareDelete(ctx, tx, by.OrganisationID, share)
		if err != nil {
			return fmt.Errorf("ending the sharing of account %d: %w", share.AccountID, err)
		}
		if !ended {
			return fault.New(fault.NotFound, "This account is not shared with this business.")
		}
		return by.record(ctx, tx, "business_account.unshare", share.Details())
	})
}
