package outbound_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"heliograph/app/fault"
	"heliograph/app/outbound"
)

func TestChallenge(t *testing.T) {
	t.Parallel()
	client := outbound.New(outbound.Options{AllowLoopback: true})
	for name, tt := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		valid  bool
	}{
		"returns the challenge": {func(w http.ResponseWriter, r *http.Request) {
			q := r.URL.Query()
			if q.Get("hub.mode") == "subscribe" && q.Get("hub.verify_token") == "open" && q.Get("own") == "1" && r.Header.Get("X-Mine") == "a" {
				_, _ = w.Write([]byte(q.Get("hub.challenge") + "\n"))
			}
		}, true},
		"returns something else": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok")) }, false},
		"returns more": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(r.URL.Query().Get("hub.challenge") + " and more"))
		}, false},
		"refuses": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(r.URL.Query().Get("hub.challenge")))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(tt.answer))
			t.Cleanup(server.Close)
			err := client.Challenge(t.Context(), "1", server.URL+"/?own=1", map[string]string{"X-Mine": "a"}, "open")
			if tt.valid && err != nil || !tt.valid && !fault.Is(err, fault.Invalid) {
				t.Errorf("error = %v", err)
			}
		})
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	if err := client.Challenge(t.Context(), "1", closed.URL, nil, "open"); !fault.Is(err, fault.Invalid) {
		t.Errorf("a server that is down: %v", err)
	}
}
