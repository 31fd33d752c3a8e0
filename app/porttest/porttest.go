// Package porttest finds ports of this machine for programs that tests start.
package porttest

import (
	"math/rand/v2"
	"net"
	"testing"
)

// Free returns an address on loopback with a port that nobody listens on. The port is
// none of those that the system gives to outgoing connections, so that no client takes it
// before the program listens.
func Free(t testing.TB) (address string) {
	t.Helper()
	const first, last = 20000, 30000
	for range 100 {
		at := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: first + rand.IntN(last-first)}
		listener, err := net.ListenTCP("tcp", at)
		if err == nil {
			_ = listener.Close()
			return at.String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

// FreePort returns the port of [Free].
func FreePort(t testing.TB) string {
	t.Helper()
	_, port, err := net.SplitHostPort(Free(t))
	if err != nil {
		t.Fatal(err)
	}
	return port
}
