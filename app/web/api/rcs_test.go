package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
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
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/config"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/outbound"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/app/web"
	"heliograph/app/web/api"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// rcsPartner is an organisation with bots. Every answer that it gets is held
// against the published contract.
type rcsPartner struct {
	handler  http.Handler
	contract *spectest.Contract
	pool     *pgxpool.Pool
	jobs     *river.Client[pgx.Tx]
	service  *rcs.Service
	files    *hosts
	id       int64
	key      string
	sandbox  rcs.Sandbox
	number   assets.Sandbox
}

// hosts is the network of the tests: it answers for every address.
type hosts struct {
	mu    sync.Mutex
	files map[string]func() (*http.Response, error)
}

func (h *hosts) serve(address string, status int, body []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.files[address] = func() (*http.Response, error) {
		return &http.Response{StatusCode: status, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Header: http.Header{}}, nil
	}
}

// Do answers with what is served at an address. Any other has an image of the
// size that its name asks for.
func (h *hosts) Do(_ string, req *http.Request) (*http.Response, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if answer := h.files[req.URL.String()]; answer != nil {
		return answer()
	}
	width, height := 224, 224
	if strings.Contains(req.URL.Path, "banner") {
		width, height = 1140, 448
	}
	body := picture(width, height)
	return &http.Response{StatusCode: 200, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Header: http.Header{}}, nil
}

// picture returns a PNG image of a size.
func picture(width, height int) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// setupRCS starts the API and returns two partners.
func setupRCS(t testing.TB) (*rcsPartner, *rcsPartner) {
	t.Helper()
	p := &rcsPartner{pool: dbtest.Pool(t), files: &hosts{files: map[string]func() (*http.Response, error){}}}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	if p.jobs, err = river.NewClient(riverpgxv5.New(p.pool), &river.Config{Schema: db.RiverSchema}); err != nil {
		t.Fatal(err)
	}
	listener := db.NewListener(p.pool)
	endpoints := relay.NewEndpoints(relay.Options{DB: p.pool, Keyring: keys, Jobs: p.jobs, Guard: guard{outbound.New(outbound.Options{})}})
	acceptor, routes := pipeline.NewAcceptor(p.pool, nil), pipeline.NewRoutes(p.pool, listener)
	texts := sms.New(sms.Options{Pool: p.pool, Listener: listener, Acceptor: acceptor, Keys: pipeline.NewKeys(p.pool), Endpoints: endpoints, Routes: routes, Keyring: keys})
	messages := messaging.New(messaging.Options{
		Pool: p.pool, Listener: listener, Keyring: keys, Jobs: p.jobs, Guard: guard{outbound.New(outbound.Options{})}, Words: []string{"msgapp", "whatsapp"}, BaseURL: "http://localhost:8080",
	})
	p.service = rcs.New(rcs.Options{
		Pool: p.pool, Acceptor: acceptor, Routes: routes, Endpoints: endpoints, Keyring: keys, Limiter: limit.New(p.pool, keys), Jobs: p.jobs, Fetcher: p.files, SMS: texts, Messaging: messages,
	})
	surface := api.NewRCS(api.RCSOptions{Keys: identity.NewKeys(p.pool, listener), Service: p.service, OnPremise: true, Words: []string{"msgapp", "whatsapp"}, Base: "https://docs.example.com"})
	settings, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	server, err := web.New(web.Deps{
		Config: settings, Keyring: keys, DB: p.pool, Pool: p.pool, Registry: prometheus.NewRegistry(), Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError})),
		APIs: []web.API{{Name: "rcs", Prefixes: api.RCSPrefixes, Handle: surface.Handle, Fail: surface.Fail, UnknownPath: surface.UnknownPath, BodyLimit: api.RCSBodyLimit}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.handler = server.Handler()
	dbtest.Listen(t, listener)
	document := readSeedOf(t, "rcs.yaml")
	if p.contract, err = spectest.New(document); err != nil {
		t.Fatal(err)
	}
	other := *p
	p.join(t, keys, "First")
	other.join(t, keys, "Second")
	return p, &other
}

