package outbound

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"heliograph/app/fault"
)

// get makes the request that both clients of a comparison send; ok is false for
// a URL that net/url itself refuses.
func get(t testing.TB, raw string) (req *http.Request, ok bool) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, raw, nil)
	return req, err == nil
}

// Every name leads to the canary, as an attacker's name server would have it.
func TestHostileTargetsAreNotReached(t *testing.T) {
	t.Parallel()
	bird := newCanary(t)
	targets := corpus(bird.port)
	if len(targets) < 300 {
		t.Fatalf("corpus has %d targets, want at least 300", len(targets))
	}
	resolver := fakeDNS(t, always("127.0.0.1", "::1"))
	client, dialled := guarded(t, Options{Ports: []uint16{bird.port}}, resolver)

	for _, raw := range targets {
		secure := strings.Replace(raw, "http://", "https://", 1) // else the scheme alone would be refused
		if _, err := client.CheckURL(secure); fault.KindOf(err) != fault.Invalid {
			t.Errorf("CheckURL(%q) = %v, want an Invalid fault", secure, err)
		}
		req, ok := get(t, raw)
		if !ok {
			continue
		}
		if res, err := client.Do("", req); err == nil {
			res.Body.Close()
			t.Errorf("Do reached %q", raw)
		}
		// The dialer alone must hold too, without the checks on the URL.
		if res, err := client.transports.get("").RoundTrip(req.Clone(t.Context())); err == nil {
			res.Body.Close()
			t.Errorf("the transport reached %q", raw)
		}
	}
	if got := dialled.all(); len(got) != 0 {
		t.Errorf("the guard let these dials pass: %v", got)
	}
	if n := bird.count(t); n != 0 {
		t.Errorf("the canary saw %d connections, want 0", n)
	}

	unguarded, would := plain(resolver)
	for _, raw := range targets {
		if req, ok := get(t, raw); ok {
			if res, err := unguarded.Do(req); err == nil {
				res.Body.Close()
			}
		}
	}
	hits := bird.count(t)
	t.Logf("%d targets: a plain client dialled %d times and reached the canary %d times", len(targets), len(would.all()), hits)
	if hits < 100 || len(would.all()) < 300 {
		t.Errorf("control: a plain client dialled %d times and reached the canary %d times; the test cannot fail", len(would.all()), hits)
	}
}

func TestAllowLoopbackAllowsNothingElse(t *testing.T) {
	t.Parallel()
	bird := newCanary(t)
	client, dialled := guarded(t, Options{AllowLoopback: true, Ports: []uint16{bird.port}}, fakeDNS(t, always("127.0.0.1", "::1")))
	for _, raw := range corpus(bird.port) {
		if req, ok := get(t, raw); ok {
			if res, err := client.transports.get("").RoundTrip(req); err == nil {
				res.Body.Close()
			}
		}
	}
	for _, address := range dialled.all() {
		if ap := netip.MustParseAddrPort(address); !ap.Addr().IsLoopback() {
			t.Errorf("dialled %s, want loopback only", address)
		}
	}
	if bird.count(t) == 0 {
		t.Error("the canary was never reached although loopback is allowed")
	}
}

func TestRebindingIsCaughtAtDialTime(t *testing.T) {
	t.Parallel()
	const rounds = 100
	bird := newCanary(t)
	// The first answer is public, every later one loopback.
	resolver := fakeDNS(t, func(_ string, n int) []netip.Addr {
		if n == 1 {
			return always("93.184.215.14")("", n)
		}
		return always("127.0.0.1")("", n)
	})
	client, dialled := guarded(t, Options{Ports: []uint16{bird.port}}, resolver)
	for i := range rounds {
		raw := fmt.Sprintf("https://guarded-%d.example:%d/", i, bird.port)
		if _, err := client.CheckURL(raw); err != nil {
			t.Fatalf("CheckURL(%q) = %v, want the public answer to pass", raw, err)
		}
		req, _ := get(t, raw)
		if _, err := client.Do("tenant", req); fault.KindOf(err) != fault.Unavailable {
			t.Fatalf("Do(%q) = %v, want it refused", raw, err)
		}
	}
	if n := bird.count(t); n != 0 || len(dialled.all()) != 0 {
		t.Errorf("the canary saw %d connections and the guard passed %v, want none", n, dialled.all())
	}

	naive, _ := plain(resolver)
	for i := range rounds {
		host := fmt.Sprintf("naive-%d.example", i)
		addrs, err := resolver.LookupNetIP(context.Background(), "ip4", host)
		if err != nil || !client.guard.addr(addrs[0].Unmap()) {
			t.Fatalf("control: looking up %s gave %v, %v, want a public address", host, addrs, err)
		}
		req, _ := get(t, fmt.Sprintf("http://%s:%d/", host, bird.port))
		if res, err := naive.Do(req); err == nil {
			res.Body.Close()
		}
	}
	if n := bird.count(t); n != rounds {
		t.Errorf("control: check-then-get was breached %d times, want %d", n, rounds)
	}
}

