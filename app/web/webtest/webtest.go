// Package webtest drives the real router from tests, as a browser would: it
// keeps cookies, sends the form tokens that pages carry, says that it comes
// from the same origin, and counts the queries of each request.
package webtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/catalogue"
	"heliograph/app/config"
	"heliograph/app/delivery"
	"heliograph/app/identity"
	"heliograph/app/keyring"
	"heliograph/app/limit"
	"heliograph/app/messaging"
	"heliograph/app/notification"
	"heliograph/app/outbound"
	"heliograph/app/rcs"
	"heliograph/app/relay"
	"heliograph/app/search"
	"heliograph/app/setting"
	"heliograph/app/sms"
	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs"
	"heliograph/views/ui"
	"heliograph/views/viewtest"
)

// Site is a server over a database of the test's own.
type Site struct {
	Server        *web.Server
	DB            db.Beginner
	Directory     *identity.Directory
	Settings      *setting.Settings
	Notifications *notification.Service
	// Log holds the log as JSON lines.
	Log *bytes.Buffer

	origin  *url.URL
	counter *counter
	people  atomic.Int64 // made by SignIn
}

// New makes a site over a transaction that is rolled back at the end of the
// test. Its requests must come one at a time. change may alter what the server
// is made of, and be nil.
func New(t testing.TB, change func(*web.Deps)) *Site {
	t.Helper()
	settings, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	log := &bytes.Buffer{}
	tx := dbtest.Tx(t)
	listener := db.NewListener(nil)
	deps := web.Deps{
		Config: settings, Keyring: keys, DB: tx, Registry: prometheus.NewRegistry(),
		Log:        slog.New(slog.NewJSONHandler(log, nil)),
		PortalDeps: web.PortalDeps{Catalogue: catalogue.New(tx, listener), Search: search.New(tx, listener)},
	}
	client := outbound.New(outbound.Options{AllowLoopback: true})
	inserter, err := jobs.New(jobs.Deps{}, nil, deps.Log)
	if err != nil {
		t.Fatal(err)
	}
	deps.Jobs = inserter
	deps.Settings = setting.New(setting.Options{DB: tx, Listener: listener, Keyring: keys, Guard: guard{client}, PlainSMTP: true})
	deps.Notifications = notification.New(notification.Options{
		DB: tx, Keyring: keys, Settings: deps.Settings, Jobs: inserter,
		Courier: outbound.NewCourier(outbound.CourierOptions{Client: client, AllowLoopback: true}),
	})
	deps.Provision = func(ctx context.Context, tx pgx.Tx, id int64, name string) error {
		if _, err := messaging.Provision(ctx, tx, keys, id, name); err != nil {
			return err
		}
		_, err := sms.Provision(ctx, tx, keys, id)
		return err
	}
	deps.Carriers = delivery.NewCarriers(delivery.CarrierOptions{
		DB: tx, Keyring: keys, Kinds: outbound.CarrierKinds(), CheckURL: guard{client}.CheckURL,
		CheckSettings: func(c models.Carrier) error {
			_, err := jobs.OpenCarrier(jobs.Deps{Keyring: keys, Gateways: client}, c)
			return err
		},
		Try: func(ctx context.Context, c models.Carrier, t delivery.CarrierTest) (string, error) {
			return jobs.TryCarrier(ctx, jobs.Deps{Keyring: keys, Gateways: client}, c, t)
		},
	})
	deps.RCS = rcs.New(rcs.Options{Pool: tx, Keyring: keys, Limiter: limit.New(tx, keys), Jobs: inserter, Endpoints: relay.NewEndpoints(relay.Options{DB: tx, Keyring: keys, Jobs: inserter, Guard: guard{client}})})
	deps.SMS = sms.NewRegistry(tx, relay.NewEndpoints(relay.Options{DB: tx, Keyring: keys, Jobs: inserter, Guard: guard{client}}))
	deps.Webhooks = messaging.NewWebhooks(messaging.WebhookOptions{DB: tx, Keyring: keys, Jobs: inserter, Guard: guard{client}, Product: settings.ChannelWord})
	if change != nil {
		change(&deps)
	}
	counter := &counter{Beginner: deps.DB}
	deps.DB = counter
	server, err := web.New(deps)
	if err != nil {
		t.Fatal(err)
	}
	origin, err := url.Parse(deps.Config.PublicURL)
	if err != nil {
		t.Fatal(err)
	}
	site := &Site{
		Server: server, DB: counter.Beginner, Directory: identity.New(counter.Beginner, identity.Notifier{}),
		Settings: deps.Settings, Notifications: deps.Notifications, Log: log, origin: origin, counter: counter,
	}
	site.list()
	return site
}

