package page_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"heliograph/app/keyring"
	"heliograph/app/web/page"
)

// A form from our host without TLS is refused where the portal has TLS: anybody on the
// way may have written the page.
func TestOriginHasTheScheme(t *testing.T) {
	t.Parallel()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		method, origin, scheme string
		want                   bool
	}{
		{http.MethodPost, "http://docs.example.com", "https", true}, {http.MethodPost, "HTTP://docs.example.com", "https", true}, {http.MethodDelete, "http://docs.example.com", "https", true},
		{http.MethodPost, "https://docs.example.com", "https", false}, {http.MethodPost, "", "https", false}, {http.MethodPost, "null", "https", true},
		{http.MethodGet, "http://docs.example.com", "https", false}, {http.MethodPost, "http://docs.example.com", "http", false},
	} {
		gate, err := page.NewGate(page.GateOptions{Area: page.Account, Keyring: keys, PublicURL: tt.scheme + "://docs.example.com"})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), tt.method, "http://docs.example.com/account", nil)
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		// What is not refused here goes on to the token, which these requests lack.
		err = gate.Guard(func(echo.Context) error { return nil })(echo.New().NewContext(r, httptest.NewRecorder()))
		if got := err != nil && strings.Contains(err.Error(), "another site"); got != tt.want {
			t.Errorf("%s from %s to %s is refused: %t (%v)", tt.method, tt.origin, tt.scheme, got, err)
		}
	}
}
