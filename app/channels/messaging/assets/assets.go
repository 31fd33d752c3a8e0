// Package assets manages the accounts, numbers and catalogues of organisations, with what
// people see of a number: its profile and its QR codes.
package assets

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging/registry"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/app/phone"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Limits of what an organisation may have.
const (
	maxAccounts   = 20
	maxNumbers    = 100
	maxCatalogues = 20
	maxShares     = 50 // businesses that an account is shared with
)

// Service manages the business accounts, phone numbers and catalogues of
// organisations, and the sharing of accounts.
type Service struct {
	db      db.Beginner
	keyring *keyring.Keyring
}

// New returns new Assets.
func New(b db.Beginner, k *keyring.Keyring) *Service { return &Service{b, k} }

// By is an organisation and who acts for it.
type By struct {
	OrganisationID int64
	Actor          string // recorded in the audit
}

// NewNumber is a phone number to add.
type NewNumber struct {
	Number       string // with its country code; empty for a sandbox, which has made-up numbers
	VerifiedName string // shown to recipients
	AccountID    int64  // 0 for the oldest account of the organisation
}

// List returns what an organisation has, each kind with the oldest first.
func (a *Service) List(ctx context.Context, organisationID int64) (models.Assets, error) {
	list, err := queries.AssetList(ctx, a.db, organisationID)
	if err != nil {
		return list, fmt.Errorf("listing the assets of %d: %w", organisationID, err)
	}
	return list, nil
}

// AddAccount adds a business account to the business of an organisation, which is
// added with its first asset. It returns the account's id.
func (a *Service) AddAccount(ctx context.Context, by By, name string) (int64, error) {
	return a.add(ctx, by, newAsset{"business_account", name, maxAccounts}, func(tx pgx.Tx, o assetOwner) (int64, error) {
		return addAccount(ctx, tx, o, strings.TrimSpace(name))
	})
}

// AddCatalogue adds an empty catalogue to the business of an organisation, which is
// added with its first asset. It returns the catalogue's id.
func (a *Service) AddCatalogue(ctx context.Context, by By, name string) (int64, error) {
	return a.add(ctx, by, newAsset{"catalogue", name, maxCatalogues}, func(tx pgx.Tx, o assetOwner) (int64, error) {
		return addCatalogue(ctx, tx, o, strings.TrimSpace(name))
	})
}

// AddNumber adds a phone number to an account of an organisation and returns its
// id. Its callbacks are signed with a new secret, which the organisation's own users
// can see.
func (a *Service) AddNumber(ctx context.Context, by By, n NewNumber) (int64, error) {
	return a.add(ctx, by, newAsset{"phone_number", n.VerifiedName, maxNumbers}, func(tx pgx.Tx, o assetOwner) (id int64, err error) {
		account, err := queries.AccountIDGetOwned(ctx, tx, o.OrganisationID, n.AccountID)
		if err != nil {
			absent := invalid("account", "Choose an account of this organisation. Add one first if it has none.")
			return 0, db.Absent(err, absent, "looking an account of %d up", o.OrganisationID)
		}
		if id, err = registry.Add(ctx, tx, "phone_number", o.OrganisationID); err != nil {
			return 0, err
		}
		added := models.PhoneNumber{
			ID: id, BusinessAccountID: account, VerifiedName: strings.TrimSpace(n.VerifiedName),
			WebhookSecret: a.keyring.Seal([]byte(keyring.NewWebhookSecret()), SecretPlace(id)),
		}
		if o.Sandbox {
			if strings.TrimSpace(n.Number) != "" {
				return 0, invalid("number", "Leave this empty. Numbers of sandboxes are made up.")
			}
			_, err = addSandboxNumber(ctx, tx, added)
			return id, err
		}
		number, problem := phone.ParseAny(n.Number)
		if problem != "" {
			return 0, invalid("number", problem)
		}
		added.Number = number
		err = db.InTx(ctx, tx, func(tx pgx.Tx) error { return writes.PhoneNumberInsert(ctx, tx, added) })
		if db.IsUniqueViolation(err, "phone_numbers_number_key") {
			return 0, invalid("number", number+" belongs to an organisation already.")
		}
		return id, err
	})
}

// newAsset is an asset to add, and how many of its kind an organisation may have.
type newAsset struct {
	kind, name string
	limit      int
}

// labels are the kinds of assets in messages.
var labels = map[string]string{"business_account": "accounts", "phone_number": "phone numbers", "catalogue": "catalogues"}

// assetOwner is an organisation with the business that its assets belong to.
type assetOwner struct {
	models.AssetOwner
	BusinessID int64
}

