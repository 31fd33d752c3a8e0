package outbound

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/fault"
)

func TestCheckURL(t *testing.T) {
	t.Parallel()
	long := "https://hooks.example.com/" + strings.Repeat("a", maxURL-26)
	for _, tc := range []struct{ raw, want string }{ // want: the URL given back, or part of the fault
		{"https://hooks.example.com/statuses?key=a%20b", "https://hooks.example.com/statuses?key=a%20b"},
		{"https://hooks.example.com:443/", "https://hooks.example.com:443/"},
		{"https://hooks.example.com:8443/", "https://hooks.example.com:8443/"},
		{"HTTPS://HOOKS.Example.COM/A", "https://hooks.example.com/A"},
		{"https://bücher.example.com/", "https://xn--bcher-kva.example.com/"},
		{"https://hooks。example．com/", "https://hooks.example.com/"},
		{"https://93.184.215.14/x", "https://93.184.215.14/x"},
		{"https://[2606:2800:21F:0::5]:443/x", "https://[2606:2800:21f::5]:443/x"},
		{"https://r3---sn-a.example.com/", "https://r3---sn-a.example.com/"},
		{long, long},
		{long + "a", "longer than 2,048"},
		{"", "begin with https://"},
		{"http://hooks.example.com/", "begin with https://"},
		{"ftp://hooks.example.com/", "begin with https://"},
		{"hooks.example.com/statuses", "begin with https://"},
		{"https:hooks.example.com", "begin with https://"},
		{"https://a b.example.com/", "complete URL"},
		{"https://hooks.example.com/#top", "fragment"},
		{"https://hooks.example.com/#", "fragment"},
		{"https://asha:secret@hooks.example.com/", "user name"},
		{"https://@hooks.example.com/", "user name"},
		{"https://hooks.example.com:8080/", "Port 8080"},
		{"https://hooks.example.com:0443/", "Port 0443"},
		{"https://hooks.example.com:99999/", "Port 99999"},
		{"https://hooks.example.com/?a b", "Percent-encode"},
		{"https://hooks.example.com/?ü", "Percent-encode"},
		{"https://hooks/", "full name"},
		{"https://hooks_1.example.com/", "valid name"},
		{"https://hooks..example.com/", "valid name"},
		{"https://hooks.example.com./", "Remove the dot"},
		{"https:///statuses", "valid name"},
		{"https://0x7f.1/", "four decimal numbers"},
		{"https://010.8.8.8/", "four decimal numbers"},
		{"https://hooks.example.0x/", "four decimal numbers"},
		{"https://10.0.0.1/", "public internet"},
		{"https://[::ffff:93.184.215.14]/", "public internet"},
		{"https://[2606:2800:21f::5%25eth0]/", "public internet"},
		{"https://localhost/", "full name"},
		{"https://missing.example.com/", "public internet"},
		{"https://inner.example.com/", "public internet"},
		{"https://mapped.example.com/", "public internet"},
	} {
		client, dialled := guarded(t, Options{Ports: []uint16{8443}}, fakeDNS(t, func(name string, _ int) []netip.Addr {
			switch name {
			case "missing.example.com.":
				return nil
			case "inner.example.com.":
				return always("93.184.215.14", "192.168.0.1")(name, 1)
			case "mapped.example.com.":
				return always("::ffff:192.168.0.1")(name, 1)
			}
			return always("93.184.215.14", "2606:2800:21f::5")(name, 1)
		}))
		checkURL(t, client, tc.raw, tc.want)
		if got := dialled.all(); len(got) != 0 {
			t.Errorf("CheckURL(%q) dialled %v", tc.raw, got)
		}
	}
}

func TestCheckURLWithLoopback(t *testing.T) {
	t.Parallel()
	client := New(Options{AllowLoopback: true})
	client.dialer.Resolver = fakeDNS(t, always("127.0.0.1"))
	for _, tc := range []struct{ raw, want string }{
		{"http://127.0.0.1:4000/hook", "http://127.0.0.1:4000/hook"},
		{"http://[::1]:4000/hook", "http://[::1]:4000/hook"},
		{"http://localhost:4000/hook", "http://localhost:4000/hook"},
		{"http://hook.localhost:4000/", "http://hook.localhost:4000/"},
		{"http://hook.example.com/", "begin with https://"},
		{"https://hook.example.com:4000/", "Port 4000"},
		{"http://192.168.0.1:4000/", "public internet"},
		{"http://169.254.169.254/", "public internet"},
		{"http://[::ffff:127.0.0.1]:4000/", "public internet"},
		{"http://127.1:4000/", "four decimal numbers"},
	} {
		checkURL(t, client, tc.raw, tc.want)
	}
}

// checkURL compares with the URL wanted or, for a refusal, a part of the fault.
func checkURL(t *testing.T, client *Client, raw, want string) {
	t.Helper()
	u, err := client.CheckURL(raw)
	switch {
	case strings.Contains(want, "://") && !strings.Contains(want, " "):
		if err != nil || u.String() != want {
			t.Errorf("CheckURL(%.80q) = %v, %v, want %.80s", raw, u, err, want)
		}
	case !fault.Is(err, fault.Invalid) || !strings.Contains(fault.As(err).Message, want):
		t.Errorf("CheckURL(%.80q) = %v, %v, want an Invalid fault about %q", raw, u, err, want)
	}
}

func TestCheckURLWhenTheNameServerIsAway(t *testing.T) {
	t.Parallel()
	client := New(Options{})
	client.dialer.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no name server")
	}}
	if _, err := client.CheckURL("https://hooks.example.com/"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("CheckURL = %v, want an Unavailable fault", err)
	}
}

// FuzzCheckURL holds accepted URLs against rules written apart from the code.
func FuzzCheckURL(f *testing.F) {
	for _, raw := range corpus(8443) {
		f.Add(raw)
	}
	f.Add("https://bücher.example.com:8443/a?b=c")
	f.Add("https://93.184.215.14/")
	client := New(Options{Ports: []uint16{8443}})
	client.dialer.Resolver = fakeDNS(f, always("93.184.215.14"))
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := client.CheckURL(raw)
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("CheckURL(%q) = %v, want a fault", raw, err)
			}
			return
		}
		if u.Scheme != "https" || u.User != nil || u.Opaque != "" || u.Fragment != "" || len(raw) > 2048 {
			t.Fatalf("CheckURL(%q) accepted %#v", raw, u)
		}
		if p := u.Port(); p != "" && p != "80" && p != "443" && p != "8443" {
			t.Fatalf("CheckURL(%q) accepted port %s", raw, p)
		}
		host := u.Hostname()
		if strings.Trim(host, "abcdefghijklmnopqrstuvwxyz0123456789-.:") != "" {
			t.Fatalf("CheckURL(%q) gave the host %q", raw, host)
		}
		if a, err := netip.ParseAddr(host); err == nil && (!a.IsGlobalUnicast() || a.IsPrivate() || a.Is4In6()) {
			t.Fatalf("CheckURL(%q) accepted the address %s", raw, a)
		}
		again, err := url.Parse(u.String())
		if err != nil || again.Host != u.Host {
			t.Fatalf("CheckURL(%q) gave %q, which reads back as %v, %v", raw, u, again, err)
		}
		if _, err := http.NewRequest(http.MethodPost, u.String(), nil); err != nil {
			t.Fatalf("CheckURL(%q) gave %q: %v", raw, u, err)
		}
	})
}
