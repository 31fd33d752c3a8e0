package keyring_test

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"strings"
	"testing"

	"heliograph/app/keyring"
)

func entry(id string) string {
	key := make([]byte, 32)
	rand.Read(key)
	return id + ":" + base64.StdEncoding.EncodeToString(key)
}

func TestSealOpensOnlyInItsPlace(t *testing.T) {
	t.Parallel()
	old, fresh := entry("k1"), entry("k2")
	before, err := keyring.New([]string{old})
	if err != nil {
		t.Fatal(err)
	}
	place := keyring.Place("webhooks", "headers", 7)
	sealed := before.Seal([]byte("secret"), place)
	if bytes.Contains(sealed, []byte("secret")) {
		t.Fatal("sealed text shows its content")
	}
	after, err := keyring.New([]string{fresh, old})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := after.Open(sealed, place)
	if err != nil || string(plain) != "secret" {
		t.Fatalf("Open after rotation = %q, %v", plain, err)
	}
	if _, err := after.Open(sealed, keyring.Place("webhooks", "headers", 8)); err == nil {
		t.Error("a sealed value opened in another row")
	}
	alone, _ := keyring.New([]string{fresh})
	if _, err := alone.Open(sealed, place); err == nil || !strings.Contains(err.Error(), `"k1"`) {
		t.Errorf("Open without the key = %v, want it to name the key", err)
	}
	if bytes.Equal(after.Subkey("session"), after.Subkey("csrf")) {
		t.Error("two purposes share a subkey")
	}
}

func TestNewRefusesMalformedKeys(t *testing.T) {
	t.Parallel()
	same := entry("k1")
	for name, entries := range map[string][]string{
		"none": nil, "no id": {"AAAA"}, "short": {"k1:AAAA"}, "twice": {same, same},
	} {
		if _, err := keyring.New(entries); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := keyring.New([]string{same, "k2:AAAA"}); err == nil || !strings.Contains(err.Error(), "key 2 is malformed") {
		t.Errorf("the second key is malformed: %v", err)
	}
}

func TestMACSeparatesParts(t *testing.T) {
	t.Parallel()
	key := []byte("k")
	if bytes.Equal(keyring.MAC(key, "ab", "c"), keyring.MAC(key, "a", "bc")) {
		t.Error("moved boundary gives the same code")
	}
}

func TestSignaturesAreOfOnePurposeAndKey(t *testing.T) {
	t.Parallel()
	old, fresh := entry("k1"), entry("k2")
	before, err := keyring.New([]string{old})
	if err != nil {
		t.Fatal(err)
	}
	after, err := keyring.New([]string{fresh, old})
	if err != nil {
		t.Fatal(err)
	}
	signature := before.Sign("anchor", "1", "hash")
	if !after.Verify(signature, "anchor", "1", "hash") {
		t.Error("a signature of the key before is refused")
	}
	alone, err := keyring.New([]string{fresh})
	if err != nil {
		t.Fatal(err)
	}
	for name, accepted := range map[string]bool{
		"another purpose":    after.Verify(signature, "session", "1", "hash"),
		"other parts":        after.Verify(signature, "anchor", "1h", "ash"),
		"a key that is gone": alone.Verify(signature, "anchor", "1", "hash"),
		"another key's name": after.Verify(strings.Replace(signature, "k1", "k2", 1), "anchor", "1", "hash"),
		"no signature":       after.Verify("", "anchor", "1", "hash"),
		"no base64":          after.Verify("v1:k1:?", "anchor", "1", "hash"),
	} {
		if accepted {
			t.Errorf("%s passes", name)
		}
	}
}
