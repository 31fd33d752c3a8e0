package outbound

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// innerAddresses are IPv4 addresses that no request may reach.
var innerAddresses = []string{
	"127.0.0.1", "127.8.9.10", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.254", "192.168.1.1",
	"169.254.169.254", "169.254.170.2", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192",
	"198.18.0.1", "192.88.99.1", "203.0.113.7", "224.0.0.1", "240.0.0.1", "255.255.255.255",
}

// spellings gives the host forms of an IPv4 address that some parser reads as
// that address.
func spellings(address string) []string {
	a := netip.MustParseAddr(address).As4()
	n := uint64(a[0])<<24 | uint64(a[1])<<16 | uint64(a[2])<<8 | uint64(a[3])
	hi, lo := n>>16, n&0xffff
	return append(numeric(address),
		address+".",
		fmt.Sprint(n+1<<32), // overflows back to the address
		strings.ReplaceAll(address, ".", "。"),
		strings.ReplaceAll(address, ".", "%E3%80%82"),
		strings.ReplaceAll(address, ".", "．"),
		each(address, 0xFF10),  // fullwidth digits
		each(address, 0x1D7D8), // mathematical double-struck digits
		"%"+strconv.FormatUint(uint64(address[0]), 16)+address[1:],
		address+"%00.example.com",
		"user@"+address,
		"example.com@"+address,
		"example.com%40@"+address,
		address+".nip.example",
		fmt.Sprintf("[::ffff:%s]", address),
		fmt.Sprintf("[::ffff:%x:%x]", hi, lo),
		fmt.Sprintf("[0:0:0:0:0:ffff:%s]", address),
		fmt.Sprintf("[::ffff:0:%s]", address),
		fmt.Sprintf("[::%s]", address),
		fmt.Sprintf("[64:ff9b::%s]", address),
		fmt.Sprintf("[64:ff9b:1::%s]", address),
		fmt.Sprintf("[2002:%x:%x::1]", hi, lo),
		fmt.Sprintf("[2001:0:4136:e378:8000:63bf:%x:%x]", hi^0xffff, lo^0xffff),
		fmt.Sprintf("[fe80::5efe:%s]", address),
	)
}

// numeric gives the forms that the C library's inet_aton takes.
func numeric(address string) []string {
	a := netip.MustParseAddr(address).As4()
	n := uint64(a[0])<<24 | uint64(a[1])<<16 | uint64(a[2])<<8 | uint64(a[3])
	return []string{
		address,
		fmt.Sprint(n),
		fmt.Sprintf("0x%x", n),
		fmt.Sprintf("0X%X", n),
		fmt.Sprintf("0%o", n),
		fmt.Sprintf("0x%x.0x%x.0x%x.0x%x", a[0], a[1], a[2], a[3]),
		fmt.Sprintf("0%o.0%o.0%o.0%o", a[0], a[1], a[2], a[3]),
		fmt.Sprintf("000%o.000%o.000%o.000%o", a[0], a[1], a[2], a[3]),
		fmt.Sprintf("%d.%d", a[0], n&0xffffff),
		fmt.Sprintf("%d.%d.%d", a[0], a[1], n&0xffff),
		fmt.Sprintf("0x%x.%d", a[0], n&0xffffff),
		fmt.Sprintf("0%o.%d.0x%x", a[0], a[1], n&0xffff),
	}
}

// each replaces the digits by digits of another block that begins at zero.
func each(address string, zero rune) string {
	return strings.Map(func(r rune) rune {
		if r == '.' {
			return r
		}
		return zero + r - '0'
	}, address)
}

