//go:build drill && linux

package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

var drillInput = flag.Duration("drill.input", 30*time.Second, "how long the drill of hostile input sends each kind")

// hostileInput is a kind of input that costs more than it looks. One without a key comes
// from a stranger, the others from the key of a sandbox.
type hostileInput struct {
	name, method, path, kind string
	isKnown                  bool // sent with the key
	body                     func() io.Reader
	opened                   bool // only a connection that announces a body and sends a byte
}

// hostileInputs are ten kinds.
func hostileInputs(number string) []hostileInput {
	text := func(s string) func() io.Reader { return func() io.Reader { return strings.NewReader(s) } }
	const json, form = "application/json", "application/x-www-form-urlencoded"
	deep := strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)
	many := `{"messaging_product":"msgapp","to":"+919812345678","type":"contacts","contacts":[{}` + strings.Repeat(",{}", 330_000) + "]}"
	scans := append([]byte{0xff, 0xd8, 0xff, 0xc2, 0, 17, 8, 4, 0, 4, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1}, bytes.Repeat([]byte{0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0x11}, 30_000)...)
	upload := func() io.Reader {
		return io.MultiReader(strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"sheet\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"), bytes.NewReader(scans), strings.NewReader("\r\n--b--\r\n"))
	}
	return []hostileInput{
		{name: "bodies that are announced", method: http.MethodPost, path: "/genericapi/JSONGenericReceiver", kind: json, opened: true},
		{name: "a megabyte without a key", method: http.MethodPost, path: "/genericapi/JSONGenericReceiver", kind: json, body: text(`{"accesskey":"x","messages":[{"dest":["` + strings.Repeat("9", 1<<20-100) + `"]}]}`)},
		{name: "deep JSON to the assistant", method: http.MethodPost, path: "/mcp", kind: json, body: text(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + deep + "}")},
		{name: "passwords", method: http.MethodPost, path: "/login", kind: form, body: text(url.Values{"email": {"asha@example.com"}, "password": {strings.Repeat("x", 1000)}}.Encode())},
		{name: "long questions", method: http.MethodGet, path: "/search?q=" + url.QueryEscape(strings.Repeat("message template ", 100))},
		{name: "a form of many fields", method: http.MethodPost, path: "/contact-us", kind: form, body: text(strings.Repeat("name=x&", 20_000))},
		{name: "a message of many objects", method: http.MethodPost, path: "/v3/" + number + "/messages", kind: json, isKnown: true, body: text(many)},
		{name: "deep JSON with a key", method: http.MethodPost, path: "/api/v1/send-message", kind: json, isKnown: true, body: text(deep)},
		{name: "an image of many scans", method: http.MethodPost, path: "/v3/" + number + "/media", kind: "multipart/form-data; boundary=b", isKnown: true, body: upload},
		{name: "a text of many variables", method: http.MethodPost, path: "/v3/" + number + "/messages", kind: json, isKnown: true,
			body: text(`{"messaging_product":"msgapp","to":"+919812345678","type":"text","text":{"body":"` + strings.Repeat(`{{1}} *_~`, 60_000) + `"}}`)},
	}
}

// TestHostileInputDrill sends ten kinds of hostile input, each for half a minute, from
// strangers and from the key of a sandbox. Another organisation is served nearly as
// before, and the process stays small. The sender runs at the lowest priority, so that it
// takes the processors from the service no more than another machine would.
//
//	go test -tags drill -run HostileInputDrill -timeout 30m -v ./app
func TestHostileInputDrill(t *testing.T) {
	f := newFleet(t)
	f.run("seed")
	hostile, other := newSender(t, f, "asha@example.com"), newSender(t, f, "ravi@example.com")
	web := f.start("web")
	quiet := other.measure(t, web, *drillInput)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for i, kind := range hostileInputs(hostile.PhoneNumberID) {
		flood := exec.Command("nice", "-n", "19", self, "-test.run", "^TestHostileInput$", "-drill.input", drillInput.String()) //nolint:noctx,gosec // it ends by itself
		flood.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s %s %s", inputVar, i, web.url, hostile.PhoneNumberID, hostile.APIKey))
		var said bytes.Buffer
		flood.Stdout, flood.Stderr = &said, &said
		if err := flood.Start(); err != nil {
			t.Fatal(err)
		}
		attacked := other.measure(t, web, *drillInput)
		if err := flood.Wait(); err != nil {
			t.Fatalf("%s: %v\n%s", kind.name, err, &said)
		}
		peak := web.memory(t, peakMemory)
		t.Logf("%s: p99 of another organisation %v, %v before; peak memory %d MB", kind.name, attacked.Round(time.Microsecond), quiet.Round(time.Microsecond), peak>>20)
		if attacked > 2*quiet && attacked > 50*time.Millisecond {
			t.Errorf("%s: the p99 of another organisation is %v, more than twice %v", kind.name, attacked, quiet)
		}
		if peak > hostileMemory {
			t.Errorf("%s: the web process took %d MB, more than %d", kind.name, peak>>20, hostileMemory>>20)
		}
	}
	f.checkLogs()
}

// inputVar tells TestHostileInput the kind, the address of the service, the phone number
// and the key.
const inputVar = "HELIOGRAPH_DRILL_INPUT"

// TestHostileInput is the process that TestHostileInputDrill sends from.
func TestHostileInput(t *testing.T) {
	given := strings.Fields(os.Getenv(inputVar))
	if len(given) != 4 {
		t.Skip("run TestHostileInputDrill")
	}
	var at int
	if _, err := fmt.Sscan(given[0], &at); err != nil {
		t.Fatal(err)
	}
	kind := hostileInputs(given[2])[at]
	ctx, stop := context.WithTimeout(t.Context(), *drillInput)
	defer stop()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50}}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			for ctx.Err() == nil {
				if kind.opened {
					announce(ctx, strings.TrimPrefix(given[1], "http://"), kind.path)
					continue
				}
				var body io.Reader
				if kind.body != nil {
					body = kind.body()
				}
				r, err := http.NewRequestWithContext(ctx, kind.method, given[1]+kind.path, body)
				if err != nil {
					return
				}
				r.Header.Set("Content-Type", kind.kind)
				if kind.isKnown {
					r.Header.Set("apikey", given[3])
				}
				res, err := client.Do(r)
				if err != nil {
					continue
				}
				_, _ = io.Copy(io.Discard, res.Body)
				res.Body.Close()
			}
		})
	}
	wg.Wait()
}

// announce opens a connection, announces a megabyte and sends a byte of it.
func announce(ctx context.Context, host, path string) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", host)
	if err != nil {
		return
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{", path, host)
	if _, end := io.Copy(io.Discard, conn); errors.Join(err, end) != nil {
		return
	}
}
