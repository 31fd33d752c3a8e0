//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"heliograph/db/dbtest"
)

// visitor is a browser that any of the web processes may answer: its cookies
// belong to the host, not to a port.
type visitor struct {
	t      *testing.T
	client *http.Client
}

func newVisitor(t *testing.T) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &visitor{t, &http.Client{Jar: jar, Timeout: time.Minute, CheckRedirect: stay}}
}

// got is an answer, read to its end.
type got struct {
	status   int
	header   http.Header
	body     string
	document *goquery.Document
}

func (v *visitor) send(r *http.Request) got {
	v.t.Helper()
	res, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	document, err := goquery.NewDocumentFromReader(bytes.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	return got{res.StatusCode, res.Header, string(body), document}
}

func (v *visitor) get(address string) got {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodGet, address, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	return v.send(r)
}

// token is the token of the forms on a page.
func (v *visitor) token(address string) string {
	v.t.Helper()
	page := v.get(address)
	token := page.document.Find("input[name=_csrf]").AttrOr("value", "")
	if token == "" {
		v.t.Fatalf("%s answers %d without a form: %s", address, page.status, page.document.Find("main").Text())
	}
	return token
}

// post sends a form with the token of the page at from, and what is filled in
// as name, value, name, value.
func (v *visitor) post(from, to string, fields ...string) got {
	v.t.Helper()
	return v.postWith(v.token(from), to, fields...)
}

func (v *visitor) postWith(token, to string, fields ...string) got {
	v.t.Helper()
	form := url.Values{"_csrf": {token}}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, to, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return v.send(r)
}

// must fails unless an answer has the status.
func (v *visitor) must(what string, status int, g got) got {
	v.t.Helper()
	if g.status != status {
		v.t.Fatalf("%s gives %d, want %d: %s", what, g.status, status, g.document.Find("main").Text())
	}
	return g
}

// town is four web processes and a worker on one database, with a Super Admin
// and an organisation.
type town struct {
	*fleet
	webs    []*process
	worker  *process
	people  access
	secrets map[string]string // what it is → a text that nothing may hold
}

func newTown(t *testing.T) *town {
	t.Helper()
	f := newSmallFleet(t, dbtest.URL(t))
	f.environ = append(f.environ, "LOG_LEVEL=debug")
	s := &town{fleet: f, secrets: map[string]string{}}
	var err error
	if s.people, err = createAccess(t.Context(), &platform{pool: f.pool, keyring: f.keyring}, ""); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		s.webs = append(s.webs, f.start("web"))
	}
	s.worker = f.start("worker")
	return s
}

// at is an address at one of the web processes.
func (s *town) at(i int, path string) string { return s.webs[i%len(s.webs)].url + path }

// TestFleetOfPeople shows that web processes on one database are one: limits
// hold exactly over all of them, a session that ends has ended on each, and
// what is secret stays out of all that they write.
func TestFleetOfPeople(t *testing.T) {
	t.Parallel()
	s := newTown(t)
	t.Run("sessions", s.endSessions)
	t.Run("limits", s.reachLimits)
	t.Run("secrets", s.keepSecrets)
}

const (
	firstPassword  = "ten planted otters swim"
	secondPassword = "six planted badgers dig"
)

// endSessions changes a password in one browser: the other browser's session
// ends on every process.
func (s *town) endSessions(t *testing.T) {
	v, elsewhere := newVisitor(t), newVisitor(t)
	for _, each := range []*visitor{v, elsewhere} {
		each.must("signing in", 303, each.post(s.at(0, "/login"), s.at(1, "/login"), "email", s.people.Organisation.Email, "password", s.people.Organisation.Password))
		for i := range s.webs {
			each.must("the account", 200, each.get(s.at(i, "/account")))
		}
	}
	v.must("changing the password", 303, v.post(s.at(0, "/account/profile"), s.at(1, "/account/profile/password"),
		"current", s.people.Organisation.Password, "password", firstPassword, "confirmation", firstPassword))
	s.people.Organisation.Password = firstPassword
	for i := range s.webs {
		if g := elsewhere.get(s.at(i, "/account")); g.status != 303 {
			t.Errorf("process %d still knows the session: %d", i, g.status)
		}
		v.must("the account", 200, v.get(s.at(i, "/account")))
	}
	admin := newVisitor(t)
	admin.must("signing in", 303, admin.post(s.at(2, "/admin/login"), s.at(3, "/admin/login"), "email", s.people.Admin.Email, "password", s.people.Admin.Password))
	organisation := admin.get(s.at(0, "/admin/organisations")).document.Find(`main td a[href^="/admin/organisations/"]`).AttrOr("href", "")
	admin.must("deactivating", 303, admin.post(s.at(0, organisation), s.at(1, organisation+"/activation"), "reason", "A drill", "active", "false"))
	for i := range s.webs {
		if g := v.get(s.at(i, "/account")); g.status != 303 {
			t.Errorf("process %d lets a user of an inactive organisation in: %d", i, g.status)
		}
	}
	admin.must("activating", 303, admin.post(s.at(2, organisation), s.at(3, organisation+"/activation"), "reason", "A drill", "active", "true"))
}

