//go:build drill && linux

package main

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"heliograph/app/documentation/editorial"
	"heliograph/db/seed"
)

// TestSimulatorsWithoutNetworkDrill serves the simulators in a network that leads nowhere:
// every example shows its phone, is checked when it is sent, and nothing tries to connect.
//
//	go test -tags drill -run SimulatorsWithoutNetworkDrill -v ./app
func TestSimulatorsWithoutNetworkDrill(t *testing.T) {
	withNetwork(t, nil, simulateWithoutNetwork)
}

func simulateWithoutNetwork(t *testing.T) {
	f := newFleet(t)
	if err := editorial.Seed(t.Context(), f.pool, seed.Files); err != nil {
		t.Fatal(err)
	}
	web := f.start("web")
	reader := newVisitor(t)
	before := unroutable(t)
	shown := 0
	for _, channel := range []string{"messaging", "rcs", "sms"} {
		page := web.url + "/simulators/" + channel
		options := reader.get(page).document.Find("#field-example option")
		options.Each(func(_ int, option *goquery.Selection) {
			name := option.AttrOr("value", "")
			example := reader.get(page + "?example=" + url.QueryEscape(name))
			sent := reader.post(page, page, "text", example.document.Find("#field-text").Text(), "operation", example.document.Find("#field-operation option[selected]").AttrOr("value", ""))
			if example.status != http.StatusOK || example.document.Find(".sim-phone").Length() != 1 || sent.status != http.StatusOK || sent.document.Find(".sim-phone").Length() != 1 {
				t.Errorf("%s %s: %d, sent %d %s", channel, name, example.status, sent.status, sent.document.Find(".sim-problems").Text())
			}
			shown++
		})
	}
	if tried := unroutable(t) - before; tried != 0 || shown < 50 {
		t.Errorf("%d attempts to leave the network while %d examples were shown and sent", tried, shown)
	}
	// The counter counts.
	if c, err := net.DialTimeout("udp", "192.0.2.1:9", time.Second); err == nil {
		c.Close()
		t.Error("the network leads somewhere")
	}
	if unroutable(t) == before {
		t.Error("an attempt is not counted: the drill proves nothing")
	}
	fmt.Printf("%d examples shown and sent, 0 attempts to connect\n", shown)
	f.checkLogs()
}

// unroutable counts the attempts of this network to reach an address that no route leads
// to (OutNoRoutes of /proc/net/snmp).
func unroutable(t *testing.T) (n int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/net/snmp")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		switch {
		case fields[0] != "Ip:":
		case names == nil:
			names = fields
		default:
			for i, name := range names {
				if name == "OutNoRoutes" {
					n = int(number(t, fields[i]))
				}
			}
			return n
		}
	}
	t.Fatal("/proc/self/net/snmp has no counter OutNoRoutes")
	return 0
}
