package outbound

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"heliograph/app/fault"
)

// local is a client for servers on loopback that gives up soon.
func local() *Client {
	return New(Options{AllowLoopback: true, Timeout: 2 * time.Second, HeaderTimeout: 1500 * time.Millisecond, MaxBody: 4096})
}

// serve runs a handler on loopback until the test ends.
func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// serveRaw answers each connection with whatever talk writes, once the head of
// the request has arrived, and gives the server's address.
func serveRaw(t testing.TB, talk func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				c.Read(make([]byte, 4096))
				talk(c)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

// drip writes one byte at a time until the other side is gone.
func drip(c net.Conn, text string) {
	i := 0
	for range time.Tick(5 * time.Millisecond) {
		if _, err := c.Write([]byte{text[i%len(text)]}); err != nil {
			return
		}
		i++
	}
}

func TestHostileServers(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		talk func(net.Conn)
		want string // part of the fault's message
	}{
		"silent":           {func(c net.Conn) { io.Copy(io.Discard, c) }, "did not answer in time"},
		"slow status line": {func(c net.Conn) { drip(c, "HTTP/1.1 200 OK") }, "did not answer in time"},
		"slow headers": {func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			drip(c, "X-Slow: loris\r\n")
		}, "did not answer in time"},
		"endless headers": {func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\n")
			for line := []byte("X-More: " + strings.Repeat("a", 1000) + "\r\n"); ; {
				if _, err := c.Write(line); err != nil {
					return
				}
			}
		}, "another protocol"},
		"endless continues": {func(c net.Conn) {
			for {
				if _, err := io.WriteString(c, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"); err != nil {
					return
				}
			}
		}, "another protocol"},
		"not HTTP": {func(c net.Conn) { io.WriteString(c, "220 mail.example.com ESMTP\r\n") }, "another protocol"},
		"hangs up": {func(net.Conn) {}, "another protocol"},
		"switches": {func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
			io.Copy(io.Discard, c)
		}, "another protocol"},
		"bad length": {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n") }, "another protocol"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req, _ := get(t, serveRaw(t, tc.talk))
			start := time.Now()
			res, err := local().Do("tenant", req)
			if !fault.Is(err, fault.Unavailable) || !strings.Contains(fault.As(err).Message, tc.want) {
				t.Errorf("Do = %v, %v, want an Unavailable fault with %q", res, err, tc.want)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("gave up after %v", took)
			}
		})
	}
}

// Receivers are promised ten seconds for the whole of an answer.
func TestReceiversHaveTenSeconds(t *testing.T) {
	t.Parallel()
	c := New(Options{})
	if got := c.transports.get("owner").ResponseHeaderTimeout; c.timeout != 10*time.Second || got != 0 && got < c.timeout {
		t.Errorf("an exchange may take %v, its headers %v", c.timeout, got)
	}
}

func TestHeaderTimeoutIsItsOwn(t *testing.T) {
	t.Parallel()
	req, _ := get(t, serveRaw(t, func(c net.Conn) { io.Copy(io.Discard, c) }))
	client := New(Options{AllowLoopback: true, Timeout: time.Hour, HeaderTimeout: 50 * time.Millisecond})
	start := time.Now()
	if _, err := client.Do("", req); err == nil || time.Since(start) > 5*time.Second {
		t.Errorf("Do = %v after %v, want it to give up on the headers", err, time.Since(start))
	}
}

func TestBodyIsBoundedInSizeAndTime(t *testing.T) {
	t.Parallel()
	huge := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		for chunk := bytes.Repeat([]byte("a"), 1000); ; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	slow := serveRaw(t, func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
		drip(c, "a")
	})

	req, _ := get(t, huge.URL)
	res, err := local().Do("tenant", req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	var over *http.MaxBytesError
	if !errors.As(err, &over) || len(got) != 4096 {
		t.Errorf("read %d bytes, then %v; want 4096, then *http.MaxBytesError", len(got), err)
	}

	req, _ = get(t, slow)
	start := time.Now()
	res, err = local().Do("tenant", req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Errorf("reading a slow body gave %v after %v, want the deadline", err, time.Since(start))
	}
}

