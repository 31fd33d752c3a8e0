package jobs_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels"
	"heliograph/app/channels/carry"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs"
)

// agents stands in for RCS Business Messaging and keeps what it was asked. The
// package outbound holds the shapes of the requests.
type agents struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func (a *agents) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/token" {
		fmt.Fprint(w, `{"access_token":"t","expires_in":3600}`)
		return
	}
	body, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, r.Method+" "+r.URL.RequestURI()+" "+string(body))
	if strings.Contains(r.URL.Path, "0011") {
		w.WriteHeader(http.StatusNotFound)
	}
	fmt.Fprint(w, `{}`)
}

// took reports whether a request with a start was made.
func (a *agents) took(start string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, asked := range a.asked {
		if strings.HasPrefix(asked, start) {
			return true
		}
	}
	return false
}

const liveBot = "live-bot-1234567890123"

// addRBM routes all RCS messages to agents, and returns the token of their events.
func (b *bundle) addRBM(t *testing.T, url string) (token string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(map[string]string{
		"client_email": "bots@lamps.example.com", "client_token": "quiet-lantern", "token_uri": url + "/token",
		"private_key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	})
	if err != nil {
		t.Fatal(err)
	}
	sealed := b.keyring.Seal(file, keyring.Place("carriers", "secret", "google"))
	_, err = b.pool.Exec(t.Context(), `
		with c as (insert into carriers (name, kind, url, settings, secret) values ('google', 'rbm', $1, json_build_object('agents', $2::text), $3) returning id)
		insert into carrier_routes (channel, carrier_id) select 'rcs', id from c`, url, liveBot+" lamps_agent", sealed)
	if err != nil {
		t.Fatal(err)
	}
	return "quiet-lantern"
}

// Messages of a live bot go to its agent, and its signed events move them. One that
// is not delivered in time is revoked before it expires, and a phone that cannot
// receive RCS fails its message.
func TestRCSThroughAgents(t *testing.T) {
	t.Parallel()
	server := &agents{}
	server.Server = httptest.NewServer(server)
	t.Cleanup(server.Close)
	b := prepare(t, func(d *jobs.Deps) { d.Gateways = outbound.New(outbound.Options{AllowLoopback: true}) })
	b.deps.Routes = pipeline.NewRoutes(b.pool, db.NewListener(nil))
	token := b.addRBM(t, server.URL)
	var organisation int64
	err := b.pool.QueryRow(t.Context(), `
		with o as (insert into organisations (name, status, sandbox) values ('Live', 'active', false) returning id)
		insert into rcs_bots (id, organisation_id, name, profile) select $1, id, 'Lamps', '{}' from o returning organisation_id`, liveBot).Scan(&organisation)
	if err != nil {
		t.Fatal(err)
	}
	b.work(t, slog.New(slog.DiscardHandler))
	send := func(to string) uuid.UUID {
		m := models.Message{
			ID: uuid.Must(uuid.NewV7()), OrganisationID: organisation, Channel: rcs.Channel, Sender: liveBot, Recipient: to, Kind: "text",
			Payload: []byte(`{"contentMessage":{"text":"Your lamp is ready."}}`), TTL: 600, CreatedAt: time.Now(),
		}
		if _, err := pipeline.NewAcceptor(b.pool, nil).Accept(t.Context(), pipeline.Group{Messages: []models.Message{m}}); err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	await := func(id uuid.UUID, state string) {
		t.Helper()
		for end := time.Now().Add(time.Minute); b.stateOf(t, id) != state; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("message %s is %s, want %s", id, b.stateOf(t, id), state)
			}
		}
	}
	read, late, incapable := send("919812345678"), send("919812345679"), send("919812340011")
	await(read, "sent")
	await(late, "sent")
	await(incapable, "failed")
	if !server.took("POST /v1/phones/+919812345678/agentMessages?messageId=" + read.String() + `&agentId=lamps_agent {"contentMessage":{"text":"Your lamp is ready."},"expireTime":"`) {
		t.Errorf("the agent was asked %v", server.asked)
	}
	events := &rcs.CarrierEvents{DB: b.pool, Keyring: b.keyring, Jobs: b.client, Channels: channels.Declared()}
	for n, kind := range []string{"DELIVERED", "READ"} {
		data := fmt.Appendf(nil, `{"agentId":"lamps_agent","senderPhoneNumber":"+919812345678","eventType":%q,"eventId":"e-%d","messageId":%q}`, kind, n, read)
		mac := hmac.New(sha512.New, []byte(token))
		mac.Write(data)
		body := fmt.Sprintf(`{"message":{"data":%q}}`, base64.StdEncoding.EncodeToString(data))
		if _, err := events.Receive(t.Context(), "google", []byte(body), base64.StdEncoding.EncodeToString(mac.Sum(nil))); err != nil {
			t.Fatal(err)
		}
		await(read, strings.ToLower(kind))
	}
	b.rush(t, "expire_message", func() bool { return b.stateOf(t, late) == "expired" })
	if !server.took("DELETE /v1/phones/+919812345679/agentMessages/"+late.String()+"?agentId=lamps_agent") || server.took("DELETE /v1/phones/+919812345678/") {
		t.Errorf("the agent was asked %v", server.asked)
	}
	await(read, "read")
}

// The test of a carrier of bots asks whether a phone can be reached, and sends
// nothing.
func TestTryingACarrierOfBotsAsksForThePhone(t *testing.T) {
	t.Parallel()
	server := &agents{}
	server.Server = httptest.NewServer(server)
	t.Cleanup(server.Close)
	b := prepare(t, func(d *jobs.Deps) { d.Gateways = outbound.New(outbound.Options{AllowLoopback: true}) })
	b.addRBM(t, server.URL)
	carrier, err := queries.CarrierGet(t.Context(), b.pool, "google")
	if err != nil {
		t.Fatal(err)
	}
	for phone, want := range map[string]string{"919812345678": "", "919812340011": "the phone cannot receive RCS, or the bot does not reach it"} {
		id, err := carry.TryCarrier(t.Context(), carry.Options{Keyring: b.deps.Keyring, Gateways: b.deps.Gateways, PublicURL: b.deps.PublicURL}, carrier, pipeline.CarrierTest{Sender: liveBot, Recipient: phone})
		if got := fmt.Sprint(err); id != "" || want == "" && err != nil || want != "" && got != want {
			t.Errorf("%s: id %q, %v; want %q", phone, id, err, want)
		}
	}
	if server.took("POST /v1/phones/+919812345678/agentMessages") {
		t.Error("a message was sent")
	}
}