// oddities are whole URLs; PORT stands for the canary's port.
var oddities = []string{
	"http://localhost:PORT/", "http://LOCALHOST:PORT/", "http://localhost.:PORT/", "http://a.localhost:PORT/",
	"http://localhost.localdomain:PORT/", "http://ip6-localhost:PORT/", "http://ⓛocalhost:PORT/",
	"http://localtest.example:PORT/", "http://spoofed.example:PORT/", "http://intranet:PORT/", "http://metadata:PORT/",
	"http://metadata.google.internal:PORT/computeMetadata/v1/", "http://kubernetes.default.svc:PORT/",
	"http://host.docker.internal:PORT/", "http://instance-data:PORT/latest/meta-data/", "http://vm:PORT/",
	"http://xn--lcalhost-9za.example:PORT/", "http://①②⑦.⓪.⓪.①:PORT/", "http://127。0。0。1:PORT/",
	"http://127.0.0.1:PORT@example.com/", "http://example.com:80@127.0.0.1:PORT/", "http://:@127.0.0.1:PORT/",
	"http://@127.0.0.1:PORT/", "http://example.com\\@127.0.0.1:PORT/", "http://127.0.0.1:PORT\\@example.com/",
	"http://127.0.0.1:PORT#@example.com/", "http://example.com#@127.0.0.1:PORT/", "http://127.0.0.1:PORT?@example.com/",
	"http://127.0.0.1%2eexample.com:PORT/", "http://127.0.0.1%09:PORT/", "http://127.0.0.1 :PORT/",
	"http://127.0.0.1\r\n:PORT/", "http://\t127.0.0.1:PORT/", " http://127.0.0.1:PORT/", "http:/127.0.0.1:PORT/",
	"http:127.0.0.1:PORT/", "http:///127.0.0.1:PORT/", "http:\\\\127.0.0.1:PORT\\", "//127.0.0.1:PORT/", "127.0.0.1:PORT",
	"http://127.1:PORT/", "http://127.0.1:PORT/", "http://0:PORT/", "http://0.0:PORT/", "http://00:PORT/", "http://0x0:PORT/",
	"http://:PORT/", "http://[]:PORT/", "http://[::]:PORT/", "http://[::1]:PORT/", "http://[0:0:0:0:0:0:0:1]:PORT/",
	"http://[0000:0000:0000:0000:0000:0000:0000:0001]:PORT/", "http://[::1%25lo]:PORT/", "http://[::1%25]:PORT/",
	"http://[::1]:PORT@example.com/", "http://[::1].example.com:PORT/", "http://[[::1]]:PORT/", "http://::1:PORT/",
	"http://[::127.0.0.1]:PORT/", "http://[fe80::1]:PORT/", "http://[fe80::1%25lo]:PORT/", "http://[fc00::1]:PORT/",
	"http://[fd00:ec2::254]:PORT/latest/meta-data/", "http://[fd20:ce::254]:PORT/", "http://[fec0::1]:PORT/",
	"http://[ff02::1]:PORT/", "http://[100::1]:PORT/", "http://[2001:db8::1]:PORT/", "http://[2001:10::1]:PORT/",
	"http://[2001:20::1]:PORT/", "http://[3fff::1]:PORT/", "http://[5f00::1]:PORT/", "http://[2620:4f:8000::1]:PORT/",
	"http://127.0.0.1:22/", "http://127.0.0.1:5432/", "http://127.0.0.1:65536/", "http://127.0.0.1:-1/", "http://127.0.0.1:0/",
	"http://127.0.0.1:0PORT/", "http://127.0.0.1:+PORT/", "http://127.0.0.1:PORT:80/", "http://127.0.0.1:80:PORT/",
	"http://example.com:22/", "http://example.com:25/", "http://example.com:6379/", "http://example.com:8080/",
	"https://127.0.0.1:PORT/", "https://localhost:PORT/", "https://[::1]:PORT/", "HTTP://127.0.0.1:PORT/",
	"file:///etc/passwd", "file://127.0.0.1/etc/passwd", "ftp://127.0.0.1:PORT/", "gopher://127.0.0.1:PORT/_x",
	"dict://127.0.0.1:PORT/", "ldap://127.0.0.1:PORT/", "ws://127.0.0.1:PORT/", "unix:///var/run/docker.sock",
	"http+unix://%2Fvar%2Frun%2Fdocker.sock/", "jar:http://127.0.0.1:PORT/!/", "data:text/html,x", "javascript:alert(1)",
	"netdoc:///etc/hosts", "tftp://127.0.0.1:PORT/", "", "http://", "https://", "http://.", "http://..", "http://-:PORT/",
	"http://a..example.com:PORT/", "http://under_score.example:PORT/", "http://exa mple.com:PORT/", "http://exa<mple.example:PORT/",
	"http://example.com:PORT/?a b", "http://example.com:PORT/?a HTTP/1.1\r\nHost: x", "http://" + strings.Repeat("a", 64) + ".example:PORT/",
	"http://" + strings.Repeat("a.", 130) + "example:PORT/", "http://example.com:PORT/" + strings.Repeat("a", 2048),
}

// corpus gives every hostile URL, aimed at the canary's port where the target
// can be the canary.
func corpus(port uint16) []string {
	var out []string
	for _, address := range innerAddresses {
		for _, host := range spellings(address) {
			out = append(out, fmt.Sprintf("http://%s:%d/", host, port))
		}
	}
	for _, raw := range oddities {
		out = append(out, strings.ReplaceAll(raw, "PORT", fmt.Sprint(port)))
	}
	return out
}
