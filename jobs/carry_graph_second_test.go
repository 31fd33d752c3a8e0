package jobs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/templates"
	"heliograph/app/channels/pipeline"
	"heliograph/app/config"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/api"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/jobs"
)

// hookGuard challenges webhooks on this machine.
type hookGuard struct{ *outbound.Client }

func (g hookGuard) CheckWebhook(_ context.Context, url string, _ map[string]string) error {
	_, err := g.CheckURL(url)
	return err
}

// serveAPI serves the messaging API of a bundle under both words, and returns its
// address and a key.
func (b *bundle) serveAPI(t *testing.T) (address, key string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	address = "http://" + server.Listener.Addr().String()
	listener := db.NewListener(b.pool)
	b.service = messaging.New(messaging.Options{
		Pool: b.pool, Listener: listener, Keyring: b.keyring, Jobs: b.client, Store: b.deps.Store, Guard: hookGuard{outbound.New(outbound.Options{AllowLoopback: true})},
		Words: []string{"msgapp", "whatsapp"}, BaseURL: address,
	})
	surface := api.NewMessaging(identity.NewKeys(b.pool, listener), b.service, address)
	dbtest.Listen(t, listener)
	settings, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	site, err := web.New(web.Deps{
		Config: settings, Keyring: b.keyring, DB: b.pool, Pool: b.pool, Registry: prometheus.NewRegistry(), Log: slog.New(slog.DiscardHandler),
		APIs: []web.API{{Name: "messaging", Prefixes: []string{api.Prefix}, Routes: surface.Pages(), Handle: surface.Handle, Fail: surface.Fail, UnknownPath: surface.UnknownPath, BodyLimit: api.BodyLimit}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = site.Handler()
	server.Start()
	t.Cleanup(server.Close)
	key, err = identity.New(b.pool, identity.Notifier{}).CreateKey(t.Context(), b.number.OrganisationID, identity.KeyRequest{Name: "downstream", Channels: []string{"messaging"}}, "test")
	if err != nil {
		t.Fatal(err)
	}
	return address, key
}

// The upstream of one Heliograph can be another one: templates, texts and files go
// there, and statuses, replies and files come back, each with the ids of its side.
func TestASecondHeliographIsTheUpstream(t *testing.T) {
	t.Parallel()
	up := prepare(t)
	address, key := up.serveAPI(t)
	up.work(t, slog.New(slog.DiscardHandler))

	d := prepare(t, func(d *jobs.Deps) { d.Gateways = outbound.New(outbound.Options{AllowLoopback: true}) })
	d.deps.Routes = pipeline.NewRoutes(d.pool, db.NewListener(nil))
	l := &live{bundle: d, posts: &messaging.Upstreams{DB: d.pool, Keyring: d.keyring, Jobs: d.client}}
	d.exec(t, `update organisations set sandbox = false where id = $1`, d.number.OrganisationID)
	secret, err := json.Marshal(map[string]string{"access_token": key, "app_secret": up.sandbox.WebhookSecret})
	if err != nil {
		t.Fatal(err)
	}
	d.exec(t, `
		with c as (insert into carriers (name, kind, url, settings, secret) values ('upstream', 'graph', $1, json_build_object('numbers', $2::text, 'accounts', $4::text, 'catalogues', $5::text), $3) returning id)
		insert into carrier_routes (channel, carrier_id) select 'messaging', id from c`,
		address+api.Prefix, fmt.Sprintf("%d %d", d.number.ID, up.number.ID), d.keyring.Seal(secret, keyring.Place("carriers", "secret", "upstream")),
		fmt.Sprintf("%d %d", d.sandbox.BusinessAccountID, up.sandbox.BusinessAccountID), fmt.Sprintf("%d %d", d.sandbox.CatalogueID, up.sandbox.CatalogueID))
	calls, _ := l.hook(t)
	d.work(t, slog.New(slog.DiscardHandler))

	router := echo.New()
	router.Any(pipeline.ReportPrefix+"/*", api.NewReports(nil, nil, l.posts, 64).Handle)
	hooks := httptest.NewServer(router)
	t.Cleanup(hooks.Close)
	hook := messaging.Webhook{URL: hooks.URL + messaging.UpstreamPath("upstream"), VerifyToken: messaging.VerifyToken(d.keyring, "upstream"), Product: "whatsapp"}
	if err := up.service.Webhooks.SetWebhook(t.Context(), up.number, hook, "test"); err != nil {
		t.Fatalf("the upstream does not accept the webhook: %v", err)
	}

	template := l.sendOne(t, `"type":"template","template":{"name":"hello_world","language":{"code":"en_US"}}`)
	l.reaches(t, template, "read")
	const person = "919812340008" // answers what it has read
	up.inbound(t, `{"from":"`+person+`","name":"Asha","text":{"body":"Hello"}}`)
	// The person answers the template, too, perhaps before this.
	const hello = `from inbound_messages where payload->'text'->>'body' = 'Hello'`
	l.until(t, "the person's message is received", func() bool { return l.count(t, `select count(*) `+hello) == 1 })
	var received uuid.UUID
	if err := l.pool.QueryRow(t.Context(), `select id `+hello).Scan(&received); err != nil {
		t.Fatal(err)
	}
	reply := l.sendOne(t, `"type":"text","text":{"body":"Where are you?"},"context":{"message_id":"`+messaging.MessageID(received)+`"}`)
	l.reaches(t, reply, "read")
	l.until(t, "the answer to the reply names the reply", func() bool {
		return strings.Contains(strings.Join(calls(), "\n"), `"context":{"from":"`+l.number.Number[1:]+`","id":"`+messaging.MessageID(reply)+`"}`)
	})
	if _, err := l.service.Sender.Send(t.Context(), l.number, []byte(`{"messaging_product":"msgapp","status":"read","message_id":"`+messaging.MessageID(received)+`"}`), ""); err != nil {
		t.Fatal(err)
	}
	l.until(t, "the upstream knows that the message was read", func() bool { return up.count(t, `select count(*) from inbound_messages where read_at is not null`) > 0 })

	picture := l.sendOne(t, `"type":"image","image":{"id":"`+l.upload(t)+`"}`)
	l.reaches(t, picture, "read")
	if n := up.count(t, `select count(*) from media where mime_type = 'image/png'`); n != 1 {
		t.Errorf("the upstream has %d files", n)
	}
	up.inbound(t, `{"from":"`+person+`","type":"image","image":{"id":"`+up.upload(t)+`","caption":"Here"}}`)
	l.until(t, "the person's picture is kept", func() bool { return l.count(t, `select count(*) from media where mime_type = 'image/png'`) == 2 })
	l.exchangeTemplates(t, up)
	l.exchangeWithoutANumber(t, up)
	l.exchangeAssets(t, up)
	if f := l.count(t, `select count(*) from messages where state = 'failed'`); f != 0 {
		t.Errorf("%d messages failed", f)
	}
}

// exchangeTemplates creates a template here. It is created and reviewed at the upstream, and
// can be sent.
func (l *live) exchangeTemplates(t *testing.T, up *bundle) {
	t.Helper()
	account, err := l.service.Numbers.Account(t.Context(), l.number.OrganisationID, fmt.Sprint(l.sandbox.BusinessAccountID))
	if err != nil {
		t.Fatal(err)
	}
	in := templates.Input{Name: "lamp_at_the_upstream", Language: "en_US", Category: "UTILITY", Components: json.RawMessage(`[{"type":"BODY","text":"Your lamp is ready."}]`)}
	if _, err := l.service.Templates.CreateTemplate(t.Context(), account, in, ""); err != nil {
		t.Fatal(err)
	}
	l.until(t, "the template is approved on both sides", func() bool {
		const approved = `select count(*) from message_templates where name = 'lamp_at_the_upstream' and status = 'APPROVED'`
		return up.count(t, approved) == 1 && l.count(t, approved) == 1
	})
	l.reaches(t, l.sendOne(t, `"type":"template","template":{"name":"lamp_at_the_upstream","language":{"code":"en_US"}}`), "read")
}

// exchangeWithoutANumber talks to a person who hides their number.
func (l *live) exchangeWithoutANumber(t *testing.T, up *bundle) {
	t.Helper()
	const person = "IN.13491208655302740008"
	up.inbound(t, `{"from_user_id":"`+person+`","username":"asha.lamps","name":"Asha","text":{"body":"Hidden"}}`)
	l.until(t, "the message comes without a number", func() bool {
		return l.count(t, `select count(*) from inbound_messages where contact = $1 and payload->'text'->>'body' = 'Hidden'`, person) == 1
	})
	id, _ := messaging.ParseMessageID(l.sendBody(t, `{"messaging_product":"msgapp","recipient":"`+person+`","text":{"body":"We are open."}}`))
	l.reaches(t, id, "read")
	l.until(t, "the person answers", func() bool {
		return l.count(t, `select count(*) from inbound_messages where contact = $1 and context = $2`, person, id) == 1
	})
}

// sendOne sends a message to the person and returns its id.
func (l *live) sendOne(t *testing.T, content string) uuid.UUID {
	t.Helper()
	id, _ := messaging.ParseMessageID(l.sendBody(t, `{"messaging_product":"msgapp","to":"+919812340008","biz_opaque_callback_data":"order-7",`+content+`}`))
	return id
}

// inbound simulates a message to the number of a sandbox.
func (b *bundle) inbound(t *testing.T, body string) {
	t.Helper()
	if _, err := b.service.Inbound.ReceiveInSandbox(t.Context(), b.number, []byte(body), ""); err != nil {
		t.Fatal(err)
	}
}

// upload stores a picture as media of the number and returns its id.
func (b *bundle) upload(t *testing.T) string {
	t.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "lamp.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(part, png); err != nil || writer.Close() != nil {
		t.Fatal(err)
	}
	reply, err := b.service.Media.Upload(t.Context(), b.number, multipart.NewReader(&form, writer.Boundary()), "")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ ID string }
	if err := json.Unmarshal(reply.Body, &file); err != nil {
		t.Fatal(err)
	}
	return file.ID
}
