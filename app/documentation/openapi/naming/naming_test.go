package naming_test

import (
	"testing"

	"heliograph/app/documentation/openapi/naming"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for id, want := range map[string][2]string{
		"listMessageTemplates": {"list-message-templates", "List message templates"},
		"getWABAInfo":          {"get-waba-info", "Get WABA info"},
		"send_sms-v2":          {"send-sms-v2", "Send sms v2"},
		"Größe":                {"gre", "Größe"},
		"漢字":                   {"", "漢字"},
		"":                     {"", ""},
	} {
		if got := [2]string{naming.Slug(id), naming.Readable(id)}; got != want {
			t.Errorf("%q: got %q, want %q", id, got, want)
		}
	}
}
