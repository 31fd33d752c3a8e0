package outbound

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// canary is a server on both loopback addresses at one port that nobody should
// reach. It counts connections and hangs up.
type canary struct {
	port uint16
	hits atomic.Int64
}

func newCanary(t testing.TB) *canary {
	t.Helper()
	c := &canary{}
	for range 20 { // until one port is free on both addresses
		four, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		c.port = four.Addr().(*net.TCPAddr).AddrPort().Port()
		six, err := net.Listen("tcp6", net.JoinHostPort("::1", strconv.Itoa(int(c.port))))
		if err != nil {
			four.Close()
			continue
		}
		for _, l := range []net.Listener{four, six} {
			t.Cleanup(func() { l.Close() })
			go c.accept(l)
		}
		return c
	}
	t.Fatal("no port was free on both loopback addresses")
	return nil
}

func (c *canary) accept(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		c.hits.Add(1)
		conn.Close()
	}
}

// count gives the connections made so far. It makes one of its own to each
// address and waits for them, since connections are accepted in their order.
func (c *canary) count(t testing.TB) int64 {
	t.Helper()
	for _, host := range []string{"127.0.0.1", "::1"} {
		conn, err := net.Dial("tcp", net.JoinHostPort(host, strconv.Itoa(int(c.port))))
		if err != nil {
			t.Fatal(err)
		}
		conn.SetReadDeadline(time.Now().Add(5 * time.Second))
		if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
			t.Fatalf("waiting for the canary to hang up: %v", err)
		}
		conn.Close()
	}
	return c.hits.Add(-2)
}

// dials records the addresses that a dialer was about to connect to.
type dials struct {
	mu        sync.Mutex
	addresses []string
}

var errNowhere = errors.New("nothing leaves the machine")

// record makes d note each address that passes its Control, and lets none but
// loopback be connected to.
func record(d *net.Dialer) *dials {
	r, guard := &dials{}, d.Control
	d.Control = func(network, address string, c syscall.RawConn) error {
		if guard != nil {
			if err := guard(network, address, c); err != nil {
				return err
			}
		}
		r.mu.Lock()
		r.addresses = append(r.addresses, address)
		r.mu.Unlock()
		ap, err := netip.ParseAddrPort(address)
		if err != nil || !ap.Addr().IsLoopback() && !ap.Addr().IsUnspecified() {
			return errNowhere
		}
		return nil
	}
	return r
}

func (r *dials) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.addresses
}

// plain is what the standard library gives without a guard.
func plain(resolver *net.Resolver) (*http.Client, *dials) {
	d := &net.Dialer{Timeout: 2 * time.Second, Resolver: resolver}
	r := record(d)
	return &http.Client{
		Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true},
		Timeout:   2 * time.Second,
	}, r
}

// guarded is a client under test with its dials recorded.
func guarded(t testing.TB, o Options, resolver *net.Resolver) (*Client, *dials) {
	t.Helper()
	o.Timeout = 2 * time.Second
	c := New(o)
	c.dialer.Resolver = resolver
	return c, record(c.dialer)
}