// reachLimits tries each thing more often than is allowed, at once and spread
// over the processes: exactly as many as allowed pass.
func (s *town) reachLimits(t *testing.T) {
	for _, tt := range []struct {
		name, page string
		passes     int // status of an attempt that is let through
		allowed    int
		fields     func(i int) []string
	}{
		{"signing in to one account", "/login", 422, 10, func(int) []string {
			return []string{"email", "ravi@example.com", "password", "not this one here"}
		}},
		{"signing in to the administration", "/admin/login", 422, 10, func(int) []string {
			return []string{"email", "ravi@example.com", "password", "not this one here"}
		}},
		{"codes for one account, one in 30 seconds", "/forgot-password", 303, 1, func(int) []string {
			return []string{"email", "ravi@example.com"}
		}},
		{"links for one administrator", "/admin/forgot-password", 303, 3, func(int) []string {
			return []string{"email", "ravi@example.com"}
		}},
		{"registrations from one network", "/register", 303, 5, func(i int) []string {
			return []string{
				"organisation", "Lighthouse", "email", fmt.Sprintf("asha%d@example.com", i), "mobile", fmt.Sprintf("+91981%d234567", i%10),
				"password", firstPassword, "confirmation", firstPassword,
			}
		}},
	} {
		v := newVisitor(t)
		token := v.token(s.at(0, tt.page))
		var mu sync.Mutex
		statuses := map[int]int{}
		var all sync.WaitGroup
		for i := range tt.allowed + 4 {
			all.Go(func() {
				g := v.postWith(token, s.at(i, tt.page), tt.fields(i)...)
				for range 5 {
					if g.status != http.StatusServiceUnavailable {
						break
					}
					// On a busy machine counting can take longer than a process waits.
					time.Sleep(time.Second)
					g = v.postWith(token, s.at(i, tt.page), tt.fields(i)...)
				}
				mu.Lock()
				defer mu.Unlock()
				statuses[g.status]++
				if g.status == http.StatusTooManyRequests && g.header.Get("Retry-After") == "" {
					t.Errorf("%s: a refusal does not say when to try again", tt.name)
				}
			})
		}
		all.Wait()
		if want := map[int]int{tt.passes: tt.allowed, http.StatusTooManyRequests: 4}; !maps.Equal(statuses, want) {
			t.Errorf("%s: %v, want %v", tt.name, statuses, want)
		}
	}
}

