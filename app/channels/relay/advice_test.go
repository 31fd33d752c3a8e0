package relay_test

import (
	"strings"
	"testing"

	"heliograph/app/channels/relay"
)

func TestAdviceFollowsTheStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		0: "", 199: "", 200: "", 299: "",
		300: "Set the redirect target", 302: "Set the redirect target", 399: "Set the redirect target",
		400: "rejected the callback", 422: "rejected the callback",
		401: "signing secret", 403: "signing secret",
		404: "Correct the URL", 405: "Correct the URL",
		402: "rejected the callback", 418: "rejected the callback", 499: "rejected the callback",
		410: "Enable it", 413: "maximum body size", 429: "Retry-After",
		500: "Check its log", 501: "Check its log", 599: "Check its log",
		502: "could not reach your endpoint", 503: "could not reach your endpoint", 504: "could not reach your endpoint",
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
