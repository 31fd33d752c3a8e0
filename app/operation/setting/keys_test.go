package setting_test

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/db/dbtest"
)

func keysOf(t *testing.T, entries ...string) *keyring.Keyring {
	t.Helper()
	var full []string
	for _, e := range entries {
		id, letter, _ := strings.Cut(e, ":")
		full = append(full, id+":"+strings.Repeat(letter, 43)+"=")
	}
	k, err := keyring.New(full)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A process starts with the keys that opened everything so far, with a further
// one, and without one that nothing needs any more; never with another key.
func TestKeysAreChecked(t *testing.T) {
	t.Parallel()
	for _, checked := range []bool{true, false} { // false: an older database, without check values
		t.Run(fmt.Sprint(checked), func(t *testing.T) {
			t.Parallel()
			tx := dbtest.Tx(t)
			store := func(k *keyring.Keyring, name string) {
				t.Helper()
				if _, err := tx.Exec(t.Context(), `insert into setting_secrets (name, sealed) values ($1, $2)`, name, k.Seal([]byte("x"), keyring.Place("setting_secrets", "sealed", name))); err != nil {
					t.Fatal(err)
				}
			}
			check := func(k *keyring.Keyring, want string) {
				t.Helper()
				err := setting.CheckKeys(t.Context(), tx, k)
				if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
					t.Errorf("checking %v gives %v, want %q", k.IDs(), err, want)
				}
			}
			original := keysOf(t, "k1:A")
			if checked {
				check(original, "")
			}
			store(original, "sms.api_key")
			for _, damaged := range []string{"v1:k1:AAAA"} {
				if _, err := tx.Exec(t.Context(), `insert into setting_secrets (name, sealed) values ('damaged', $1)`, []byte(damaged)); err != nil {
					t.Fatal(err)
				}
			}
			check(keysOf(t, "k1:B"), `another key "k1"`)
			check(keysOf(t, "k2:B"), `lacks the key "k1"`)
			check(keysOf(t, "k2:B", "k1:C"), `another key "k1"`)
			check(original, "")
			if opens, err := setting.OpensChecks(t.Context(), tx, keysOf(t, "k1:B")); opens || err != nil {
				t.Errorf("another key opens the check values: %v, %v", opens, err)
			}
			rotated := keysOf(t, "k2:C", "k1:A")
			check(rotated, "")
			check(keysOf(t, "k2:C"), `lacks the key "k1"`)
			if _, err := tx.Exec(t.Context(), `delete from setting_secrets where name = 'damaged'`); err != nil {
				t.Fatal(err)
			}
			if _, err := setting.Reseal(t.Context(), tx, rotated); err != nil {
				t.Fatal(err)
			}
			check(keysOf(t, "k2:C"), "")
			check(keysOf(t, "k2:D"), `another key "k2"`)
			if opens, err := setting.OpensChecks(t.Context(), tx, keysOf(t, "k2:C")); !opens || err != nil {
				t.Errorf("the key does not open the check values: %v, %v", opens, err)
			}
		})
	}
}