func TestCompressedBodiesAreNotExpanded(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 2<<20))
	z.Close()
	var asked string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header.Get("Accept-Encoding")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(bomb.Bytes())
	})
	req, _ := get(t, s.URL)
	res, err := local().Do("tenant", req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got, err := io.ReadAll(res.Body); err != nil || !bytes.Equal(got, bomb.Bytes()) || asked != "" {
		t.Errorf("asked for %q and read %d bytes, %v; want the %d compressed ones unasked", asked, len(got), err, bomb.Len())
	}
}

func TestTLSFaultsAreNamed(t *testing.T) {
	t.Parallel()
	quiet := func(http.ResponseWriter, *http.Request) {}
	selfSigned := httptest.NewUnstartedServer(http.HandlerFunc(quiet))
	selfSigned.Config.ErrorLog = log.New(io.Discard, "", 0)
	selfSigned.StartTLS()
	t.Cleanup(selfSigned.Close)
	clear := serve(t, quiet)
	for raw, want := range map[string]string{
		selfSigned.URL: "certificate",
		strings.Replace(clear.URL, "http://", "https://", 1): "TLS handshake",
	} {
		req, _ := get(t, raw)
		if _, err := New(Options{AllowLoopback: true}).Do("tenant", req); !fault.Is(err, fault.Unavailable) || !strings.Contains(fault.As(err).Message, want) {
			t.Errorf("Do = %v, want an Unavailable fault about the %s", err, want)
		}
	}
}

func TestRefusalsDoNotNameAddresses(t *testing.T) {
	t.Parallel()
	client := New(Options{})
	for _, addr := range [][]string{{"10.1.2.3"}, nil} {
		client.dialer.Resolver = fakeDNS(t, always(addr...))
		req, _ := get(t, "https://inner.example.com/")
		_, err := client.Do("tenant", req)
		if want := "inner.example.com does not lead to a public internet address."; fault.As(err) == nil || fault.As(err).Message != want {
			t.Errorf("with the addresses %q: Do = %v, want %q", addr, err, want)
		}
	}
}

func TestClosedPortIsNamed(t *testing.T) {
	t.Parallel()
	req, _ := get(t, "http://127.0.0.1:1/") // tcpmux, which nothing serves
	if _, err := local().Do("", req); err == nil || !strings.Contains(fault.As(err).Message, "refused the connection") {
		t.Errorf("Do = %v, want a refused connection", err)
	}
}

func TestCallerMayCancel(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	url := serveRaw(t, func(c net.Conn) { close(arrived); io.Copy(io.Discard, c) })
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { <-arrived; cancel(errors.New("the worker stops")) }()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{AllowLoopback: true}).Do("", req); !errors.Is(err, context.Canceled) {
		t.Errorf("Do = %v, want context.Canceled within", err)
	}
}

func TestForeignHeadersAreDropped(t *testing.T) {
	t.Parallel()
	got := make(chan *http.Request, 1)
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { got <- r })
	req, _ := get(t, s.URL)
	req.Host = "inner.example.com"
	req.Trailer = http.Header{"X-Trailer": nil}
	for _, name := range []string{
		"Host", "Connection", "Transfer-Encoding", "Content-Length", "Cookie", "Proxy-Authorization", "Proxy-Connection",
		"X-Forwarded-For", "X-Forwarded-Host", "Forwarded", "X-Real-Ip", "Te", "Trailer", "Upgrade", "Keep-Alive", "Via", "Expect",
	} {
		req.Header.Set(name, "foreign")
	}
	req.Header.Set("X-Kept", "yes")
	res, err := local().Do("tenant", req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	r := <-got
	if want := strings.TrimPrefix(s.URL, "http://"); r.Host != want {
		t.Errorf("Host = %q, want %q", r.Host, want)
	}
	if want := (http.Header{"X-Kept": {"yes"}, "User-Agent": {"Heliograph/1"}}); fmt.Sprint(r.Header) != fmt.Sprint(want) {
		t.Errorf("arrived with %v, want %v", r.Header, want)
	}
	if req.Header.Get("Cookie") == "" || req.Host == "" {
		t.Error("the caller's request was changed")
	}
}
