package outbound

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"heliograph/app/fault"
	"heliograph/db/models"
)

// The console's client has no option that opens loopback. Every name leads to the
// canary, as an attacker's name server would have it.
func TestConsoleReachesNothingInside(t *testing.T) {
	t.Parallel()
	bird := newCanary(t)
	client, dialled := guarded(t, Options{Ports: []uint16{bird.port}}, fakeDNS(t, always("127.0.0.1", "::1")))
	console := &Console{client}
	tried := 0
	for _, raw := range corpus(bird.port) {
		r, ok := get(t, raw)
		if !ok {
			continue
		}
		tried++
		answer, err := console.Send(r)
		if err == nil {
			answer.Body.Close()
			t.Errorf("the console reached %q", raw)
		} else if !fault.Is(err, fault.Unavailable) {
			t.Errorf("%q: %v, want Unavailable", raw, err)
		}
	}
	if got := dialled.all(); tried < 300 || len(got) != 0 || bird.count(t) != 0 {
		t.Errorf("of %d targets %d were dialled: %v", tried, len(got), got)
	}
	t.Logf("%d targets, none dialled", tried)
}

func TestConsoleRefusesLoopbackInDevelopment(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	r, _ := get(t, server.URL)
	if _, err := NewConsole(nil).Send(r); fault.As(err) == nil || fault.As(err).Code != models.FaultTarget {
		t.Errorf("loopback is %v, want a refused target", err)
	}
}