// A name with a public and an inner address is refused when saved, and at dial
// time only its public address is tried.
func TestMixedAnswers(t *testing.T) {
	t.Parallel()
	bird := newCanary(t)
	client, dialled := guarded(t, Options{Ports: []uint16{bird.port}},
		fakeDNS(t, always("93.184.215.14", "127.0.0.1", "::ffff:10.0.0.1", "::1")))
	raw := fmt.Sprintf("https://mixed.example:%d/", bird.port)
	if _, err := client.CheckURL(raw); !fault.Is(err, fault.Invalid) {
		t.Errorf("CheckURL = %v, want an Invalid fault", err)
	}
	req, _ := get(t, raw)
	if _, err := client.Do("", req); err == nil {
		t.Error("Do succeeded, want an error")
	}
	for _, address := range dialled.all() {
		if !strings.HasPrefix(address, "93.184.215.14:") {
			t.Errorf("dialled %s", address)
		}
	}
	if n := bird.count(t); n != 0 {
		t.Errorf("the canary saw %d connections, want 0", n)
	}
}

func TestOwnPublicAddressesAreRefused(t *testing.T) {
	t.Parallel()
	own := []netip.Prefix{netip.MustParsePrefix("93.184.215.14/32"), netip.MustParsePrefix("2606:2800:21f::/48")}
	targets := []string{"https://93.184.215.14/", "https://[2606:2800:21f::5]/", "https://own.example/"}
	for _, tc := range []struct {
		denied []netip.Prefix
		dials  bool
	}{{own, false}, {nil, true}} {
		client, dialled := guarded(t, Options{Denied: tc.denied}, fakeDNS(t, always("93.184.215.14", "2606:2800:21f::5")))
		for _, raw := range targets {
			if _, err := client.CheckURL(raw); (err == nil) != tc.dials {
				t.Errorf("denied %v: CheckURL(%q) = %v", tc.denied, raw, err)
			}
			before := len(dialled.all())
			req, _ := get(t, raw)
			if _, err := client.transports.get("").RoundTrip(req); err == nil {
				t.Errorf("denied %v: %q answered", tc.denied, raw)
			}
			if got := len(dialled.all()) > before; got != tc.dials {
				t.Errorf("denied %v: %q dialled: %v, want %v", tc.denied, raw, got, tc.dials)
			}
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	for _, code := range []int{301, 302, 303, 307, 308} {
		bird := newCanary(t)
		target := fmt.Sprintf("http://127.0.0.1:%d/", bird.port)
		var chain *httptest.Server
		chain = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/last" {
				http.Redirect(w, r, target, code)
				return
			}
			http.Redirect(w, r, chain.URL+"/last", code)
		}))
		t.Cleanup(chain.Close)

		client := New(Options{AllowLoopback: true})
		for _, path := range []string{"/", "/last"} {
			req, _ := get(t, chain.URL+path)
			res, err := client.Do("tenant", req)
			if err != nil || res.StatusCode != code {
				t.Fatalf("Do = %v, %v, want the bare %d", res, err, code)
			}
			res.Body.Close()
		}
		if n := bird.count(t); n != 0 {
			t.Errorf("%d: the canary saw %d connections, want 0", code, n)
		}
		unguarded, _ := plain(net.DefaultResolver)
		req, _ := get(t, chain.URL)
		if res, err := unguarded.Do(req); err == nil {
			res.Body.Close()
		}
		if n := bird.count(t); n != 1 {
			t.Errorf("control: %d: a plain client reached the canary %d times, want 1", code, n)
		}
	}
}

func TestProxyVariablesAreIgnored(t *testing.T) {
	t.Parallel()
	client := New(Options{})
	for _, owner := range []string{"", "tenant"} {
		if client.transports.get(owner).Proxy != nil {
			t.Errorf("owner %q: the transport has a proxy", owner)
		}
	}
}

// Operators may name networks of their own. Everything else stays refused.
func TestPermittedNetworks(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	t.Cleanup(server.Close)
	get := func(c *Client, url string) error {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Do("test", req)
		if err == nil {
			res.Body.Close()
		}
		return err
	}
	if err := get(New(Options{}), server.URL); err == nil {
		t.Error("loopback is dialled without a permission")
	}
	own := New(Options{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}})
	if _, err := own.CheckURL(server.URL); err != nil {
		t.Errorf("a permitted address gives %v", err)
	}
	if err := get(own, server.URL); err != nil {
		t.Errorf("dialling it gives %v", err)
	}
	for _, url := range []string{"http://127.0.0.2:13013/", "http://10.0.0.1/", "http://192.0.2.7/", "http://[::1]:80/", "http://1.1.1.1/"} {
		if _, err := own.CheckURL(url); err == nil {
			t.Errorf("%s may be saved", url)
		}
	}
	if err := get(own, "http://1.1.1.1:9/"); err == nil {
		t.Error("a public address may be dialled on any port")
	}
}
