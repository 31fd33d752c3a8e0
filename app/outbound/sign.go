package outbound

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// secretPrefix is the prefix of secrets in the format of Standard Webhooks. The
// rest is base64.
const secretPrefix = "whsec_"

// sign sets both signature headers of a delivery.
//
// webhook-signature follows Standard Webhooks 1.0: "v1," and the base64
// HMAC-SHA256 of "id.timestamp.body", with the decoded secret as the key. While a
// secret is rotated there are two, separated by a space, so that a receiver with
// either secret accepts the delivery.
//
// X-Hub-Signature-256 is the W3C WebSub form: "sha256=" and the lower-case
// hexadecimal HMAC-SHA256 of the body, with the secret's text as the key. It can
// hold only one signature, so it uses the previous secret as long as there is
// one. A channel may name another header for it.
//
// A GET has no body: its signatures are over the query.
func (d Delivery) sign(h http.Header) error {
	timestamp := strconv.FormatInt(d.At.Unix(), 10)
	signed := string(d.Body)
	if d.Method == http.MethodGet {
		_, signed, _ = strings.Cut(d.URL, "?")
	}
	content := d.ID + "." + timestamp + "." + signed
	var signatures []string
	for _, secret := range []string{d.Secret, d.Previous} {
		if secret == "" {
			continue
		}
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
		if err != nil {
			return fmt.Errorf("signing a delivery: the secret is not base64: %w", err)
		}
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac(key, content)))
	}
	h.Set("Webhook-Id", d.ID)
	h.Set("Webhook-Timestamp", timestamp)
	h.Set("Webhook-Signature", strings.Join(signatures, " "))
	h.Set(cmp.Or(d.Signature, "X-Hub-Signature-256"), "sha256="+hex.EncodeToString(mac([]byte(cmp.Or(d.Previous, d.Secret)), signed)))
	return nil
}

func mac(key []byte, content string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(content))
	return h.Sum(nil)
}
