package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/refusal"
	"heliograph/app/config"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/keyring"
	"heliograph/app/outbound"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web"
	"heliograph/app/web/api"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/seed"
	"heliograph/storage"
)

// partner is an organisation with its key, calling the whole server. Every
// answer it gets is held against the published contract.
type partner struct {
	handler  http.Handler
	contract *spectest.Contract
	pool     *pgxpool.Pool
	key      string
	sandbox  assets.Sandbox
	surface  *api.Messaging
	files    string // folder of what is stored
	careless bool   // sends parameters that the contract forbids
	refusals *refusal.Log
}

type guard struct{ *outbound.Client }

func (g guard) CheckWebhook(_ context.Context, url string, headers map[string]string) error {
	if err := outbound.CheckHeaders(headers); err != nil {
		return err
	}
	_, err := g.CheckURL(url)
	return err
}

func setup(t testing.TB) (*partner, *partner) {
	t.Helper()
	return setupWith(t, func(*messaging.Options) {})
}

// setupWith starts the API with changed options.
func setupWith(t testing.TB, change func(o *messaging.Options)) (*partner, *partner) {
	t.Helper()
	pool := dbtest.Pool(t)
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	files := t.TempDir()
	store, err := storage.OpenFolder(files, "http://localhost:8080", keys.Subkey("files"))
	if err != nil {
		t.Fatal(err)
	}
	listener := db.NewListener(pool)
	authenticator := identity.NewKeys(pool, listener)
	options := messaging.Options{
		Pool: pool, Listener: listener, Keyring: keys, Jobs: client, Store: store,
		Guard: guard{outbound.New(outbound.Options{AllowLoopback: true})}, Words: []string{"msgapp", "whatsapp"}, BaseURL: "http://localhost:8080",
	}
	change(&options)
	service := messaging.New(options)
	surface := api.NewMessaging(authenticator, service, "http://localhost:8080")
	settings, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	refusals := refusal.NewLog(pool)
	server, err := web.New(web.Deps{
		Refusals: refusals,
		Config:   settings, Keyring: keys, DB: pool, Pool: pool, Registry: prometheus.NewRegistry(), Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError})),
		APIs: []web.API{{Name: "messaging", Prefixes: []string{api.Prefix}, Routes: surface.Pages(), Handle: surface.Handle, Fail: surface.Fail, UnknownPath: surface.UnknownPath, BodyLimit: api.BodyLimit}},
	})
	if err != nil {
		t.Fatal(err)
	}
	dbtest.Listen(t, listener)

	contract, err := messagingContract()
	if err != nil {
		t.Fatal(err)
	}
	join := func(name string) *partner {
		p := &partner{refusals: refusals, handler: server.Handler(), contract: contract, pool: pool, surface: surface, files: files}
		p.join(t, keys, name)
		return p
	}
	return join("First"), join("Second")
}

var messagingContract = sync.OnceValues(func() (*spectest.Contract, error) {
	document, err := seed.Files.ReadFile("messaging.yaml")
	if err != nil {
		return nil, err
	}
	return spectest.New(document)
})

func (p *partner) join(t testing.TB, keys *keyring.Keyring, name string) {
	t.Helper()
	directory := identity.New(p.pool, identity.Notifier{})
	id := identitytest.AddOrganisation(t, p.pool, models.Organisation{Name: name, Sandbox: true}, strings.ToLower(name)+"@example.com")
	var err error
	p.key, err = directory.CreateKey(t.Context(), id, identity.KeyRequest{Name: "test", Channels: []string{"messaging"}}, "test")
	if err != nil {
		t.Fatal(err)
	}
	err = db.InTx(t.Context(), p.pool, func(tx pgx.Tx) error {
		p.sandbox, err = messaging.Provision(t.Context(), tx, keys, id, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// number is a path below the partner's phone number.
func (p *partner) number(rest string) string {
	return fmt.Sprintf("/%d%s", p.sandbox.PhoneNumberID, rest)
}

// answer is what the server said.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// code is the error code of an answer, zero when it is none.
func (a answer) code(t testing.TB) int {
	t.Helper()
	var e struct {
		Error struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
			Trace   string `json:"fbtrace_id"`
		} `json:"error"`
	}
	if err := json.Unmarshal(a.body, &e); err != nil {
		t.Fatalf("answer is not JSON: %s", a.body)
	}
	if a.status >= 400 && (e.Error.Message == "" || e.Error.Trace == "" || e.Error.Trace != a.header.Get("X-Request-Id")) {
		t.Errorf("error without message or trace: %s", a.body)
	}
	return e.Error.Code
}

// call makes a request with the partner's key and holds the answer against the
// contract.
func (p *partner) call(t testing.TB, method, path, body string, headers ...string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, api.Prefix+path, strings.NewReader(body))
	r.Header.Set("apikey", p.key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	got, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{w.Code, w.Header(), got}
	if kind := a.header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
		t.Errorf("%s %s answers %q, want JSON", method, path, kind)
	}
	p.holds(t, validate.Request{Header: r.Header, Body: []byte(body)}, method, path, a)
	noteCodes(t, "messaging", spell(r, body, p.key), got)
	return a
}

// undocumented lists operations that accept parameters in further places, for
// programs written for another name of the channel, and where.
var undocumented = map[string]string{
	"createUploadSession": "the body",
}

// holds checks an answer against the contract, and the parameters of the
// request where it succeeded. Where several operations share the path, both
// must be of one of them. Bodies of requests are checked by tests of their own:
// the service accepts more than it documents, such as JSON as a form and items
// of a batch that fail alone. An empty query parameter counts as not sent.
func (p *partner) holds(t testing.TB, sent validate.Request, method, path string, a answer) {
	t.Helper()
	bare, query, _ := strings.Cut(path, "?")
	bare = strings.TrimSuffix(bare, "/")
	isEmpty := func(text string) bool { return strings.HasSuffix(text, "=") }
	sent.Query = strings.Join(slices.DeleteFunc(strings.Split(query, "&"), isEmpty), "&")
	var broken error
	for _, id := range p.contract.Match(method, bare) {
		err := p.contract.Response(id, a.status, a.header, a.body)
		if err == nil && a.status < 300 && !p.careless && undocumented[id] == "" {
			sent.Path = p.contract.PathValues(id, bare)
			err = p.contract.RequestParameters(id, sent)
		}
		if err == nil {
			return
		}
		broken = err
	}
	if broken != nil {
		t.Errorf("%s %s: %v\n%s", method, path, broken, a.body)
	}
}

func (p *partner) set(t *testing.T, url string) answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{"webhook_url": url, "headers": map[string]string{"X-Secret": "mine"}})
	if err != nil {
		t.Fatal(err)
	}
	return p.call(t, http.MethodPost, p.number("/setwebhook"), string(bytes.TrimSpace(body)))
}

// organisation is the partner's own id in the database.
func (p *partner) organisation(t *testing.T) (id int64) {
	t.Helper()
	if err := p.pool.QueryRow(t.Context(), `select organisation_id from registry where id = $1`, p.sandbox.BusinessID).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}
