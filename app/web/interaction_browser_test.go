//go:build browser

package web_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/views/browsertest"
)

// line is a server with connections that a test slows down, counts and cuts.
type line struct {
	handler http.Handler
	address string
	server  *http.Server
	delay   atomic.Int64 // of responses that are no stream, in milliseconds
	streams atomic.Int64 // open
	posts   atomic.Int64
	gates   gates
}

func (l *line) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasSuffix(r.URL.Path, "/events") {
		joined := &firstWrite{ResponseWriter: w, do: sync.OnceFunc(func() { l.streams.Add(1) })}
		w = joined
		defer func() { joined.do(); l.streams.Add(-1) }()
	} else if strings.HasPrefix(r.URL.Path, "/account") || strings.HasPrefix(r.URL.Path, "/ui") {
		time.Sleep(time.Duration(l.delay.Load()) * time.Millisecond)
	}
	if r.Method == http.MethodPost {
		l.posts.Add(1)
	}
	l.gates.serve(w, r, l.handler)
}

// firstWrite does something before the first byte of a response: a stream writes
// it once events reach it.
type firstWrite struct {
	http.ResponseWriter
	do func()
}

func (f *firstWrite) Write(b []byte) (int, error) {
	f.do()
	return f.ResponseWriter.Write(b)
}

func (f *firstWrite) Unwrap() http.ResponseWriter { return f.ResponseWriter }

// start listens, at the address that it had before if there was one.
func (l *line) start(t *testing.T) {
	t.Helper()
	if l.address == "" {
		l.address = "127.0.0.1:0"
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", l.address)
	if err != nil {
		t.Fatal(err)
	}
	l.address = listener.Addr().String()
	l.server = &http.Server{Handler: l, ReadHeaderTimeout: time.Minute}
	go func(s *http.Server) { _ = s.Serve(listener) }(l.server)
}

// tab is a page of a browser with the session of a user.
type tab struct {
	t      *testing.T
	ctx    context.Context
	origin string
}

func (p tab) open(path string) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, chromedp.Navigate(p.origin+path)); err != nil {
		p.t.Fatal(err)
	}
}

func (p tab) run(script string) {
	p.t.Helper()
	browsertest.Evaluate[bool](p.t, p.ctx, `(() => { `+script+`; return true; })()`)
}

// await waits until a condition holds in the page and htmx has finished with it.
func (p tab) await(what, condition string) {
	p.t.Helper()
	script := `(() => { try { return !document.querySelector(".htmx-added, .htmx-settling, .htmx-swapping") && Boolean(` + condition + `); } catch { return false; } })()`
	var is bool
	pause := browsertest.Pauses()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); pause() {
		// An error is a page that is just being replaced.
		if now, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](script)); err == nil && now {
			is = true
			break
		}
	}
	if !is {
		p.t.Fatalf("%s does not come: %s", what, browsertest.Situation(p.t, p.ctx))
	}
}

// judge holds the page after a swap to the rules of axe-core.
func (p tab) judge(at string) {
	p.t.Helper()
	if found := browsertest.Judge(p.t, p.ctx); found != "" {
		p.t.Errorf("%s: %s", at, found)
	}
}

func (p tab) count(of *atomic.Int64, want int64, what string) {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); of.Load() != want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s: %d, want %d", what, of.Load(), want)
		}
	}
}

// reach waits until a counter that only grows is at least at want.
func (p tab) reach(of *atomic.Int64, want int64, what string) {
	p.t.Helper()
	for end := time.Now().Add(30 * time.Second); of.Load() < want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s: %d, want at least %d", what, of.Load(), want)
		}
	}
}

// stand is a site with a browser that is signed in to the account and to the
// administration.
type stand struct {
	tab
	line          *line
	pool          db.Beginner
	signals       *db.Signals
	heard         atomic.Int64 // signals that the hub has heard
	organisation  int64
	documentation *published.Documentation
}

