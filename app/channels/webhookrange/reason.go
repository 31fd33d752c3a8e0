package webhookrange

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
)

// secretPrefix begins secrets in the form of Standard Webhooks.
const secretPrefix = "whsec_"

// decoded returns the key of a secret, or what is wrong with the secret.
func decoded(secret string) (key []byte, problem string) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil || len(key) == 0 {
		return nil, "This secret is not base64. Copy it again, without spaces."
	}
	return key, ""
}

func sha256MAC(key, content []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(content)
	return h.Sum(nil)
}

func sha512MAC(key, content []byte) []byte {
	h := hmac.New(sha512.New, key)
	h.Write(content)
	return h.Sum(nil)
}

func hexMAC(key, content []byte) string { return hex.EncodeToString(sha256MAC(key, content)) }

// mistake is something that signers do wrong.
type mistake struct {
	what   string
	change func(text []byte) []byte
}

// mistakes are the changes of a body between signing and sending that are seen most.
var mistakes = []mistake{
	{"A body without the white space at its end was signed.", bytes.TrimSpace},
	{"A body with a line break at its end was signed.", func(b []byte) []byte { return append(slices.Clip(b), '\n') }},
	{"The body was signed in another spacing: sign the bytes that are sent, not JSON that is written again.", compact},
	{"The body was signed indented: sign the bytes that are sent.", indented},
	{"An empty body was signed.", func([]byte) []byte { return nil }},
}

func compact(text []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return text
	}
	return b.Bytes()
}

func indented(text []byte) []byte {
	var b bytes.Buffer
	if json.Indent(&b, text, "", "  ") != nil {
		return text
	}
	return b.Bytes()
}

// another says that none of the known mistakes was made.
const another = "The secret is another, or what was signed is not what came."

// reasonStandard says why a signature of Standard Webhooks does not match.
func reasonStandard(t Taken, given []string, secrets []secret) string {
	text, _ := signedText(t)
	before := t.Get("Webhook-Id") + "." + t.Get("Webhook-Timestamp") + "."
	matches := func(key, content []byte) bool {
		sum := sha256MAC(key, content)
		return slices.Contains(given, base64.StdEncoding.EncodeToString(sum))
	}
	for _, s := range secrets {
		key, problem := decoded(s.value)
		if problem != "" {
			continue
		}
		content := []byte(before + string(text))
		switch {
		case matches([]byte(s.value), content):
			return "The text of the secret was the key. Decode what follows whsec_ from base64 and sign with these bytes."
		case matches([]byte(strings.TrimPrefix(s.value, secretPrefix)), content):
			return "The secret without whsec_ was the key, but was not decoded from base64."
		case matches(key, text):
			return "The body alone was signed. Sign webhook-id, webhook-timestamp and the body with full stops between them."
		case slices.Contains(given, hexMAC(key, content)):
			return "The signature is in hexadecimal. Write it in base64."
		case slices.Contains(given, strings.TrimRight(base64.StdEncoding.EncodeToString(sha256MAC(key, content)), "=")):
			return "The signature lacks the = at its end."
		case slices.Contains(given, base64.URLEncoding.EncodeToString(sha256MAC(key, content))):
			return "The signature is in base64 for URLs. Write it with + and /."
		}
		for _, m := range mistakes {
			if matches(key, []byte(before+string(m.change(text)))) {
				return m.what
			}
		}
	}
	return another
}

// reasonBody says why a signature of the body does not match.
func reasonBody(text []byte, value string, secrets []secret) string {
	value = strings.ToLower(value)
	for _, s := range secrets {
		key, problem := decoded(s.value)
		switch {
		case problem == "" && value == hexMAC(key, text):
			return "The decoded secret was the key. Here the text of the secret is the key, whsec_ included."
		case value == hexMAC([]byte(strings.TrimPrefix(s.value, secretPrefix)), text):
			return "The secret without whsec_ was the key. Here whsec_ belongs to it."
		}
		for _, m := range mistakes {
			if value == hexMAC([]byte(s.value), m.change(text)) {
				return m.what
			}
		}
	}
	return another
}
