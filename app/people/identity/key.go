package identity

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"math/big"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/people"
	"heliograph/db/queries/people/writes"
)

// An API key is a prefix, 32 random bytes in 43 base62 characters, and the
// CRC-32 of both in six. The prefix shows whether a key belongs to a sandbox,
// which sends messages to nobody. The checksum lets scanners and this server
// recognise a key. The permissions of a key depend on its organisation, not on
// its prefix, so that older keys of sandboxes with the live prefix keep working.
const (
	livePrefix  = "hg_live_"
	testPrefix  = "hg_test_" // of a sandbox
	keyStart    = "hg_"      // of both
	keyBody     = 43
	keyChecksum = 6
	keyLength   = len(livePrefix) + keyBody + keyChecksum
	shownLength = 12
)

// newKey generates a key. Only its hash is stored.
func newKey(prefix string) string {
	raw := make([]byte, 32)
	rand.Read(raw) //nolint:errcheck // never fails: crypto/rand ends the process instead
	body := prefix + base62(new(big.Int).SetBytes(raw), keyBody)
	return body + checksum(body)
}

func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	return base62(new(big.Int).SetUint64(uint64(sum)), keyChecksum)
}

func base62(n *big.Int, width int) string {
	text := n.Text(62)
	return strings.Repeat("0", width-len(text)) + text
}

func isWellFormed(key string) bool {
	if len(key) != keyLength || !strings.HasPrefix(key, livePrefix) && !strings.HasPrefix(key, testPrefix) {
		return false
	}
	body := key[:keyLength-keyChecksum]
	return key[len(body):] == checksum(body)
}

// FindKey returns the first API key in a text, by its form and checksum, or an empty
// text.
func FindKey(text string) string {
	for rest := text; ; {
		i := strings.Index(rest, keyStart)
		if i < 0 || len(rest) < i+keyLength {
			return ""
		}
		if key := rest[i : i+keyLength]; isWellFormed(key) {
			return key
		}
		rest = rest[i+len(keyStart):]
	}
}

// Fingerprint returns the prefix of an API key and its hash, as they are stored. Both
// are empty for a text that is none.
func Fingerprint(key string) (prefix string, hash []byte) {
	if !isWellFormed(key) {
		return "", nil
	}
	sum := hashKey(key)
	return key[:shownLength], sum[:]
}

func hashKey(key string) [sha256.Size]byte { return sha256.Sum256([]byte(key)) }

// CreateKey creates a key for an organisation and returns it. It cannot be shown
// again. n.Channels are the channels that it may be used for, of messaging, sms
// and rcs. An organisation can have two active keys, so that one can be replaced
// while the other is in use. A third is a Conflict.
func (d *Directory) CreateKey(ctx context.Context, organisationID int64, n KeyRequest, actor string) (key string, err error) {
	if problem := n.problem(); problem != nil {
		return "", problem
	}
	full := fault.New(fault.Conflict, "Two keys are already active. Revoke one before you create another.")
	if n.First {
		full = fault.New(fault.Conflict, "Your organisation already has a key. See API keys to create another.")
	}
	err = db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		sandbox, err := queries.OrganisationIsSandbox(ctx, tx, organisationID)
		if err != nil {
			return fmt.Errorf("reading organisation %d: %w", organisationID, err)
		}
		prefix := livePrefix
		if sandbox {
			prefix = testPrefix
		}
		key = newKey(prefix)
		hash := hashKey(key)
		if active, err := queries.APIKeyCountActive(ctx, tx, organisationID); err != nil || n.First && active > 0 {
			return cmp.Or(err, error(full))
		}
		id, slot, err := writes.APIKeyInsert(ctx, tx, models.APIKey{
			OrganisationID: organisationID, Name: n.Name, Prefix: key[:shownLength], Hash: hash[:], Channels: n.Channels,
		})
		if db.IsNoRows(err) || db.IsUniqueViolation(err, "api_keys_active_slot") {
			return full
		}
		if err != nil {
			return fmt.Errorf("storing an API key: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "api_key.create", Target: fmt.Sprintf("api_key:%d", id),
			Details: map[string]any{"organisation": organisationID, "slot": slot, "channels": n.Channels},
		})
	})
	if err != nil {
		return "", err
	}
	return key, nil
}

// KeyRequest holds the name and the channels of a key to create.
type KeyRequest struct {
	Name     string
	Channels []string
	// First refuses the key if the organisation already has an active one.
	First bool
}

func (n KeyRequest) problem() error {
	var faults fault.Fields
	if name := strings.TrimSpace(n.Name); name == "" || len([]rune(name)) > 100 {
		faults.Add("name", "Enter a name of 1 to 100 characters, such as the program that will use the key.")
	}
	unknown := func(channel string) bool { return !slices.Contains([]string{"messaging", "sms", "rcs"}, channel) }
	faults.AddIf(len(n.Channels) == 0 || slices.ContainsFunc(n.Channels, unknown), "channels", "Choose at least one of messaging, sms and rcs.")
	return faults.Err()
}

// RevokeKey revokes a key of an organisation. Every process refuses it at once,
// or within 30 seconds if notifications are lost.
func (d *Directory) RevokeKey(ctx context.Context, organisationID, keyID int64, actor string) error {
	return db.InTx(ctx, d.db, func(tx pgx.Tx) error {
		revoked, err := writes.APIKeyUpdateRevoked(ctx, tx, organisationID, keyID)
		if err != nil {
			return fmt.Errorf("revoking an API key: %w", err)
		}
		if !revoked {
			return fault.New(fault.NotFound, "This key does not exist or is already revoked.")
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: "api_key.revoke", Target: fmt.Sprintf("api_key:%d", keyID)})
	})
}
