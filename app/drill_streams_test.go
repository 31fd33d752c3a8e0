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
	offices     = 25 // organisations with open pages
	// streamMemory is the most that a stream may take, in bytes.
	streamMemory = 100 << 10
	// slower is how much slower the p99 of other pages may be than without
	// streams, and slack is what a busy machine may add.
	slower, slack = 4, 100 * time.Millisecond
)

// TestStreamsDrill keeps 1,000 pages open on one web process. They refresh their
// list of messages like browsers do: twice a second the pages of one organisation, and
// once all of them, since the process lost its connection to the database. It
// reports memory and the p99 of other pages beside the same pages without streams.
//
//	go test -tags drill -run StreamsDrill -v ./app
func TestStreamsDrill(t *testing.T) {
	f := newFleet(t)
	f.run("seed")
	people, err := createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	f.exec(t, `insert into organisations (id, name, status, sandbox, verified_at) overriding system value
		select 5000 + n, 'Office ' || n, 'active', true, now() from generate_series(0, $1 - 1) n`, offices)
	f.exec(t, `insert into organisation_users (organisation_id, name, email, password_hash, role, active)
		select 5000 + n % $3, 'Ravi', 'r' || n || '@example.com', password_hash, 'developer', true from organisation_users, generate_series(1, $1) n where email = $2`,
		openPages/pagesOfUser, people.Organisation.Email, offices)
	f.exec(t, `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state)
		select gen_random_uuid(), 5000 + n % $1, 'messaging', 1, '919812345678', 'text', '{"type":"text"}', 'delivered' from generate_series(1, 100 * $1) n`, offices)
	web := f.start("web")
	owner := f.signIn(t, web, people.Organisation.Email, people.Organisation.Password)
	pages := []*http.Request{f.get(t, web.url+endpointPage, nil), f.get(t, web.url+"/account", owner)}
	quiet, memory := f.measure(t, pages), web.memory(t, residentMemory)

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	tabs := &openTabs{client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}, address: web.url}
	for n := range openPages / pagesOfUser {
		session := f.signIn(t, web, fmt.Sprintf("r%d@example.com", n+1), people.Organisation.Password)
		for range pagesOfUser {
			tabs.open(ctx, t, f, session)
		}
	}
	waitUntil(t, 2*time.Minute, "every page has refreshed", func() bool { return tabs.refreshed.Load() >= openPages })
	go func() {
		for n, tick := 0, time.NewTicker(500*time.Millisecond); ctx.Err() == nil; n++ {
			_, _ = f.pool.Exec(ctx, `select pg_notify('heliograph', 'live:messages:' || $1)`, strconv.Itoa(5000+n%offices))
			<-tick.C
		}
	}()
	tabs.forget()
	busy, full := f.measure(t, pages), web.memory(t, residentMemory)
	t.Logf("%d refreshes while the pages of one organisation change at a time: p99 %v", tabs.refreshed.Load(), tabs.p99())
	tabs.forget()
	f.exec(t, `select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen heliograph'`)
	all := f.measure(t, pages)
	waitUntil(t, 2*time.Minute, "every page has refreshed again", func() bool { return tabs.refreshed.Load() >= openPages })
	t.Logf("%d refreshes while all pages change: p99 %v", tabs.refreshed.Load(), tabs.p99())
	most := web.memory(t, peakMemory)
	t.Logf("memory: %d MB without streams, %d MB with %d, %d MB at most", memory>>20, full>>20, openPages, most>>20)
	for i, r := range pages {
		t.Logf("p99 of %s: %v without streams, %v with them, %v while all pages change", r.URL.Path, quiet[i], busy[i], all[i])
		if bound := slower*quiet[i] + slack; busy[i] > bound || all[i] > bound {
			t.Errorf("%s is slower than %v", r.URL.Path, bound)
		}
	}
	if each := (full - memory) / openPages; each > streamMemory {
		t.Errorf("a stream takes %d kB, more than %d", each>>10, streamMemory>>10)
	}
	if n := tabs.failed.Load(); n > 0 {
		t.Errorf("%d refreshes failed", n)
	}
}

// openTabs are open pages that refresh.
type openTabs struct {
	client            *http.Client
	address           string
	refreshed, failed atomic.Int64

	mu   sync.Mutex
	took []time.Duration
}

// open opens a page, and refreshes it at its events until the context ends.
func (o *openTabs) open(ctx context.Context, t *testing.T, f *fleet, session []*http.Cookie) {
	t.Helper()
	r := f.get(t, o.address+"/account/events", session).WithContext(ctx)
	r.Header.Set("Accept", "text/event-stream")
	res, err := o.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		t.Fatalf("a stream gives %d", res.StatusCode)
	}
	part := f.get(t, o.address+"/account/messages", session).WithContext(ctx)
	for name, value := range map[string]string{"HX-Request": "true", "HX-Target": "list", "X-Live": "true", "Accept-Encoding": "gzip"} {
		part.Header.Set(name, value)
	}
	go func() {
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if event, _ := strings.CutPrefix(lines.Text(), "event: "); event == "messages" || event == "sync" {
				o.refresh(part)
			}
		}
	}()
}

func (o *openTabs) refresh(part *http.Request) {
	began := time.Now()
	res, err := o.client.Do(part)
	if part.Context().Err() != nil {
		return
	}
	if err != nil {
		o.failed.Add(1)
		return
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK {
		o.failed.Add(1)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.took = append(o.took, time.Since(began))
	o.refreshed.Add(1)
}

// forget begins to count and to measure refreshes again.
func (o *openTabs) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.took = nil
	o.refreshed.Store(0)
}

func (o *openTabs) p99() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	slices.Sort(o.took)
	return o.took[len(o.took)*99/100]
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
