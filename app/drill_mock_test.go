//go:build drill && linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// mockLoad is how long TestMockLoadDrill loads the mock server.
const mockLoad = time.Minute

// TestMockLoadDrill has 32 connections call the mock server for a minute, as fast as it
// answers and with everything that it does: examples, bodies to validate, broken ones,
// large ones, waits and faults. Messages of an organisation and pages of readers are
// answered as before. The sender runs at the lowest priority, so that it takes the
// processors from the service no more than another machine would.
//
//	go test -tags drill -run MockLoadDrill -v ./app
func TestMockLoadDrill(t *testing.T) {
	for name, limit := range map[string]string{"limited as in production": "20", "without a limit": "0"} {
		t.Run(name, func(t *testing.T) {
			f := newFleet(t)
			f.environ = append(f.environ, "RATE_MOCK="+limit)
			f.run("seed")
			other := newSender(t, f, "ravi@example.com")
			web := f.start("web")
			both := func() (messages, pages time.Duration) {
				var wg sync.WaitGroup
				wg.Go(func() { pages = web.readPages(t, mockLoad) })
				messages = other.measure(t, web, mockLoad)
				wg.Wait()
				return messages, pages
			}
			quietMessages, quietPages := both()
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			flood := exec.Command("nice", "-n", "19", self, "-test.run", "^TestMockFlood$", "-test.v")
			flood.Env = append(os.Environ(), mockFloodVar+"="+web.url+"/mock/business-messaging/3.0")
			var said bytes.Buffer
			flood.Stdout, flood.Stderr = &said, &said
			if err := flood.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(floodStart)
			messages, pages := both()
			if err := flood.Wait(); err != nil {
				t.Fatalf("%v\n%s", err, &said)
			}
			peak := web.memory(t, peakMemory)
			t.Logf("%s\npeak memory %d MB; p99 of messages %v before and %v meanwhile, of pages %v and %v", &said, peak>>20, quietMessages, messages, quietPages, pages)
			if peak > hostileMemory {
				t.Errorf("the web process took %d MB, more than %d", peak>>20, hostileMemory>>20)
			}
			for what, p99 := range map[string][2]time.Duration{"messages": {quietMessages, messages}, "pages": {quietPages, pages}} {
				if p99[1] > 2*p99[0] && p99[1] > 50*time.Millisecond {
					t.Errorf("the p99 of %s is %v, more than twice %v", what, p99[1], p99[0])
				}
			}
		})
	}
}

// readPages reads the page of an endpoint every 50 ms and returns the p99.
func (p *process) readPages(t *testing.T, duration time.Duration) time.Duration {
	t.Helper()
	var took []time.Duration
	end := time.Now().Add(duration)
	for tick := time.NewTicker(50 * time.Millisecond); time.Now().Before(end); <-tick.C {
		began := time.Now()
		res, err := http.Get(p.url + endpointPage)
		if err != nil {
			t.Error(err)
			continue
		}
		_, err = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("a page answers %d: %v", res.StatusCode, err)
		}
		took = append(took, time.Since(began))
	}
	return percentile(took, 99)
}

// mockFloodVar names the address of a mock for TestMockFlood.
const mockFloodVar = "HELIOGRAPH_DRILL_MOCK"

// TestMockFlood is the process that TestMockLoadDrill sends from. It logs how many
// answers of each status it got.
func TestMockFlood(t *testing.T) {
	mock := os.Getenv(mockFloodVar)
	if mock == "" {
		t.Skip("run TestMockLoadDrill")
	}
	const message = `{"messaging_product":"msgapp","recipient_type":"individual","to":"+919812345678","type":"text","text":{"body":"%s"}}`
	kinds := []struct{ method, path, body, prefer string }{
		{"GET", "/getuserdetails", "", ""},
		{"POST", "/1093847561029384/messages", fmt.Sprintf(message, "Hello"), ""},
		{"POST", "/1093847561029384/messages", strings.Replace(message, "+91", "", 1), ""},
		{"POST", "/1093847561029384/messages", fmt.Sprintf(message, strings.Repeat("Hello ", 100_000)), ""},
		{"GET", "/getuserdetails", "", "wait=1000"},
		{"GET", "/getuserdetails", "", "dynamic=true"},
		{"GET", "/getuserdetails", "", "fault=reset"},
	}
	end := time.Now().Add(floodStart + mockLoad)
	var answers [600]atomic.Int64
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}, Timeout: 15 * time.Second}
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for n := i; time.Now().Before(end); n++ {
				kind := kinds[n%len(kinds)]
				r, err := http.NewRequestWithContext(t.Context(), kind.method, mock+kind.path, strings.NewReader(kind.body))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("apikey", "key")
				if kind.body != "" {
					r.Header.Set("Content-Type", "application/json")
				}
				if kind.prefer != "" {
					r.Header.Set("Prefer", kind.prefer)
				}
				res, err := client.Do(r)
				if err != nil { // the fault that was asked for
					answers[0].Add(1)
					continue
				}
				_, _ = io.Copy(io.Discard, res.Body)
				res.Body.Close()
				answers[res.StatusCode].Add(1)
			}
		})
	}
	wg.Wait()
	for code := range answers {
		if n := answers[code].Load(); n > 0 {
			t.Logf("%d answers with status %d", n, code)
		}
	}
}