func (p *rcsPartner) join(t testing.TB, keys *keyring.Keyring, name string) {
	t.Helper()
	directory := identity.New(p.pool, identity.Notifier{})
	p.id = identitytest.AddOrganisation(t, p.pool, models.Organisation{Name: name, Sandbox: true}, strings.ToLower(name)+"@example.com")
	var err error
	if p.key, err = directory.CreateKey(t.Context(), p.id, identity.KeyRequest{Name: "test", Channels: []string{"rcs"}}, "test"); err != nil {
		t.Fatal(err)
	}
	err = db.InTx(t.Context(), p.pool, func(tx pgx.Tx) error {
		if p.number, err = messaging.Provision(t.Context(), tx, keys, p.id, name); err != nil {
			return err
		}
		if _, err = sms.Provision(t.Context(), tx, keys, p.id); err != nil {
			return err
		}
		p.sandbox, err = rcs.Provision(t.Context(), tx, p.id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// rcsAnswerBody is an answer of the RCS API.
type rcsAnswerBody struct {
	answer
	Status, Message string
	Code            int
	Total           int
	Data            json.RawMessage
	Errors          []struct{ Field, Code, Message string }
}

// field returns the code of the error of a field.
func (a rcsAnswerBody) field(name string) string {
	for _, e := range a.Errors {
		if e.Field == name {
			return e.Code
		}
	}
	return ""
}

// text returns a member of the data of an answer.
func (a rcsAnswerBody) text(t testing.TB, name string) string {
	t.Helper()
	var data map[string]any
	if err := json.Unmarshal(a.Data, &data); err != nil {
		t.Fatalf("no data: %s", a.body)
	}
	s, _ := data[name].(string)
	return s
}

// call makes a request and holds its answer against the contract.
func (p *rcsPartner) call(t testing.TB, method, path string, body any, headers ...string) rcsAnswerBody {
	t.Helper()
	text, ok := body.(string)
	if !ok && body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		text = string(encoded)
	}
	if !strings.HasPrefix(path, "/mgmt") {
		path = "/api/v1" + path
	}
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(text))
	r.Header.Set("apikey", p.key)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	a := rcsAnswerBody{answer: answer{w.Code, w.Header(), w.Body.Bytes()}}
	if err := json.Unmarshal(a.body, &a); err != nil || a.Code != a.status || a.Status != map[bool]string{true: "SUCCESS", false: "FAILURE"}[a.status < 300] {
		t.Errorf("%s %s: %d %s is no envelope: %v", method, path, a.status, a.body, err)
	}
	noteCodes(t, "rcs", spell(r, text, p.key), a.body)
	if a.status >= 500 {
		t.Errorf("%s %s %s: %s", method, path, text, a.body)
	}
	p.holds(t, validate.Request{Header: r.Header, Body: []byte(text)}, method, path, a)
	return a
}

// holds checks an answer against the contract, and a request that succeeded.
func (p *rcsPartner) holds(t testing.TB, sent validate.Request, method, path string, a rcsAnswerBody) {
	t.Helper()
	bare, query, _ := strings.Cut(path, "?")
	for _, id := range p.contract.Match(method, bare) {
		if err := p.contract.Response(id, a.status, a.header, a.body); err != nil {
			t.Errorf("%s: %v\n%s", id, err, a.body)
		}
		if a.status >= 300 {
			continue
		}
		sent.Path, sent.Query = p.contract.PathValues(id, bare), query
		if err := p.contract.RequestParameters(id, sent); err != nil {
			t.Errorf("%s was accepted: %v", id, err)
		}
		// A number that cannot be used is an outcome, though the contract has its form.
		if len(sent.Body) > 0 && !bytes.Contains(a.body, []byte("REJECTED")) && strings.HasPrefix(sent.Header.Get("Content-Type"), "application/json") {
			if err := p.contract.RequestBody(id, "application/json", sent.Body); err != nil {
				t.Errorf("%s was accepted: %v\n%s", id, err, sent.Body)
			}
		}
	}
}

// object is a JSON object.
type jsonMap = map[string]any

// completeBot is the request for a bot that can be verified.
func completeBot(name string) jsonMap {
	return jsonMap{
		"botName": name, "botMessageType": "TRANSACTIONAL", "color": "#8A4B00", "botLogoImage": "https://parcels.example.com/logo.png",
		"botBannerImage": "https://parcels.example.com/banner.png", "termsofUseUrl": "https://parcels.example.com/terms", "privacyPolicyUrl": "https://parcels.example.com/privacy",
	}
}

// submission is the request to verify a bot.
func submission(id string) jsonMap {
	return jsonMap{
		"botId": id, "brandDetails": jsonMap{"brandName": "Parcels"}, "contactEmail": "help@parcels.example.com", "screenImages": []string{"https://parcels.example.com/screen.png"},
		"optInDescription": "A box is ticked.", "optOutDescription": "STOP",
	}
}

// review runs the automatic reviews that wait.
func (p *rcsPartner) review(t testing.TB, id string, revision int) {
	t.Helper()
	err := db.InTx(t.Context(), p.pool, func(tx pgx.Tx) error {
		return rcs.ReviewAutomatically(t.Context(), tx, p.jobs, args.ReviewRCSTemplate{TemplateID: id, Revision: revision})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (p *rcsPartner) organisation() string { return strconv.FormatInt(p.id, 10) }

func (p *rcsPartner) count(t testing.TB, statement string, args ...any) (n int) {
	t.Helper()
	if err := p.pool.QueryRow(t.Context(), statement, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func numbered(n int) string { return fmt.Sprintf("+9198%08d", n) }

// Without a database the answer is an error in the envelope of the API.
func TestRCSWithoutADatabase(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	p.pool.Close()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v1/get-all-bots", nil)
	r.Header.Set("apikey", p.key)
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	var a rcsAnswerBody
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != 500 || a.Status != "FAILURE" || a.Code != 500 || a.Message != "Internal error" {
		t.Fatalf("%d %s, %v", w.Code, w.Body, err)
	}
	noteCodes(t, "rcs", "GET /api/v1/get-all-bots while the database is away", w.Body.Bytes())
}
