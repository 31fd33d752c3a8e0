package relay_test

import (
	"maps"
	"strings"
	"testing"

	"heliograph/app/channels/relay"
	"heliograph/app/keyring"
)

// The headers of an endpoint may hold credentials. They go with its address.
func TestHeadersGoWithTheAddress(t *testing.T) {
	t.Parallel()
	tx, load := deliver(t)
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	endpoints := relay.NewEndpoints(relay.Options{DB: tx, Keyring: keys})
	w := load().Webhook
	credentials := map[string]string{"Authorization": "Bearer x"}
	for _, c := range []struct {
		url       string
		set, want map[string]string
	}{
		{"https://example.com/new", credentials, credentials},
		{"https://example.com/new", nil, nil},
		{"", credentials, nil},
	} {
		err := endpoints.Set(t.Context(), tx, relay.Endpoint{OrganisationID: w.OrganisationID, Channel: w.Channel, Subject: w.Subject, URL: c.url, Headers: c.set})
		if err != nil {
			t.Fatal(err)
		}
		stored, err := endpoints.Get(t.Context(), w.Channel, w.Subject)
		if err != nil {
			t.Fatal(err)
		}
		got, err := endpoints.Headers(stored)
		if err != nil || got == nil || !maps.Equal(got, c.want) || stored.URL != c.url {
			t.Errorf("%q with %v is stored as %q with %v, %v", c.url, c.set, stored.URL, got, err)
		}
	}
}
