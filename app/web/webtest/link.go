package webtest

import (
	"regexp"
	"testing"

	"heliograph/app/keyring"
)

var linkInEmail = regexp.MustCompile(`/reset-password\?token=[\w-]+`)

// PasswordLink returns the path of the newest link by which a user of an organisation
// sets a password.
func (s *Site) PasswordLink(t testing.TB) string {
	t.Helper()
	var id string
	var sealed []byte
	err := s.DB.QueryRow(t.Context(), `select id::text, body from notifications where purpose = 'user_link' order by id desc limit 1`).Scan(&id, &sealed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.Notifications.Keyring.Open(sealed, keyring.Place("notifications", "body", id))
	if err != nil {
		t.Fatal(err)
	}
	return linkInEmail.FindString(string(text))
}