// guard checks addresses with the client that dials them.
type guard struct{ *outbound.Client }

// CheckURL refuses what the client refuses.
func (g guard) CheckURL(_ context.Context, url string) error {
	_, err := g.Client.CheckURL(url)
	return err
}

// CheckWebhook refuses what the client and its headers refuse.
func (g guard) CheckWebhook(ctx context.Context, url string, headers map[string]string) error {
	if err := outbound.CheckHeaders(headers); err != nil {
		return err
	}
	return g.CheckURL(ctx, url)
}

// Client is a browser: it keeps cookies and the token of the page it saw last.
type Client struct {
	// Address is the peer of the socket, as host:port.
	Address string
	// Token is the form token that Post sends.
	Token string

	t       testing.TB
	site    *Site
	cookies map[string]string
	header  http.Header
	shown   *shown // shared with browsers that are made from this one
	once    bool   // forms are sent once
}

// Client returns a browser without cookies.
func (s *Site) Client(t testing.TB) *Client {
	header := http.Header{"Sec-Fetch-Site": {"same-origin"}}
	return &Client{Address: "192.0.2.1:4000", t: t, site: s, cookies: map[string]string{}, header: header, shown: &shown{}}
}

// With returns the same browser, that sends a header with every request; an empty value
// removes it.
func (c *Client) With(name, value string) *Client {
	changed := *c
	changed.header = c.header.Clone()
	changed.header.Del(name)
	if value != "" {
		changed.header.Set(name, value)
	}
	return &changed
}

// HX returns the same browser, asking as htmx does for a region of the page: the
// first of at most one, else the main part.
func (c *Client) HX(region ...ui.Region) *Client {
	return c.With("HX-Request", "true").With("HX-Target", string(append(region, ui.Main)[0]))
}

// On returns the same browser with a page open in it, on which htmx runs.
func (c *Client) On(path string) *Client {
	return c.With("HX-Current-URL", c.site.origin.JoinPath("/").String()+strings.TrimPrefix(path, "/"))
}

// Follow does what an answer asks a browser to do: it goes to the address of a
// redirect, of htmx or of HTTP, and answers with the page there. An answer that
// asks for nothing is returned.
func (c *Client) Follow(a *Answer) *Answer {
	c.t.Helper()
	if to := a.Address(); to != "" {
		return c.Get(to)
	}
	return a
}

// Address returns where an answer sends the browser, in any way that browsers and
// htmx understand; empty for nowhere.
func (a *Answer) Address() string {
	var location struct{ Path string }
	if text := a.Header.Get("HX-Location"); text != "" && json.Unmarshal([]byte(text), &location) == nil {
		return location.Path
	}
	return cmp.Or(a.Header.Get("HX-Redirect"), a.Header.Get("Location"))
}

// Answer is what came back.
type Answer struct {
	*goquery.Document // empty where the body is not HTML

	Status  int
	Header  http.Header
	Body    string
	Queries int // that the request made
}

// Get asks for a path. A page is asked for by htmx too; see checkTwin.
func (c *Client) Get(path string) *Answer {
	c.t.Helper()
	answer := c.do(httptest.NewRequest(http.MethodGet, path, nil))
	token := c.Token
	c.checkTwin(path, answer)
	c.Token = token
	return answer
}

// Head asks for the headers of a page.
func (c *Client) Head(path string) *Answer {
	c.t.Helper()
	return c.do(httptest.NewRequest(http.MethodHead, path, nil))
}

// Post sends a form, with the token of the page seen last. htmx sends it too; see
// postBoth.
func (c *Client) Post(path string, form url.Values) *Answer {
	c.t.Helper()
	return c.postBoth(path, func(c *Client) *Answer { return c.post(path, form) })
}

