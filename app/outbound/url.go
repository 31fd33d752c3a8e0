package outbound

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"heliograph/app/fault"
)

const (
	maxURL         = 2048            // characters
	resolveTimeout = 3 * time.Second // for the lookup while a form is submitted
)

// hostname converts a name to the ASCII form that is resolved (UTS #46,
// non-transitional). It converts width and dot variants to plain digits and dots
// before the host is checked for being an address.
var hostname = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.CheckHyphens(false), idna.VerifyDNSLength(true))

// CheckURL checks whether raw may be saved as a destination and returns it
// parsed, with its host in ASCII. It requires https, at most 2,048 characters, no
// user name, no fragment, an allowed port and a host that resolves to public
// addresses only. With AllowLoopback a loopback host may use http and any port.
//
// An Invalid error says what to change. Names that do not exist and names of
// internal addresses have the same message, so that it does not reveal which
// internal names exist. An address of this installation that Inside owns is accepted
// without a lookup. A resolver that does not answer within three seconds is
// Unavailable.
func (c *Client) CheckURL(raw string) (*url.URL, error) {
	u, err := c.parse(raw)
	if err != nil {
		return nil, err
	}
	if c.isInside(u) {
		return u, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), resolveTimeout)
	defer cancel()
	addrs, err := c.dialer.Resolver.LookupNetIP(ctx, "ip", u.Hostname())
	if dns, ok := err.(*net.DNSError); ok && !dns.IsNotFound {
		return nil, &fault.Error{Kind: fault.Unavailable, Err: err,
			Message: "The name server for " + u.Hostname() + " did not answer. Try again in a minute."}
	}
	if len(addrs) == 0 {
		return nil, notPublic(u.Hostname(), err)
	}
	for _, a := range addrs {
		if !c.guard.addr(a.Unmap()) {
			return nil, notPublic(u.Hostname(), nil)
		}
		if u.Scheme != "https" && !c.loopbackHost(u.Hostname()) && !c.guard.permits(a.Unmap()) {
			return nil, errNoTLS
		}
	}
	return u, nil
}

// parse applies the rules for a saved destination that need no network.
func (c *Client) parse(raw string) (*url.URL, error) {
	if len(raw) > maxURL {
		return nil, invalid("The URL is longer than 2,048 characters. Enter a shorter one.")
	}
	if strings.Contains(raw, "#") {
		return nil, invalid("Remove the fragment (everything from #) from the URL.")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, &fault.Error{Kind: fault.Invalid, Err: err,
			Message: "Enter a complete URL such as https://hooks.example.com/statuses."}
	}
	if u, err = c.inspect(u); err != nil {
		return nil, err
	}
	// In a permitted network http will do. CheckURL finds out whether it is one.
	if u.Scheme != "https" && !c.loopbackHost(u.Hostname()) && len(c.guard.permitted) == 0 && !c.isInside(u) {
		return nil, errNoTLS
	}
	return u, nil
}

var errNoTLS = invalid("The URL must begin with https://.")

// inspect applies the rules for every request and returns a copy of u with its
// host in ASCII.
func (c *Client) inspect(u *url.URL) (*url.URL, error) {
	switch {
	case u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "":
		return nil, invalid("The URL must begin with https://.")
	case u.User != nil:
		return nil, invalid("Remove the user name and password from the URL; send credentials in a header.")
	case strings.ContainsFunc(u.RawQuery, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, invalid("Percent-encode spaces and non-ASCII characters in the URL's query.")
	case c.isInside(u):
		out := *u
		return &out, nil
	}
	host, err := c.asciiHost(u.Hostname())
	if err != nil {
		return nil, err
	}
	port := u.Port()
	if port != "" && !c.loopbackHost(host) && !c.portAllowed(port) && len(c.guard.permitted) == 0 {
		return nil, invalid("Port %s is not allowed. Use a URL on port 443.", port)
	}
	out := *u
	out.Host = host
	if strings.Contains(host, ":") {
		out.Host = "[" + host + "]"
	}
	if port != "" {
		out.Host += ":" + port
	}
	return &out, nil
}

// asciiHost returns the ASCII form of a host. Names with a number as last label
// are refused, because resolvers disagree on whether 0x7f.1 or 2130706433 is an
// address, and no public name has this form (the WHATWG URL standard calls it
// "ends in a number").
func (c *Client) asciiHost(name string) (string, error) {
	if a, err := netip.ParseAddr(name); err == nil {
		if !c.guard.addr(a) {
			return "", notPublic(name, nil)
		}
		return a.String(), nil
	}
	ascii, err := hostname.ToASCII(name)
	if err != nil {
		return "", &fault.Error{Kind: fault.Invalid, Message: "The URL's host is not a valid name. Check its spelling.", Err: err}
	}
	if _, err := netip.ParseAddr(ascii); err == nil && ascii != name {
		return c.asciiHost(ascii)
	}
	if c.loopbackHost(ascii) {
		return ascii, nil
	}
	dot := strings.LastIndexByte(ascii, '.')
	switch last := ascii[dot+1:]; {
	case last == "":
		return "", invalid("Remove the dot at the end of the URL's host.")
	case isNumber(last):
		return "", invalid("Write an IPv4 address as four decimal numbers without leading zeros.")
	case dot < 0 && len(c.guard.permitted) == 0:
		return "", invalid("Enter the host's full name, for example hooks.example.com.")
	}
	return ascii, nil
}

// loopbackHost reports whether loopback is allowed and the host is loopback by
// its name, without a lookup.
func (c *Client) loopbackHost(host string) bool {
	if !c.guard.loopback {
		return false
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return isLoopback(a)
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// portAllowed reports whether the guard allows a port.
func (c *Client) portAllowed(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && port == strconv.FormatUint(n, 10) && slices.Contains(c.guard.ports, uint16(n))
}

// isNumber reports whether some resolvers treat a label as a number.
func isNumber(label string) bool {
	digits, hex := strings.CutPrefix(label, "0x")
	for _, r := range digits {
		if !('0' <= r && r <= '9' || hex && 'a' <= r && r <= 'f') {
			return false
		}
	}
	return true
}

func invalid(format string, args ...any) error { return fault.New(fault.Invalid, format, args...) }

func notPublic(host string, err error) error {
	return &fault.Error{Kind: fault.Invalid, Err: err,
		Message: host + " does not lead to a public internet address. Use a host that anyone on the internet can reach."}
}
