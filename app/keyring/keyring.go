// Package keyring encrypts stored secrets and derives signing keys.
//
// Sealed text is "v1:<key id>:<base64>" over AES-256-GCM with a random nonce;
// the additional data names table, column and row, so that a ciphertext cannot
// be moved to another place. Subkeys come from HKDF-SHA256 (RFC 5869), one per
// purpose.
package keyring

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Keyring holds the master keys. The first encrypts, all decrypt.
type Keyring struct {
	ids     []string
	aeads   map[string]cipher.AEAD
	masters map[string][]byte
}

// New returns a keyring of entries in the format "id:base64 of 32 bytes". Errors
// name an entry by its position and never contain key material.
func New(entries []string) (*Keyring, error) {
	if len(entries) == 0 {
		return nil, errors.New("the keyring is empty: set ENCRYPTION_KEYS")
	}
	k := &Keyring{aeads: map[string]cipher.AEAD{}, masters: map[string][]byte{}}
	for i, entry := range entries {
		id, encoded, ok := strings.Cut(strings.TrimSpace(entry), ":")
		key, err := base64.StdEncoding.DecodeString(encoded)
		if !ok || id == "" || err != nil || len(key) != 32 {
			return nil, fmt.Errorf("encryption key %d is malformed: write it as id:key with 32 bytes in base64", i+1)
		}
		if k.aeads[id] != nil {
			return nil, fmt.Errorf("encryption key id %q is used twice", id)
		}
		sealing, err := hkdf.Key(sha256.New, key, nil, "heliograph/seal", 32)
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(sealing)
		if err != nil {
			return nil, err
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, err
		}
		k.ids, k.aeads[id], k.masters[id] = append(k.ids, id), aead, key
	}
	return k, nil
}

// Place returns the name of the place where a sealed value is stored, for
// instance Place("webhooks", "headers", 17).
func Place(table, column string, row any) string {
	return fmt.Sprintf("%s|%s|%v", table, column, row)
}

// Seal encrypts plain for a place.
func (k *Keyring) Seal(plain []byte, place string) []byte { return k.seal(k.ids[0], plain, place) }

// SealWith encrypts plain for a place with the key of an id.
func (k *Keyring) SealWith(id string, plain []byte, place string) ([]byte, error) {
	if !k.Has(id) {
		return nil, fmt.Errorf("encryption key %q is not in the keyring", id)
	}
	return k.seal(id, plain, place), nil
}

func (k *Keyring) seal(id string, plain []byte, place string) []byte {
	sealed := k.aeads[id].Seal(nil, nil, plain, []byte(place))
	return []byte(Prefix(id) + base64.StdEncoding.EncodeToString(sealed))
}

// IDs returns the ids of the keys in their order.
func (k *Keyring) IDs() []string { return slices.Clone(k.ids) }

// Has reports whether the keyring has a key of an id.
func (k *Keyring) Has(id string) bool { return k.aeads[id] != nil }

// Prefix returns the prefix of all values that were sealed with the key of an id.
func Prefix(id string) string { return "v1:" + id + ":" }

// Open decrypts the result of Seal for the same place. It fails if the key is
// missing, the text was changed, or the place differs.
func (k *Keyring) Open(sealed []byte, place string) ([]byte, error) {
	parts := strings.SplitN(string(sealed), ":", 3)
	if len(parts) != 3 || parts[0] != "v1" {
		return nil, errors.New("sealed text is malformed")
	}
	aead := k.aeads[parts[1]]
	if aead == nil {
		return nil, fmt.Errorf("encryption key %q is not in the keyring", parts[1])
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, errors.New("sealed text is malformed")
	}
	plain, err := aead.Open(nil, nil, raw, []byte(place))
	if err != nil {
		return nil, errors.New("sealed text cannot be decrypted: wrong key, place or content")
	}
	return plain, nil
}

// CurrentPrefix returns the prefix of all values that were sealed with the first
// key.
func (k *Keyring) CurrentPrefix() string { return Prefix(k.ids[0]) }

// Subkey derives a 32-byte key for one purpose, such as "session", from the
// first master key.
func (k *Keyring) Subkey(purpose string) []byte { return subkey(k.masters[k.ids[0]], purpose) }

func subkey(master []byte, purpose string) []byte {
	key, err := hkdf.Key(sha256.New, master, nil, "heliograph/"+purpose, 32)
	if err != nil {
		panic(err) // cannot fail for 32 bytes
	}
	return key
}

// Sign signs parts with the first key for one purpose. The signature is
// "v1:<key id>:<base64>" with an HMAC-SHA256.
func (k *Keyring) Sign(purpose string, parts ...string) string {
	return k.CurrentPrefix() + base64.StdEncoding.EncodeToString(MAC(k.Subkey(purpose), parts...))
}

// Verify reports whether the signature was made with a key of the keyring for the
// same purpose and parts.
func (k *Keyring) Verify(signature, purpose string, parts ...string) bool {
	version, rest, _ := strings.Cut(signature, ":")
	id, encoded, _ := strings.Cut(rest, ":")
	mac, err := base64.StdEncoding.DecodeString(encoded)
	master := k.masters[id]
	return version == "v1" && err == nil && master != nil && hmac.Equal(mac, MAC(subkey(master, purpose), parts...))
}

// NewWebhookSecret returns a secret that signs webhooks: 32 random bytes in the
// format of Standard Webhooks, "whsec_" and base64.
func NewWebhookSecret() string {
	raw := make([]byte, 32)
	rand.Read(raw) //nolint:errcheck // never fails: crypto/rand ends the process instead
	return "whsec_" + base64.StdEncoding.EncodeToString(raw)
}

// MAC returns the HMAC-SHA256 (RFC 2104) of the parts. Each is preceded by its
// length, so that different lists of parts never have the same input.
func MAC(key []byte, parts ...string) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		fmt.Fprintf(mac, "%d:%s", len(part), part)
	}
	return mac.Sum(nil)
}
