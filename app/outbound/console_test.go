package outbound

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
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
	if got := dialled.all(); tried < 400 || len(got) != 0 || bird.count(t) != 0 {
		t.Errorf("of %d targets %d were dialled: %v", tried, len(got), got)
	}
	t.Logf("%d targets, none dialled", tried)
}

// A name with an address that changes from a public one to loopback after it was looked up is
// refused when it is dialled, and a redirect to loopback is an answer.
func TestConsoleIsNotRebound(t *testing.T) {
	t.Parallel()
	bird := newCanary(t)
	client, dialled := guarded(t, Options{Ports: []uint16{bird.port}}, fakeDNS(t, func(_ string, n int) []netip.Addr {
		if n == 1 {
			return always("93.184.215.14")("", n)
		}
		return always("127.0.0.1", "::1")("", n)
	}))
	for i := range 20 {
		raw := fmt.Sprintf("https://console-%d.example:%d/", i, bird.port)
		if _, err := client.CheckURL(raw); err != nil {
			t.Fatalf("CheckURL(%q) = %v, want the public answer to pass", raw, err)
		}
		r, _ := get(t, raw)
		if _, err := (&Console{client}).Send(r); fault.As(err) == nil || fault.As(err).Code != models.FaultTarget {
			t.Errorf("Send(%q) = %v, want a refused target", raw, err)
		}
	}
	if n := bird.count(t); n != 0 || len(dialled.all()) != 0 {
		t.Errorf("the canary saw %d connections and the guard passed %v, want none", n, dialled.all())
	}
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
