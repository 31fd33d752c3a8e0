package openapi

import (
	"strings"
	"testing"
)

func TestSamePath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"v3/:id/messages", "/v3/{phone-number-id}/messages", true},
		{"v3/{id}/messages", "/v3/{phone-number-id}/messages/", true},
		{"v3/:id", "/v3/{id}/messages", false},
		{"v3/:id/messages", "/v3/{id}", false},
		{"v3/:id/messages", "/v3/{id}/media", false},
		{"v3/:id", "/v3/messages", false},
		{"v3/messages", "/v3/{id}", false},
		{"upload:{session}", "/upload:{id}", true},
		{"upload:{session}", "/{id}", false},
	} {
		if got := SamePath(strings.Split(c.pattern, "/"), c.path); got != c.want {
			t.Errorf("%s and %s: %t, want %t", c.pattern, c.path, got, c.want)
		}
	}
}

func TestOwnPath(t *testing.T) {
	t.Parallel()
	for server, want := range map[string]string{"http://localhost:8080/v3": "/v3", "/v3": "/v3", "https://localhost": ""} {
		if path, own := OwnPath(server); path != want || !own {
			t.Errorf("%s: %q, %t", server, path, own)
		}
	}
	for _, server := range []string{"https://api.example.com/v3", "mailto:asha@example.com", "http://[::1", "//example.com/v3"} {
		if path, own := OwnPath(server); own {
			t.Errorf("%s is taken for this installation, with the path %q", server, path)
		}
	}
}
