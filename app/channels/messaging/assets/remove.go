package assets

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Find returns a number, an account or a catalogue of an organisation, and what
// depends on it. One that was removed is NotFound.
func (a *Service) Find(ctx context.Context, organisationID, id int64) (asset models.Asset, uses models.AssetUses, err error) {
	err = db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		asset, uses, err = findAsset(ctx, tx, organisationID, id)
		return err
	})
	return asset, uses, err
}

func findAsset(ctx context.Context, tx pgx.Tx, organisationID, id int64) (asset models.Asset, uses models.AssetUses, err error) {
	asset, err = queries.AssetGet(ctx, tx, organisationID, id)
	if db.IsNoRows(err) {
		return asset, uses, fault.New(fault.NotFound, "The organisation has no number, account or catalogue with this id.")
	}
	if err == nil {
		switch asset.Kind {
		case "phone_number":
			uses, err = queries.PhoneNumberUsesGet(ctx, tx, organisationID, id)
		case "business_account":
			uses, err = queries.AccountUsesGet(ctx, tx, id)
		default:
			uses, err = queries.CatalogueUsesGet(ctx, tx, id)
		}
	}
	if err != nil {
		return asset, uses, fmt.Errorf("looking asset %d up: %w", id, err)
	}
	return asset, uses, nil
}

// Remove removes a number, an account or a catalogue of an organisation. Nothing can
// be sent from the number any more: what it accepted and has not handed over fails
// with its callback, and what its carrier has goes on to be reported. An account
// loses its templates and shares; one that has numbers is a Conflict. A catalogue is
// deleted with its products.
func (a *Service) Remove(ctx context.Context, by By, id int64) (asset models.Asset, err error) {
	err = db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		if _, err := writes.AssetOwnerLock(ctx, tx, by.OrganisationID); err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("locking organisation %d: %w", by.OrganisationID, err)
		}
		var uses models.AssetUses
		if asset, uses, err = findAsset(ctx, tx, by.OrganisationID, id); err != nil {
			return err
		}
		remove := map[string]func(context.Context, db.Querier, int64) error{
			"phone_number": writes.PhoneNumberUpdateRemoved, "business_account": writes.AccountUpdateRemoved, "catalogue": writes.CatalogueDelete,
		}[asset.Kind]
		if uses.Numbers > 0 {
			return fault.New(fault.Conflict, "The account %s has phone numbers. Remove them first.", asset.Name)
		}
		if err := remove(ctx, tx, id); err != nil {
			return fmt.Errorf("removing %s %d: %w", asset.Kind, id, err)
		}
		return by.record(ctx, tx, asset.Kind+".remove", map[string]any{"id": id, "name": asset.Name, "messages": uses.Messages, "templates": uses.Templates, "products": uses.Products})
	})
	return asset, err
}
