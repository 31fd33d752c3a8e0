package messaging

import (
	"crypto/rand"
	"encoding/base64"
	"math/big"
	"strings"

	"github.com/google/uuid"
)

const messagePrefix = "wamid."

// MessageID returns the public id of a message.
func MessageID(id uuid.UUID) string {
	return messagePrefix + base64.RawURLEncoding.EncodeToString(id[:])
}

// ParseMessageID parses an id that MessageID returned. ok is false for any
// other text.
func ParseMessageID(s string) (id uuid.UUID, ok bool) {
	encoded, ok := strings.CutPrefix(s, messagePrefix)
	if !ok {
		return id, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil || len(raw) != len(id) {
		return id, false
	}
	return uuid.UUID(raw), true
}

var (
	lowestID = big.NewInt(1_000_000_000_000_000)
	idSpan   = big.NewInt(9_000_000_000_000_000)
)

// newAssetID returns a random registry id of 16 digits. The first is never
// zero.
func newAssetID() int64 {
	n, err := rand.Int(rand.Reader, idSpan)
	if err != nil {
		panic(err) // the system's randomness does not fail
	}
	return n.Add(n, lowestID).Int64()
}
