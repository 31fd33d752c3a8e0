// Package webtest drives the real router from tests, as a browser would: it
// keeps cookies, sends the form tokens that pages carry, says that it comes
// from the same origin, and counts the queries of each request.
package webtest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/channels"
	"heliograph/app/channels/carry"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/simulate"
	"heliograph/app/channels/sms"
	"heliograph/app/channels/webhookrange"
	"heliograph/app/config"
	"heliograph/app/documentation/media"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/search"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/operation/setting"
	"heliograph/app/operation/theme"
	"heliograph/app/outbound"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/people/notification"
	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/jobs"
	"heliograph/storage"
	"heliograph/storage/storagetest"
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
	return Over(t, dbtest.Tx(t), change)
}

// Over makes a site over a database. Over a pool, requests may come at the same time, as
// a browser sends them.
func Over(t testing.TB, q db.Beginner, change func(*web.Deps)) *Site {
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
	listener := db.NewListener(nil)
	deps := web.Deps{
		Config: settings, Keyring: keys, DB: q, Channels: channels.Declared(), Registry: prometheus.NewRegistry(),
		Log:        slog.New(slog.NewJSONHandler(log, nil)),
		PortalDeps: web.PortalDeps{Documentation: published.New(q, listener), Search: search.New(q, listener), Console: outbound.NewConsole(nil), Callbacks: signer{}, Sandbox: sandbox{}},
	}
	deps.Ranges = webhookrange.New(webhookrange.Options{Channels: channels.Declared(), DB: q, Keyring: keys, PublicURL: settings.PublicURL})
	client := outbound.New(outbound.Options{AllowLoopback: true, Inside: deps.Ranges})
	inserter, err := jobs.New(jobs.Deps{}, nil, deps.Log)
	if err != nil {
		t.Fatal(err)
	}
	deps.Jobs = inserter
	files, err := storage.OpenFolder(t.TempDir(), settings.PublicURL, keys.Subkey("files"))
	if err != nil {
		t.Fatal(err)
	}
	deps.Themes = theme.New(q, files, listener)
	deps.Settings = setting.New(setting.Options{DB: q, Listener: listener, Keyring: keys, Guard: outbound.Guard{Client: client}, PlainSMTP: true})
	deps.Notifications = notification.New(notification.Options{
		DB: q, Keyring: keys, Settings: deps.Settings, Jobs: inserter,
		Courier: outbound.NewCourier(outbound.CourierOptions{Client: client, AllowLoopback: true}),
	})
	deps.Media = media.New(media.Options{DB: q, Store: storagetest.Folder(t), Jobs: inserter, Limits: deps.Settings})
	deps.Provision = func(ctx context.Context, tx pgx.Tx, id int64, name string) error {
		if _, err := messaging.Provision(ctx, tx, keys, id, name); err != nil {
			return err
		}
		_, err := sms.Provision(ctx, tx, keys, id)
		return err
	}
	deps.Carriers = &pipeline.Carriers{
		DB: q, Keyring: keys, Kinds: outbound.CarrierKinds(), CheckURL: outbound.Guard{Client: client}.CheckURL,
		CheckSettings: func(c models.Carrier) error {
			_, err := carry.OpenCarrier(carry.Options{Keyring: keys, Gateways: client}, c)
			return err
		},
		Try: func(ctx context.Context, c models.Carrier, t pipeline.CarrierTest) (string, error) {
			return carry.TryCarrier(ctx, carry.Options{Keyring: keys, Gateways: client}, c, t)
		},
		VerifyToken: func(carrier string) string { return messaging.VerifyToken(keys, carrier) },
		CheckUpstream: func(ctx context.Context, c models.Carrier) ([]pipeline.CarrierCheck, error) {
			return carry.CheckCarrier(ctx, carry.Options{Keyring: keys, Gateways: client, PublicURL: "https://docs.example.com"}, c)
		},
	}
	deps.RCS = rcs.New(rcs.Options{
		Pool:      q,
		Keyring:   keys,
		Limiter:   limit.New(q, keys),
		Jobs:      inserter,
		Endpoints: relay.NewEndpoints(relay.Options{DB: q, Keyring: keys, Jobs: inserter, Guard: outbound.Guard{Client: client}}),
	})
	deps.SMS = sms.NewRegistry(q, relay.NewEndpoints(relay.Options{DB: q, Keyring: keys, Jobs: inserter, Guard: outbound.Guard{Client: client}}))
	deps.Webhooks = messaging.NewWebhooks(messaging.WebhookOptions{DB: q, Keyring: keys, Jobs: inserter, Guard: outbound.Guard{Client: client}, Product: settings.ChannelWord})
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

// signer makes the headers of callbacks as the client does.
type signer struct{}

// Headers returns the headers of a callback.
func (signer) Headers(s simulate.Sending) (http.Header, error) {
	h := http.Header{}
	d := outbound.Delivery{ID: s.ID, At: s.At, Method: s.Request.Method, URL: s.Request.URL, Body: s.Request.Body, Secret: s.Secret, Previous: s.Previous, Signature: s.Signature, Signed: s.Signed}
	return h, d.SetHeaders(h)
}

// Password is the password of everybody that SignInAdmin and SignIn make.
const Password = identitytest.Password

// SignInAdmin makes an administrator with the role and returns a browser that
// signed in through the form.
func (s *Site) SignInAdmin(t testing.TB, role string) *Client {
	t.Helper()
	email := role + "@example.com"
	identitytest.AddAdmin(t, s.DB, "Asha", email, role)
	c := s.Client(t)
	c.visit(page.Administration.Login)
	if a := c.post(page.Administration.Login, url.Values{"email": {email}, "password": {Password}}); a.Status != http.StatusSeeOther {
		t.Fatalf("signing in gives %d: %s", a.Status, a.Find("main").Text())
	}
	c.visit("/admin/change-password")
	return c
}

// SignIn adds a user with the role to an organisation, or for 0 to a new one,
// and returns a browser that signed in through the form, and the organisation.
func (s *Site) SignIn(t testing.TB, organisation int64, role string) (*Client, int64) {
	t.Helper()
	n := s.people.Add(1)
	if organisation == 0 {
		organisation = identitytest.AddOrganisation(t, s.DB, models.Organisation{Name: fmt.Sprintf("Organisation %d", n)}, fmt.Sprintf("first%d@example.com", n))
	}
	email := fmt.Sprintf("%s%d@example.com", role, n)
	identitytest.AddUser(t, s.DB, models.OrganisationUser{OrganisationID: organisation, Name: "Ravi", Email: email, Role: role})
	c := s.Client(t)
	c.visit(page.Account.Login)
	if a := c.post(page.Account.Login, url.Values{"email": {email}, "password": {Password}}); a.Status != http.StatusSeeOther {
		t.Fatalf("signing in gives %d: %s", a.Status, a.Find("main").Text())
	}
	c.visit("/account/profile")
	return c, organisation
}

// sandbox takes what the simulators send, for every organisation.
type sandbox struct{}

// MaySend allows everybody to send.
func (sandbox) MaySend(context.Context, int64) (bool, error) { return true, nil }

// Send answers with the text, or refuses one with the word refuse.
func (sandbox) Send(_ context.Context, _ string, _ bool, _ int64, text string) (simulate.Sent, error) {
	if strings.Contains(text, "refuse") {
		return simulate.Sent{}, fault.New(fault.Conflict, "The sandbox refuses this.")
	}
	return simulate.Sent{Answer: text, Sender: "+910000000001"}, nil
}
