package messaging

import (
	"encoding/base64"
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
