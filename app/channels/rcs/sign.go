package rcs

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"heliograph/app/channels/relay"
	"heliograph/db/models"
)

// sign returns the header that signs a request in the form of its webhook.
func sign(secret string, d models.Delivery, r relay.Request) (map[string]string, error) {
	if d.Webhook.Format != formGoogle {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(r.Body)
		return map[string]string{"X-Signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil))}, nil
	}
	var wrapper struct{ Message struct{ Data []byte } }
	if err := json.Unmarshal(r.Body, &wrapper); err != nil {
		return nil, fmt.Errorf("signing event %d: %w", d.ID, err)
	}
	mac := hmac.New(sha512.New, []byte(secret))
	mac.Write(wrapper.Message.Data)
	return map[string]string{"X-Goog-Signature": base64.StdEncoding.EncodeToString(mac.Sum(nil))}, nil
}
