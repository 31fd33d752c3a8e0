package relay_test

import (
	"strings"
	"testing"

	"heliograph/app/relay"
)

func TestAdviceFollowsTheStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		0: "", 199: "", 200: "", 299: "",
		300: "Set the address", 302: "Set the address", 399: "Set the address",
		400: "read the callback and refused it", 422: "read the callback and refused it",
		401: "signing secret", 403: "signing secret",
		404: "Correct the URL", 405: "Correct the URL",
		402: "refused the callback", 418: "refused the callback", 499: "refused the callback",
		410: "Enable it", 413: "larger bodies", 429: "Retry-After",
		500: "Look in its log", 501: "Look in its log", 599: "Look in its log",
		502: "did not reach it", 503: "did not reach it", 504: "did not reach it",
	} {
		got := relay.Advice(status, "The webhook answered.")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("advice on %d: %q, want %q", status, got, want)
		}
	}
	if got := relay.Advice(0, "hooks.example.com refused the connection."); !strings.Contains(got, "Start your server") {
		t.Errorf("advice on a refused connection: %q", got)
	}
}