// keepSecrets uses every secret once and looks for it in all that is written.
func (s *town) keepSecrets(t *testing.T) {
	v := newVisitor(t)
	v.must("signing in", 303, v.post(s.at(0, "/login"), s.at(1, "/login"), "email", s.people.Organisation.Email, "password", firstPassword))
	v.must("changing the password", 303, v.post(s.at(0, "/account/profile"), s.at(1, "/account/profile/password"),
		"current", firstPassword, "password", secondPassword, "confirmation", secondPassword))
	admin := newVisitor(t)
	admin.must("signing in", 303, admin.post(s.at(2, "/admin/login"), s.at(3, "/admin/login"), "email", s.people.Admin.Email, "password", s.people.Admin.Password))
	admin.must("setting the mail server", 303, admin.post(s.at(2, "/admin/email-settings"), s.at(3, "/admin/email-settings"),
		"mode", "virtual", "from", "portal@example.com", "host", "127.0.0.1", "port", "25", "tls", "starttls", "username", "portal", "password", "planted-smtp-password"))

	// A second key in place of the first, and a webhook with headers.
	made := v.post(s.at(0, "/account/keys"), s.at(1, "/account/keys"), "name", "Shop", "channels", "messaging")
	made = v.get(s.at(1, made.header.Get("Location")))
	key := keyWithin.FindString(made.document.Find("main").Text())
	if key == "" {
		t.Fatalf("no key is shown: %d %s", made.status, made.document.Find("main").Text())
	}
	s.call(t, key, "/setwebhook", `{"webhook_url":"`+s.webs[0].url+`/nothing","headers":{"X-Secret":"planted-header"}}`)
	s.call(t, key, "/messages", `{"messaging_product":"msgapp","to":"919812345678","type":"template","template":{"name":"hello_world","language":{"code":"en_US"}}}`)
	number := "/account/webhooks/" + s.people.Organisation.PhoneNumberID
	shown := v.post(s.at(0, number), s.at(1, number+"/secret"))
	secret := regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`).FindString(shown.body)
	if secret == "" {
		t.Fatalf("the signing secret is not shown: %d", shown.status)
	}

	// A code by SMS, and a link by email.
	recovering := newVisitor(t)
	recovering.must("a forgotten password", 303, recovering.post(s.at(0, "/admin/forgot-password"), s.at(1, "/admin/forgot-password"), "email", s.people.Admin.Email))
	link, codes := s.inbox(t, admin, 5)
	maps.Copy(s.secrets, map[string]string{
		"first password": firstPassword, "second password": secondPassword, "administrator's password": s.people.Admin.Password,
		"mail password": "planted-smtp-password", "API key": key, "first API key": s.people.Organisation.APIKey, "webhook header": "planted-header",
		"signing secret": strings.TrimPrefix(secret, "whsec_"), "reset link": link,
	})
	for _, each := range []*visitor{v, admin} {
		at, err := url.Parse(s.at(0, "/"))
		if err != nil {
			t.Fatal(err)
		}
		for _, cookie := range each.client.Jar.Cookies(at) {
			s.secrets["cookie "+cookie.Name] = cookie.Value
		}
	}
	s.search(t, v, codes)
}

// call is a request of the messaging API.
func (s *town) call(t *testing.T, key, path, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.at(0, "/v3/"+s.people.Organisation.PhoneNumberID+path), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", key)
	r.Header.Set("Content-Type", "application/json")
	if g := newVisitor(t).send(r); g.status != http.StatusOK {
		t.Fatalf("%s gives %d %s", path, g.status, g.body)
	}
}

var (
	resetLink = regexp.MustCompile(`token=([A-Za-z0-9_-]{20,})`)
	sentCode  = regexp.MustCompile(`([0-9]{6}) is your`)
)

// inbox waits until the virtual providers have a link and n codes.
func (s *town) inbox(t *testing.T, admin *visitor, n int) (link string, codes []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		letters := admin.get(s.at(0, "/admin/inbox")).document.Find(".inbox").Text()
		codes = nil
		for _, found := range sentCode.FindAllStringSubmatch(letters, -1) {
			codes = append(codes, found[1])
		}
		if found := resetLink.FindStringSubmatch(letters); found != nil && len(codes) >= n {
			return found[1], codes
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("the inbox has %d codes of %d, or no link", len(codes), n)
	return "", nil
}

// search looks for the secrets in logs, metrics, the database and pages.
func (s *town) search(t *testing.T, v *visitor, codes []string) {
	t.Helper()
	places := map[string]string{"the database": dbtest.Dump(t, s.pool), "an account page": "", "an error page": v.get(s.at(0, "/nowhere")).body}
	for _, path := range []string{"/account", "/account/keys", "/account/profile", "/account/webhooks/" + s.people.Organisation.PhoneNumberID, "/account/messages", "/account/deliveries"} {
		places["an account page"] += v.must(path, 200, v.get(s.at(0, path))).body
	}
	for i, p := range append(slices.Clone(s.webs), s.worker) {
		places[fmt.Sprintf("metrics of process %d", i)] = newVisitor(t).get(p.url + "/metrics").body
		p.end(syscall.SIGTERM)
		log := p.written()
		if !strings.Contains(log, "\n") {
			t.Errorf("process %d wrote no log: the search proves nothing", i)
		}
		places[fmt.Sprintf("log of process %d", i)] = log
	}
	for place, text := range places {
		for what, secret := range s.secrets {
			if place == "an account page" && what == "webhook header" {
				continue // its owner edits it there
			}
			if strings.Contains(text, secret) {
				t.Errorf("%s holds the %s", place, what)
			}
		}
		// A number of six digits may stand anywhere once; all codes do not.
		leaked := slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return !strings.Contains(text, code) })
		if len(leaked) > len(codes)/2 {
			t.Errorf("%s holds one-time passwords: %v of %v", place, leaked, codes)
		}
	}
}

var keyWithin = regexp.MustCompile(`hg_test_[0-9A-Za-z]+`)
