//go:build cgo

package outbound

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"testing"
)

// The C library reads octal, hexadecimal and short forms as addresses where
// Go's resolver asks a name server, so the guard has to hold under both. The
// choice is made once per process, hence the second one.
func TestHostileTargetsUnderTheCResolver(t *testing.T) {
	t.Parallel()
	if os.Getenv("GODEBUG") == useCResolver {
		hostileTargetsUnderTheCResolver(t)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=1m")
	cmd.Env = append(os.Environ(), "GODEBUG="+useCResolver)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("under %s: %v\n%s", useCResolver, err, out)
	}
	t.Logf("under %s:\n%s", useCResolver, out)
}

const useCResolver = "netdns=cgo"

// Only forms that the C library resolves by itself are tried: no query leaves
// the machine.
func hostileTargetsUnderTheCResolver(t *testing.T) {
	t.Helper()
	bird := newCanary(t)
	resolver := net.DefaultResolver
	client, dialled := guarded(t, Options{Ports: []uint16{bird.port}}, resolver)
	unguarded, would := plain(resolver)

	hosts := []string{"localhost", "0", "127.1", "127.0.1", "0x7f.1", "0177.1", "0x7f.0x1"}
	for _, address := range innerAddresses {
		hosts = append(hosts, numeric(address)...)
	}
	for _, host := range hosts {
		raw := fmt.Sprintf("http://%s:%d/", host, bird.port)
		if _, err := client.CheckURL(raw); err == nil {
			t.Errorf("CheckURL(%q) passed", raw)
		}
		req, _ := get(t, raw)
		if _, err := client.Do("", req); err == nil {
			t.Errorf("Do reached %q", raw)
		}
		if _, err := client.transports.get("").RoundTrip(req.Clone(t.Context())); err == nil {
			t.Errorf("the transport reached %q", raw)
		}
	}
	if n := bird.count(t); n != 0 || len(dialled.all()) != 0 {
		t.Errorf("the canary saw %d connections and the guard passed %v, want none", n, dialled.all())
	}

	for _, host := range hosts {
		req, _ := get(t, fmt.Sprintf("http://%s:%d/", host, bird.port))
		if res, err := unguarded.Do(req); err == nil {
			res.Body.Close()
		}
	}
	n := bird.count(t)
	t.Logf("%d hosts: a plain client dialled %d times and reached the canary %d times", len(hosts), len(would.all()), n)
	if n < 10 {
		t.Errorf("control: a plain client reached the canary %d times, want at least 10; the test cannot fail", n)
	}
}