func (c *Client) post(path string, form url.Values) *Answer {
	c.t.Helper()
	sent := url.Values{page.TokenField: {c.Token}}
	for name, values := range form {
		sent[name] = values
	}
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(sent.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return c.do(r)
}

// Send sends a body of any type, without a token.
func (c *Client) Send(method, path, contentType string, body io.Reader) *Answer {
	c.t.Helper()
	r := httptest.NewRequest(method, path, body)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return c.do(r)
}

// Upload sends a form with one file, as Post does.
func (c *Client) Upload(path, field, content string) *Answer {
	c.t.Helper()
	return c.postBoth(path, func(c *Client) *Answer { return c.upload(path, field, content) })
}

func (c *Client) upload(path, field, content string) *Answer {
	c.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	if err := w.WriteField(page.TokenField, c.Token); err != nil {
		c.t.Fatal(err)
	}
	file, err := w.CreateFormFile(field, "file.csv")
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := io.WriteString(file, content); err != nil {
		c.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		c.t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, path, &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	return c.do(r)
}

func (c *Client) do(r *http.Request) *Answer {
	c.t.Helper()
	r.Host, r.RemoteAddr = c.site.origin.Host, c.Address
	for name, values := range c.header {
		r.Header[name] = values
	}
	for name, value := range c.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	before := c.site.counter.n.Load()
	c.site.Server.Handler().ServeHTTP(w, r)
	for _, cookie := range w.Result().Cookies() {
		if cookie.MaxAge < 0 {
			delete(c.cookies, cookie.Name)
		} else {
			c.cookies[cookie.Name] = cookie.Value
		}
	}
	answer := &Answer{Status: w.Code, Header: w.Header(), Body: w.Body.String(), Queries: int(c.site.counter.n.Load() - before)}
	document, err := goquery.NewDocumentFromReader(strings.NewReader(answer.Body))
	if err != nil {
		c.t.Fatal(err)
	}
	answer.Document = document
	for _, finding := range viewtest.Check(document) {
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/csv") {
			break // words of a file, which no browser shows as a page
		}
		if strings.Contains(w.Header().Get("Content-Security-Policy"), "sandbox") {
			break // an email, which cannot have a style sheet of its own file
		}
		c.t.Errorf("%s %s: %s", r.Method, r.URL.Path, finding)
	}
	c.shown.see(r, answer)
	if token, ok := document.Find(`input[name="` + page.TokenField + `"]`).Attr("value"); ok {
		c.Token = token
	}
	return answer
}

// Cookie returns the value of a cookie that the browser holds.
func (c *Client) Cookie(name string) string { return c.cookies[name] }

// SetCookie gives the browser a cookie, as one who stole it would.
func (c *Client) SetCookie(name, value string) { c.cookies[name] = value }

// Password is the password of everybody that SignInAdmin and SignIn make.
const Password = "nine slow herons wade"

const passwordHash = "$argon2id$v=19$m=47104,t=1,p=1$4XfxCvwYuR0UkcChdzhb6g$caFGcXY04x+DJMZqVntyS91Xcaub9RYuq0bJEkoxzQY"

// SignInAdmin makes an administrator with the role and returns a browser that
// signed in through the form.
func (s *Site) SignInAdmin(t testing.TB, role string) *Client {
	t.Helper()
	email := role + "@example.com"
	_, err := s.Directory.CreateAdmin(t.Context(), identity.NewAdmin{Name: "Asha", Email: email, Password: Password, Role: role}, "system")
	if err != nil {
		t.Fatal(err)
	}
	c := s.Client(t)
	c.Get(page.Administration.Login)
	if a := c.post(page.Administration.Login, url.Values{"email": {email}, "password": {Password}}); a.Status != http.StatusSeeOther {
		t.Fatalf("signing in gives %d: %s", a.Status, a.Find("main").Text())
	}
	c.Get("/admin")
	return c
}

// SignIn adds a user with the role to an organisation, or for 0 to a new one,
// and returns a browser that signed in through the form, and the organisation.
func (s *Site) SignIn(t testing.TB, organisation int64, role string) (*Client, int64) {
	t.Helper()
	n := s.people.Add(1)
	if organisation == 0 {
		var err error
		organisation, err = s.Directory.CreateOrganisation(t.Context(), identity.NewOrganisation{
			Name: fmt.Sprintf("Organisation %d", n), Owner: identity.NewOwner{Name: "Asha", Email: fmt.Sprintf("first%d@example.com", n), Password: Password},
		}, "system")
		if err != nil {
			t.Fatal(err)
		}
	}
	email := fmt.Sprintf("%s%d@example.com", role, n)
	_, err := queries.OrganisationUserInsert(t.Context(), s.DB, models.OrganisationUser{
		OrganisationID: organisation, Name: "Ravi", Email: email, PasswordHash: passwordHash, Role: role, Active: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := s.Client(t)
	c.Get(page.Account.Login)
	if a := c.post(page.Account.Login, url.Values{"email": {email}, "password": {Password}}); a.Status != http.StatusSeeOther {
		t.Fatalf("signing in gives %d: %s", a.Status, a.Find("main").Text())
	}
	c.Get(page.Account.Home)
	return c, organisation
}
