package outbound

import (
	"errors"
	"net/netip"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"

	"heliograph/app/operation/metric"
)

// alwaysDenied lists public addresses that serve the machine's own platform.
// No registry of special ranges contains them.
var alwaysDenied = []netip.Prefix{
	netip.MustParsePrefix("168.63.129.16/32"), // Azure's virtual platform host
}

var (
	loopback4 = netip.MustParsePrefix("127.0.0.0/8")
	loopback6 = netip.MustParsePrefix("::1/128")
)

// guard decides which addresses may be dialled: public ones on the allowed ports
// and, in development, loopback on any port.
type guard struct {
	public   *ssrf.Guardian
	ports    []uint16 // of public destinations
	loopback bool
	// permitted networks are not public but may be dialled on any port.
	permitted []netip.Prefix
}

// newGuard returns a guard for the ports of public destinations. The
// special-purpose ranges come from IANA's registries, by the ssrf module.
func newGuard(o Options, ports ...uint16) *guard {
	var v4, v6 []netip.Prefix
	v4 = append(v4, alwaysDenied...)
	for _, p := range o.Denied {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	return &guard{
		public: ssrf.New(
			ssrf.WithPorts(ports...),
			ssrf.WithDeniedV4Prefixes(v4...),
			ssrf.WithDeniedV6Prefixes(v6...),
		),
		ports:    ports,
		loopback: o.AllowLoopback,
	}
}

// control is the net.Dialer.Control function. It checks the address before the
// connection and refuses it with an error for which isDenied is true.
func (g *guard) control(network, address string, c syscall.RawConn) error {
	if ap, err := netip.ParseAddrPort(address); err == nil && (g.loopback && isLoopback(ap.Addr()) || g.permits(ap.Addr())) {
		return nil
	}
	err := g.public.Safe(network, address, c)
	if err != nil {
		metric.Refused()
	}
	return err
}

// addr reports whether an address may be dialled on some port. Zoned and
// IPv4-mapped IPv6 addresses may not.
func (g *guard) addr(a netip.Addr) bool {
	return g.loopback && isLoopback(a) || g.permits(a) || g.public.SafeAddr(a) == nil
}

// permits reports whether an address lies in a permitted network.
func (g *guard) permits(a netip.Addr) bool {
	return slices.ContainsFunc(g.permitted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// isLoopback is like netip.Addr.IsLoopback without IPv4-mapped addresses, which
// are used to bypass checks.
func isLoopback(a netip.Addr) bool { return loopback4.Contains(a) || loopback6.Contains(a) }

// isDenied reports whether the guard refused the dial.
func isDenied(err error) bool {
	return errors.Is(err, ssrf.ErrProhibitedIP) || errors.Is(err, ssrf.ErrProhibitedPort) ||
		errors.Is(err, ssrf.ErrProhibitedNetwork) || errors.Is(err, ssrf.ErrInvalidHostPort)
}
