package messaging

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/refusal"
	"heliograph/app/channels/messaging/registry"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// FlowKeys manages the keys that encrypt the answers of flows.
type FlowKeys struct {
	request.Names
	pool    *pgxpool.Pool
	keyring *keyring.Keyring
	jobs    args.Inserter
}

const keyBits = 2048

// SetKey sets the key pair of a number. If publicKey (PEM) is not empty, only
// that is stored. Otherwise a pair is generated. Without replace it never
// replaces a pair or a partner's public key, so that a retry is safe.
func (s *FlowKeys) SetKey(ctx context.Context, number models.PhoneNumber, publicKey string, replace bool, actor string) error {
	key := models.EncryptionKey{PhoneNumberID: number.ID, PublicKey: publicKey}
	if publicKey != "" {
		if err := checkPublicKey(publicKey); err != nil {
			return err
		}
	} else if err := s.generateKey(&key); err != nil {
		return err
	}
	return db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		replaced, err := writes.EncryptionKeyUpsert(ctx, tx, key, publicKey == "" && !replace)
		if err != nil {
			return fmt.Errorf("keeping the key pair of %d: %w", number.ID, err)
		}
		if !replaced {
			return nil
		}
		if err := registry.Change(ctx, tx, s.jobs, registry.EncryptionKey, number.ID, ""); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "encryption_key.set", Target: "phone_number:" + strconv.FormatInt(number.ID, 10)})
	})
}

// generateKey generates an RSA key pair. The private key is stored as PKCS #8
// (RFC 5958), encrypted.
func (s *FlowKeys) generateKey(key *models.EncryptionKey) error {
	pair, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return fmt.Errorf("making a key pair: %w", err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(pair)
	if err != nil {
		return fmt.Errorf("writing the private key: %w", err)
	}
	public, err := x509.MarshalPKIXPublicKey(&pair.PublicKey)
	if err != nil {
		return fmt.Errorf("writing the public key: %w", err)
	}
	key.PublicKey = string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}))
	key.PrivateKey = s.keyring.Seal(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), keyPlace(key.PhoneNumberID))
	return nil
}

func checkPublicKey(text string) error {
	refuse := func() error {
		return refusal.New(refusal.Invalid, "business_public_key", "business_public_key must be a %d-bit RSA public key in PEM format", keyBits)
	}
	block, _ := pem.Decode([]byte(text))
	if block == nil || len(text) > 8192 {
		return refuse()
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return refuse()
	}
	if key, ok := parsed.(*rsa.PublicKey); !ok || key.N.BitLen() != keyBits {
		return refuse()
	}
	return nil
}

// PrivateKey returns the stored private key of a number as PEM. The audit
// records the read before the key is returned.
func (s *FlowKeys) PrivateKey(ctx context.Context, number models.PhoneNumber, actor string) (string, error) {
	var plain []byte
	err := db.InTx(ctx, s.pool, func(tx pgx.Tx) error {
		key, err := queries.EncryptionKeyGet(ctx, tx, number.ID)
		if err != nil && !db.IsNoRows(err) {
			return fmt.Errorf("reading the key pair of %d: %w", number.ID, err)
		}
		if key.PrivateKey == nil {
			return &fault.Error{Kind: fault.NotFound, Code: strconv.Itoa(refusal.Object), Message: "Private key does not exist",
				Fields: []fault.Field{{Message: "create a key pair with set_" + s.Names[0] + "_business_encryption first"}}}
		}
		if plain, err = s.keyring.Open(key.PrivateKey, keyPlace(number.ID)); err != nil {
			return fmt.Errorf("opening the private key of %d: %w", number.ID, err)
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "encryption_key.read", Target: "phone_number:" + strconv.FormatInt(number.ID, 10)})
	})
	return string(plain), err
}

// PublicKey is the public key of a number.
type PublicKey struct {
	PEM string // empty if the number has none
	// Signature is VALID, or MISMATCH while the upstream of the number has another key or
	// refuses this one.
	Signature string
}

// PublicKey returns the public key of a number.
func (s *FlowKeys) PublicKey(ctx context.Context, number models.PhoneNumber) (k PublicKey, err error) {
	key, err := queries.EncryptionKeyGet(ctx, s.pool, number.ID)
	if err != nil && !db.IsNoRows(err) {
		return k, fmt.Errorf("reading the public key of %d: %w", number.ID, err)
	}
	k = PublicKey{PEM: key.PublicKey, Signature: "VALID"}
	there, err := queries.UpstreamAssetGet(ctx, s.pool, registry.EncryptionKey, number.ID, "")
	if err != nil {
		return k, db.Absent(err, nil, "looking the key of %d up at its carrier", number.ID)
	}
	if there.Waits() || there.Error != "" || there.State != "" && there.State != k.Signature {
		k.Signature = "MISMATCH"
	}
	return k, nil
}

func keyPlace(phoneNumberID int64) string {
	return keyring.Place("encryption_keys", "private_key", phoneNumberID)
}
