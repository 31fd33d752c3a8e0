package assets

import (
	"context"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/registry"
	"heliograph/app/keyring"
	"heliograph/db/models"
)

// Sandbox holds the assets that a new organisation can send with at once.
type Sandbox struct {
	BusinessID        int64
	BusinessAccountID int64
	PhoneNumberID     int64
	PhoneNumber       string // E.164
	CatalogueID       int64
	WebhookSecret     string // signs callbacks; stored encrypted
}

// NewSandbox creates a business with an account, a phone number and a catalogue for an
// organisation, in the caller's transaction.
func NewSandbox(ctx context.Context, tx pgx.Tx, k *keyring.Keyring, organisationID int64, name string) (Sandbox, error) {
	s := Sandbox{WebhookSecret: keyring.NewWebhookSecret()}
	owner := assetOwner{AssetOwner: models.AssetOwner{OrganisationID: organisationID, Name: name, Sandbox: true}}
	var err error
	if owner.BusinessID, err = ensureBusiness(ctx, tx, owner.AssetOwner); err != nil {
		return s, err
	}
	s.BusinessID = owner.BusinessID
	if s.BusinessAccountID, err = addAccount(ctx, tx, owner, name); err != nil {
		return s, err
	}
	if s.CatalogueID, err = addCatalogue(ctx, tx, owner, name); err != nil {
		return s, err
	}
	if s.PhoneNumberID, err = registry.Add(ctx, tx, "phone_number", organisationID); err != nil {
		return s, err
	}
	sealed := k.Seal([]byte(s.WebhookSecret), SecretPlace(s.PhoneNumberID))
	s.PhoneNumber, err = addSandboxNumber(ctx, tx, models.PhoneNumber{
		ID: s.PhoneNumberID, BusinessAccountID: s.BusinessAccountID, VerifiedName: name, WebhookSecret: sealed,
	})
	return s, err
}