// add adds an asset with insert, one at a time for each organisation, and records it.
func (a *Service) add(ctx context.Context, by By, n newAsset, insert func(tx pgx.Tx, o assetOwner) (int64, error)) (id int64, err error) {
	if length := utf8.RuneCountInString(strings.TrimSpace(n.name)); length == 0 || length > 200 {
		return 0, invalid("name", "Enter a name of at most 200 characters.")
	}
	err = db.InTx(ctx, a.db, func(tx pgx.Tx) error {
		owner, err := writes.AssetOwnerLock(ctx, tx, by.OrganisationID)
		if err != nil {
			return db.Absent(err, fault.New(fault.NotFound, "This organisation does not exist."), "locking organisation %d", by.OrganisationID)
		}
		has, err := queries.RegistryCount(ctx, tx, by.OrganisationID, n.kind)
		if err != nil {
			return fmt.Errorf("counting the %s of %d: %w", labels[n.kind], by.OrganisationID, err)
		}
		if has >= n.limit {
			return fault.New(fault.Conflict, "The organisation has %d %s, and cannot have more.", has, labels[n.kind])
		}
		business, err := ensureBusiness(ctx, tx, owner)
		if err != nil {
			return err
		}
		if id, err = insert(tx, assetOwner{owner, business}); err != nil {
			return err
		}
		return by.record(ctx, tx, n.kind+".add", map[string]any{"id": id, "name": strings.TrimSpace(n.name)})
	})
	return id, err
}

// record records an action on the assets of the organisation in the audit.
func (b By) record(ctx context.Context, tx pgx.Tx, action string, details map[string]any) error {
	return audit.Record(ctx, tx, audit.Entry{Actor: b.Actor, Action: action, Target: fmt.Sprintf("organisation:%d", b.OrganisationID), Details: details})
}

func invalid(field, message string) error {
	return fault.InvalidFields(fault.Field{Name: field, Message: message})
}

// ensureBusiness returns the oldest business of an organisation. Without one it adds
// a business with the organisation's name.
func ensureBusiness(ctx context.Context, tx pgx.Tx, o models.AssetOwner) (int64, error) {
	id, err := queries.BusinessIDGet(ctx, tx, o.OrganisationID)
	if err == nil {
		return id, nil
	}
	if !db.IsNoRows(err) {
		return 0, fmt.Errorf("looking the business of %d up: %w", o.OrganisationID, err)
	}
	if id, err = registry.Add(ctx, tx, "business", o.OrganisationID); err != nil {
		return 0, err
	}
	if err := writes.BusinessInsert(ctx, tx, id, o.OrganisationID, o.Name); err != nil {
		return 0, fmt.Errorf("adding the business: %w", err)
	}
	return id, nil
}

func addAccount(ctx context.Context, tx pgx.Tx, o assetOwner, name string) (int64, error) {
	id, err := registry.Add(ctx, tx, "business_account", o.OrganisationID)
	if err != nil {
		return 0, err
	}
	namespace := strings.ReplaceAll(uuid.NewString(), "-", "_")
	if err := writes.BusinessAccountInsert(ctx, tx, id, o.BusinessID, name, namespace); err != nil {
		return 0, fmt.Errorf("adding the business account: %w", err)
	}
	return id, nil
}

func addCatalogue(ctx context.Context, tx pgx.Tx, o assetOwner, name string) (int64, error) {
	id, err := registry.Add(ctx, tx, "catalogue", o.OrganisationID)
	if err != nil {
		return 0, err
	}
	if err := writes.CatalogueInsert(ctx, tx, id, o.BusinessID, name); err != nil {
		return 0, fmt.Errorf("adding the catalogue: %w", err)
	}
	return id, nil
}

// addSandboxNumber adds a number of the range +91 00, which no operator assigns.
func addSandboxNumber(ctx context.Context, tx pgx.Tx, p models.PhoneNumber) (number string, err error) {
	err = registry.InsertUnique("phone_numbers_number_key", func() error {
		n, err := rand.Int(rand.Reader, big.NewInt(100_000_000))
		if err != nil {
			return fmt.Errorf("drawing a number: %w", err)
		}
		p.Number = fmt.Sprintf("+9100%08d", n)
		return db.InTx(ctx, tx, func(tx pgx.Tx) error { return writes.PhoneNumberInsert(ctx, tx, p) })
	})
	if err != nil {
		return "", fmt.Errorf("adding the phone number: %w", err)
	}
	return p.Number, nil
}

// SecretPlace is where the signing secret of a number is encrypted.
func SecretPlace(phoneNumberID int64) string {
	return keyring.Place("phone_numbers", "webhook_secret", phoneNumberID)
}
