package page

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// A form from our host without TLS is refused where the portal has TLS: anybody on the
// way may have written the page.
func TestOriginHasTheScheme(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		method, origin string
		https, want    bool
	}{
		{http.MethodPost, "http://docs.example.com", true, true}, {http.MethodPost, "HTTP://docs.example.com", true, true}, {http.MethodDelete, "http://docs.example.com", true, true},
		{http.MethodPost, "https://docs.example.com", true, false}, {http.MethodPost, "", true, false}, {http.MethodPost, "null", true, false}, // the library refuses null
		{http.MethodGet, "http://docs.example.com", true, false}, {http.MethodPost, "http://docs.example.com", false, false},
	} {
		r := httptest.NewRequestWithContext(t.Context(), tt.method, "/account", nil)
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		if got := (&Gate{https: tt.https}).isDowngraded(r); got != tt.want {
			t.Errorf("%s from %s with TLS %t is refused: %t", tt.method, tt.origin, tt.https, got)
		}
	}
}