func newStand(t *testing.T) *stand {
	t.Helper()
	pool := dbtest.Pool(t)
	listener, signals := db.NewListener(pool), db.NewSignals(pool)
	published := published.New(pool, listener)
	site := webtest.New(t, func(d *web.Deps) {
		d.DB, d.Listener, d.Signals, d.Documentation, d.Search = pool, listener, signals, published, search.New(pool, listener)
	})
	s := &stand{line: &line{handler: site.Server.Handler()}, pool: pool, signals: signals, documentation: published}
	listener.Subscribe(func(payload string) {
		if _, ok := db.ParseSignal(payload); ok {
			s.heard.Add(1)
		}
	})
	for _, run := range []func(context.Context){listener.Run, signals.Run, site.Server.Run} {
		go run(t.Context())
	}
	s.line.start(t)
	t.Cleanup(func() { _ = s.line.server.Close() })
	owner, organisation := site.SignIn(t, 0, identity.Owner)
	boss := site.SignInAdmin(t, identity.SuperAdmin)
	s.organisation = organisation
	s.tab = tab{t, browsertest.Open(t), "http://" + s.line.address}
	for name, c := range map[string]*webtest.Client{"heliograph": owner, "heliograph-admin": boss} {
		set := network.SetCookieParams{Name: name, Value: c.Cookie(name), URL: s.origin}
		if err := chromedp.Do(s.ctx, browsertest.Call(network.SetCookie, set)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func (s *stand) exec(sql string, args ...any) {
	s.t.Helper()
	if _, err := s.pool.Exec(s.t.Context(), sql, args...); err != nil {
		s.t.Fatal(err)
	}
}

// message stores a message of the organisation and notifies open pages.
func (s *stand) message(recipient string) {
	s.t.Helper()
	s.exec(`insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state)
		values ((lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '70008' || substr(md5(random()::text), 1, 15))::uuid, $1, 'messaging', 1, $2, 'text', '{"type":"text"}', 'accepted')`, s.organisation, recipient)
	s.signals.Add("messages", s.organisation)
}

func (s *stand) offline(is bool) {
	s.t.Helper()
	var rules []*network.Conditions
	if is {
		rules = append(rules, &network.Conditions{Offline: true, DownloadThroughput: -1, UploadThroughput: -1})
	}
	err := chromedp.Do(s.ctx,
		browsertest.Call(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: rules}),
		browsertest.Call(network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: is, DownloadThroughput: -1, UploadThroughput: -1}))
	if err != nil {
		s.t.Fatal(err)
	}
}

// Two tabs show what happens without being asked. A hidden one gives its stream
// back, and shows afterwards what it missed. A restart of the process is noticed
// by nobody.
func TestStreamsOfTabs(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.message("919800000001")
	s.open("/account/messages")
	s.await("the first row", `document.querySelectorAll("#list td[data-label=Kind]").length === 1`)
	ctx, cancel := chromedp.NewContext(s.ctx)
	t.Cleanup(cancel)
	other := tab{t, ctx, s.origin}
	other.open("/account")
	other.await("the overview", `document.querySelector(".figures dd").textContent === "1"`)
	s.count(&s.line.streams, 2, "streams of two tabs")
	s.message("919800000002")
	s.await("the row of a second message", `document.querySelectorAll("#list td[data-label=Kind]").length === 2`)
	other.await("its number on the overview", `document.querySelector(".figures dd").textContent === "2" && document.querySelectorAll("section[aria-labelledby=latest] tbody tr").length === 2`)
	s.judge("messages after a refresh")
	other.judge("overview after a refresh")

	const hide = `Object.defineProperty(document, "hidden", {configurable: true, get: () => %t}); document.dispatchEvent(new Event("visibilitychange"))`
	s.run(strings.Replace(hide, "%t", "true", 1))
	s.count(&s.line.streams, 1, "streams while one tab is hidden")
	s.message("919800000003")
	s.run(strings.Replace(hide, "%t", "false", 1))
	s.await("what was missed", `document.querySelectorAll("#list td[data-label=Kind]").length === 3`)
	s.count(&s.line.streams, 2, "streams once both are seen")

	if err := s.line.server.Close(); err != nil {
		t.Fatal(err)
	}
	s.message("919800000004")
	s.line.start(t)
	s.await("what was missed while the process restarted", `document.querySelectorAll("#list td[data-label=Kind]").length === 4`)
	s.count(&s.line.streams, 2, "streams after the restart")
}

// A press is seen at once and counts once, however slow the answer is.
func TestSlowAnswers(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	s.open("/account/keys")
	s.line.delay.Store(600)
	before := s.line.posts.Load()
	s.run(`document.querySelector("#field-name").value = "Shop"; const button = document.querySelector("#form-key button[type=submit]"); button.click(); button.click()`)
	s.await("the sign that the press was seen", `document.querySelector("#form-key").ariaBusy === "true" && document.querySelector("#form-key button[type=submit]").disabled`)
	s.await("the key", `document.querySelector(".secret pre")`)
	if n := s.line.posts.Load() - before; n != 1 {
		t.Errorf("a double click posts %d times", n)
	}
	s.line.delay.Store(0)
	s.judge("a created key")
	s.await("one row", `document.querySelectorAll("td[data-label=State]").length === 1`)

	// Without a network the page stays and says so. With it, the next press works.
	s.offline(true)
	s.run(`document.querySelector("#sections a[href='/account/messages']").click()`)
	s.await("the word that the device is offline", `document.querySelector("#flash [role=alert]").textContent.startsWith("This device is offline.")`)
	s.judge("offline")
	s.offline(false)
	// Chromium may still end a request for the change of its network: then people press again.
	const press = `document.querySelector("#sections a[href='/account/messages']").click()`
	s.run(press)
	s.await("the page", `(document.querySelector("#flash [role=alert]")?.textContent.startsWith("The server does not answer.") && `+press+`,
		document.querySelector("h1").textContent === "Messages" && location.pathname === "/account/messages" && !document.querySelector("#flash [role=alert]"))`)
	s.run(`const text = document.querySelector("input[name=recipient]"); text.focus(); text.value = "7"; text.dispatchEvent(new Event("input", {bubbles: true}))`)
	s.await("the empty list, and the focus where it was", `document.querySelector("#list .empty") && location.search === "?recipient=7" && document.activeElement.name === "recipient"`)
	s.message("7123")
	s.await("the row that the filter waits for", `document.querySelectorAll("#list td[data-label=Kind]").length === 1`)
	s.run(`const text = document.querySelector("input[name=recipient]"); text.value = "71"; text.dispatchEvent(new Event("input", {bubbles: true}))`)
	s.await("the number of rows, said aloud", `document.querySelector("#live").textContent === "1 message"`)

	// A session that has ended leads to the sign-in form and back to the filter.
	s.exec(`delete from sessions`)
	s.run(`const text = document.querySelector("input[name=recipient]"); text.value = "712"; text.dispatchEvent(new Event("input", {bubbles: true}))`)
	s.await("the sign-in form", `location.pathname === "/login" && new URLSearchParams(location.search).get("next") === "/account/messages?recipient=71"`)
}

// What goes wrong is shown in its place, in the account and in the administration,
// and the page around it stays.
func TestRefusalsStayInTheirPlace(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	sameDocument := func(at string) {
		t.Helper()
		s.await(at+" in the same document", `window.same && document.querySelectorAll("h1").length === 1 && document.querySelectorAll("main").length === 1`)
		s.judge(at)
	}
	s.open("/account/keys")
	s.run(`window.same = true; document.querySelector("#field-name").removeAttribute("required"); document.querySelector("#form-key button[type=submit]").click()`)
	s.await("the 422 with the focus", `document.activeElement.matches("#form-key [data-focus]") && document.querySelector("#field-name-error")`)
	sameDocument("a form with 422")
	s.exec(`insert into api_keys (organisation_id, slot, name, prefix, hash, channels) select $1, n, 'Key ' || n, 'hg_live_' || n, sha256(n::text::bytea), '{sms}' from generate_series(1, 2) n`, s.organisation)
	s.run(`document.querySelector("#field-name").value = "Third"; document.querySelector("#form-key button[type=submit]").click()`)
	s.await("the 409", `document.querySelector("#form-key .alert.bad")`)
	sameDocument("a form with 409")
	s.exec(`alter table api_keys rename to away`)
	s.run(`document.querySelector("#sections a[href='/account']").click()`)
	s.await("the 500", `document.querySelector("#flash [role=alert]") && document.querySelector("h1").textContent === "API keys"`)
	sameDocument("a page with 500")
	s.exec(`alter table away rename to api_keys`)

	s.open("/ui")
	s.run(`window.same = true`)
	const limited = `document.querySelector("#form-note .alert.bad")?.textContent.includes("Too many")`
	// More than the sixth, where a machine is so slow that some are allowed meanwhile.
	for range 60 {
		s.run(`htmx.trigger("#form-note", "submit")`)
		s.await("the answer", `document.querySelector("#form-note").ariaBusy !== "true" && !document.querySelector("#form-note button").disabled`)
		if browsertest.Evaluate[bool](t, s.ctx, limited+` === true`) {
			break
		}
	}
	s.await("the 429", limited)

	s.open("/admin/synonyms")
	s.run(`window.same = true; document.querySelector(".form-drawer:has(#field-term)").open = true; document.querySelector("#field-term").value = "x"; document.querySelector("#field-means").value = "?"; document.querySelector("#form-synonym button").click()`)
	s.await("the 422", `document.activeElement.matches("#form-synonym [data-focus]")`)
	sameDocument("a form of the administration with 422")
	s.exec(`alter table search_synonyms rename to away`)
	s.run(`const text = document.querySelector("input[name=q]"); text.value = "dlr"; text.dispatchEvent(new Event("input", {bubbles: true}))`)
	s.await("the 500", `document.querySelector("#flash [role=alert]")`)
	sameDocument("a list of the administration with 500")
}

// The same in the administration, for what others did meanwhile and for what was
// tried too often.
func TestRefusalsOfTheAdministration(t *testing.T) {
	t.Parallel()
	s := newStand(t)
	in := func(at, part string) {
		t.Helper()
		s.await(at, `document.querySelector("`+part+` .alert.bad")`)
		s.await(at+" in the same document", `window.same && document.querySelectorAll("h1").length === 1 && document.querySelectorAll("main").length === 1`)
		s.judge(at)
	}
	const watch = `window.same = true; document.addEventListener("htmx:afterRequest", (event) => { window.status = event.detail.xhr.status; window.answers = (window.answers ?? 0) + 1; });`
	var id int64
	err := s.pool.QueryRow(t.Context(), `insert into admin_users (name, email, password_hash, role) select 'Ravi', 'ravi@example.com', password_hash, 'viewer' from admin_users limit 1 returning id`).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	s.open(fmt.Sprintf("/admin/users/%d", id))
	s.exec(`update admin_users set active = false where id = $1`, id)
	s.run(watch + `document.querySelector("form[action$='/link'] button").click()`)
	in("the 409", "main")
	s.await("the account as it is", fmt.Sprintf(`window.status === "409" && location.pathname === "/admin/users/%d" && document.querySelector("main .alert.bad").textContent.includes("not active")`, id))

	s.open("/admin/change-password")
	s.run(watch)
	for i := range identity.PasswordTries.Burst + 1 {
		s.run(`const form = document.querySelector("#form-password"); for (const input of form.querySelectorAll("input[type=password]")) input.value = "not the right one"; htmx.trigger(form, "submit")`)
		s.await("an answer", fmt.Sprintf(`window.answers === %d && !document.querySelector("#form-password button[type=submit]").disabled`, i+1))
	}
	in("the 429", "#form-password")
	s.await("how long to wait", `window.status === "429" && document.querySelector("#form-password .alert.bad").textContent.includes("Too many")`)
}
