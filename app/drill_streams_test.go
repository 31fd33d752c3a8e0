//go:build drill && linux

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const (
	openPages   = 1_000
	pagesOfUser = 8
	// streamMemory is the most that a stream may take, in bytes.
	streamMemory = 100 << 10
)

// TestStreamsDrill keeps 1,000 pages open on one web process while something
// happens twice a second. It reports memory and the p99 of other pages beside the
// same pages without streams.
//
//	go test -tags drill -run StreamsDrill -v ./app
func TestStreamsDrill(t *testing.T) {
	f := newFleet(t)
	f.run("seed")
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	f.exec(t, `insert into organisation_users (organisation_id, name, email, password_hash, role, active)
		select organisation_id, 'Ravi', 'r' || n || '@example.com', password_hash, 'developer', true from organisation_users, generate_series(1, $1) n where email = $2`,
		openPages/pagesOfUser, people.Organisation.Email)
	web := f.start("web")
	owner := f.signIn(t, web, people.Organisation.Email, people.Organisation.Password)
	pages := []*http.Request{f.get(t, web.url+endpointPage, nil), f.get(t, web.url+"/account", owner)}
	quiet, memory := f.measure(t, pages), web.memory(t, residentMemory)

	var events atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	client := &http.Client{Transport: &http.Transport{}}
	for n := range openPages / pagesOfUser {
		session := f.signIn(t, web, fmt.Sprintf("r%d@example.com", n+1), people.Organisation.Password)
		for range pagesOfUser {
			f.openStream(ctx, t, client, web.url+"/account/events", session, &events)
		}
	}
	go func() {
		for tick := time.NewTicker(500 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			_, _ = f.pool.Exec(ctx, `select pg_notify('heliograph', 'live:messages:0')`)
		}
	}()
	waitUntil(t, time.Minute, "every page hears of it", func() bool { return events.Load() >= openPages })
	busy, full := f.measure(t, pages), web.memory(t, residentMemory)
	t.Logf("memory: %d MB without streams, %d MB with %d", memory>>20, full>>20, openPages)
	for i, r := range pages {
		t.Logf("p99 of %s: %v without streams, %v with them", r.URL.Path, quiet[i], busy[i])
	}
	t.Logf("%d events", events.Load())
	if each := (full - memory) / openPages; each > streamMemory {
		t.Errorf("a stream takes %d kB, more than %d", each>>10, streamMemory>>10)
	}
}

func (f *fleet) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := f.pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func (f *fleet) get(t *testing.T, address string, session []*http.Cookie) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, cookie := range session {
		r.AddCookie(cookie)
	}
	return r
}

// signIn returns the cookies of a new session. One client signs in so many users
// here that the limits are taken back.
func (f *fleet) signIn(t *testing.T, web *process, email, password string) []*http.Cookie {
	t.Helper()
	f.exec(t, `delete from rate_limits`)
	v := newVisitor(t)
	v.must("signing in", http.StatusSeeOther, v.post(web.url+"/login", web.url+"/login", "email", email, "password", password))
	r := f.get(t, web.url, nil)
	return v.client.Jar.Cookies(r.URL)
}

// openStream connects to a stream and counts its events until the context ends.
func (f *fleet) openStream(ctx context.Context, t *testing.T, client *http.Client, address string, session []*http.Cookie, events *atomic.Int64) {
	t.Helper()
	r := f.get(t, address, session).WithContext(ctx)
	r.Header.Set("Accept", "text/event-stream")
	res, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		t.Fatalf("a stream gives %d", res.StatusCode)
	}
	go func() {
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "event: messages") {
				events.Add(1)
			}
		}
	}()
}

// measure returns the p99 of each request from eight clients in ten seconds.
func (f *fleet) measure(t *testing.T, requests []*http.Request) []time.Duration {
	t.Helper()
	p99 := make([]time.Duration, len(requests))
	for i, r := range requests {
		var mu sync.Mutex
		var took []time.Duration
		var wg sync.WaitGroup
		end := time.Now().Add(10 * time.Second)
		for range 8 {
			wg.Go(func() {
				client := &http.Client{Transport: &http.Transport{}}
				defer client.CloseIdleConnections()
				for time.Now().Before(end) {
					began := time.Now()
					res, err := client.Do(r.Clone(t.Context()))
					if err != nil || res.StatusCode != http.StatusOK {
						t.Errorf("%s: %v", r.URL.Path, err)
						return
					}
					_, _ = io.Copy(io.Discard, res.Body)
					_ = res.Body.Close()
					mu.Lock()
					took = append(took, time.Since(began))
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		slices.Sort(took)
		p99[i] = took[len(took)*99/100]
	}
	return p99
}

var residentMemory = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// memory returns the resident memory of a process in bytes.
func (p *process) memory(t *testing.T, what *regexp.Regexp) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	kilobytes, err := strconv.Atoi(string(what.FindSubmatch(status)[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kilobytes << 10
}
