package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/hlr"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/refusal"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/config"
	"heliograph/app/documentation/openapi/codetest"
	"heliograph/app/documentation/openapi/spectest"
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
	"heliograph/db/seed"
)

// smsPartner is an organisation that sends SMS. Every answer that it gets is held
// against the published contract.
type smsPartner struct {
	handler  http.Handler
	contract *spectest.Contract
	pool     *pgxpool.Pool
	id       int64
	key      string
	sandbox  sms.Sandbox
	log      *bytes.Buffer
	metrics  *prometheus.Registry
	keyring  *keyring.Keyring
	service  *sms.Service
	refusals *refusal.Log
}

func setupSMS(t testing.TB) *smsPartner {
	t.Helper()
	return setupSMSWith(t, guard{outbound.New(outbound.Options{})})
}

// setupSMSWith starts the API with a guard of report addresses.
func setupSMSWith(t testing.TB, g relay.Guard) *smsPartner {
	t.Helper()
	return setupSMSOn(t, g, dbtest.Pool(t))
}

// setupSMSOn starts the API on a database.
func setupSMSOn(t testing.TB, g relay.Guard, pool *pgxpool.Pool) *smsPartner {
	t.Helper()
	p := &smsPartner{pool: pool, log: &bytes.Buffer{}, metrics: prometheus.NewRegistry()}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	client, err := river.NewClient(riverpgxv5.New(p.pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	listener := db.NewListener(p.pool)
	endpoints := relay.NewEndpoints(relay.Options{DB: p.pool, Keyring: keys, Jobs: client, Guard: g})
	service := sms.New(sms.Options{
		Pool: p.pool, Listener: listener, Acceptor: pipeline.NewAcceptor(p.pool, nil), Keys: pipeline.NewKeys(p.pool), Endpoints: endpoints,
		Routes: pipeline.NewRoutes(p.pool, listener), Keyring: keys, Limiter: limit.New(p.pool, keys),
	})
	limiter := limit.New(p.pool, keys)
	p.keyring, p.service = keys, service
	surface := api.NewSMS(identity.NewKeys(p.pool, listener), api.SMSRules{
		Base:    "https://api.example.com",
		Service: service, Lookups: hlr.New(p.pool, limiter, nil),
		OTPs: sms.NewOTPs(sms.OTPOptions{DB: p.pool, Keyring: keys, Limiter: limiter, Sender: service, MayReturn: service.MayReturnOTP}),
	})
	settings, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	p.refusals = refusal.NewLog(p.pool)
	server, err := web.New(web.Deps{
		Refusals: p.refusals,
		Config:   settings, Keyring: keys, DB: p.pool, Pool: p.pool, Registry: p.metrics, Log: slog.New(slog.NewJSONHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		APIs: []web.API{{Name: "sms", Prefixes: api.SMSPrefixes, Handle: surface.Handle, Fail: surface.Fail, UnknownPath: surface.UnknownPath, BodyLimit: surface.BodyLimit()}},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.handler = server.Handler()
	dbtest.Listen(t, listener)
	document, err := seed.Files.ReadFile("sms.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if p.contract, err = spectest.New(document); err != nil {
		t.Fatal(err)
	}
	p.join(t, keys)
	return p
}

// goLive makes the organisation a live one that owns its headers.
func (p *smsPartner) goLive(t testing.TB) {
	t.Helper()
	for _, sql := range []string{`update organisations set sandbox = false where id = $1`, `update sms_headers set state = 'granted' where organisation_id = $1`} {
		if _, err := p.pool.Exec(t.Context(), sql, p.id); err != nil {
			t.Fatal(err)
		}
	}
}

func (p *smsPartner) join(t testing.TB, keys *keyring.Keyring) {
	t.Helper()
	directory := identity.New(p.pool, identity.Notifier{})
	p.id = identitytest.AddOrganisation(t, p.pool, models.Organisation{Name: "Parcels", Sandbox: true}, "sms@example.com")
	var err error
	if p.key, err = directory.CreateKey(t.Context(), p.id, identity.KeyRequest{Name: "test", Channels: []string{"sms"}}, "test"); err != nil {
		t.Fatal(err)
	}
	err = db.InTx(t.Context(), p.pool, func(tx pgx.Tx) error {
		p.sandbox, err = sms.Provision(t.Context(), tx, keys, p.id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// smsAnswer is an answer of the submit interface.
type smsAnswer struct {
	status int
	header http.Header
	text   string
	sms.Response
}

// send makes a request, holds the answer against the contract and notes its code.
func (p *smsPartner) send(t testing.TB, r *http.Request) smsAnswer {
	t.Helper()
	a := p.do(t, r)
	codetest.Note(t, "sms", a.Status.Code.String(), spell(r, "", p.key))
	return a
}

func (p *smsPartner) do(t testing.TB, r *http.Request) smsAnswer {
	t.Helper()
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := smsAnswer{status: w.Code, header: w.Header(), text: string(body)}
	if err := json.Unmarshal(body, &a.Response); err != nil {
		t.Fatalf("%s %s: %d %q is no JSON", r.Method, r.URL.Path, w.Code, body)
	}
	for _, id := range p.contract.Match(r.Method, r.URL.Path) {
		if err := p.contract.Response(id, w.Code, w.Header(), body); err != nil {
			t.Errorf("%s %s: %v\n%s", r.Method, r.URL.Path, err, body)
		}
	}
	return a
}

const submitPath = "/genericapi/JSONGenericReceiver"

// submit sends a submission. Its only message has the changed members.
func (p *smsPartner) submit(t testing.TB, changes map[string]any) smsAnswer {
	t.Helper()
	a := p.do(t, p.request(t, changes))
	changed, err := json.Marshal(changes)
	if err != nil {
		t.Fatal(err)
	}
	codetest.Note(t, "sms", a.Status.Code.String(), "POST "+submitPath+" with "+string(changed))
	return a
}

func (p *smsPartner) request(t testing.TB, changes map[string]any) *http.Request {
	message := map[string]any{
		"dest": []string{"9812345678"}, "app_country": "1", "country_cd": "91", "header": p.sandbox.Header, "msg": p.sandbox.Text, "type": "PM",
		"dlt_entity_id": p.sandbox.EntityID, "dlt_template_id": p.sandbox.TemplateID,
	}
	whole := map[string]any{"version": "1.0", "accesskey": p.key, "encrypt": "0", "messages": []any{message}}
	for name, value := range changes {
		if bare, ok := strings.CutPrefix(name, "."); ok {
			whole[bare] = value
		} else {
			message[name] = value
		}
	}
	body, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, submitPath, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// stored counts the messages and their jobs in the database.
func (p *smsPartner) stored(t testing.TB) (messages, jobs int) {
	t.Helper()
	err := p.pool.QueryRow(t.Context(), `select (select count(*) from messages), (select coalesce(sum(coalesce(jsonb_array_length(args->'message_ids'), 1)), 0) from `+db.RiverSchema+`.river_job where kind in ('carry_message', 'carry_messages'))`).Scan(&messages, &jobs)
	if err != nil {
		t.Fatal(err)
	}
	return messages, jobs
}

// What existing clients assert: HTTP 200, a code that is a string, and ten digits
// with app_country.
func TestSMSOfExistingClients(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	a := p.submit(t, nil)
	if a.status != 200 || !strings.Contains(a.text, `"status":{"code":"200"`) || a.Messages[0].Dest != "919812345678" || a.Messages[0].Parts != 1 || a.Messages[0].Encoding != "GSM7" {
		t.Fatalf("%d %s", a.status, a.text)
	}
	if messages, jobs := p.stored(t); messages != 1 || jobs != 1 {
		t.Errorf("%d messages and %d jobs are stored", messages, jobs)
	}
	query := url.Values{
		"version": {"1.0"}, "accesskey": {p.key}, "dest": {"9812345678,9812345679"}, "app_country": {"1"}, "country_cd": {"91"}, "header": {p.sandbox.Header},
		"msg": {p.sandbox.Text}, "dlt_entity_id": {p.sandbox.EntityID}, "dlt_template_id": {p.sandbox.TemplateID},
	}
	byQuery := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/genericapi/QSGenericReceiver?"+query.Encode(), nil)
	byForm := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/genericapi/QSGenericReceiver", strings.NewReader(query.Encode()))
	byForm.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, r := range []*http.Request{byQuery, byForm} {
		if a := p.send(t, r); a.status != 200 || a.Status.Code != sms.CodeAccepted || len(a.Messages) != 2 {
			t.Errorf("%s: %d %s", r.Method, a.status, a.text)
		}
	}
	if messages, jobs := p.stored(t); messages != 5 || jobs != 5 {
		t.Errorf("%d messages and %d jobs are stored", messages, jobs)
	}
}

func TestSMSCredentials(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	wrong := p.key[:len(p.key)-1] + "x"
	if wrong == p.key {
		wrong = p.key[:len(p.key)-1] + "y"
	}
	for _, tt := range []struct {
		name   string
		change map[string]any
		query  string
		header http.Header
		want   sms.Code
	}{
		{"accesskey in the body", nil, "", nil, 200},
		{"pin", map[string]any{".accesskey": "", ".pin": p.key}, "", nil, 200},
		{"password", map[string]any{".accesskey": "", ".password": p.key}, "", nil, 200},
		{"accesskey in the query", map[string]any{".accesskey": ""}, "?accesskey=" + p.key, nil, 200},
		{"Authorization", map[string]any{".accesskey": ""}, "", http.Header{"Authorization": {p.key}}, 200},
		{"bearer token", map[string]any{".accesskey": ""}, "", http.Header{"Authorization": {"Bearer " + p.key}}, 200},
		{"apikey header", map[string]any{".accesskey": ""}, "", http.Header{"Apikey": {p.key}}, 200},
		{"none", map[string]any{".accesskey": ""}, "", nil, sms.CodeCredentials},
		{"wrong", map[string]any{".accesskey": wrong}, "", nil, sms.CodeCredentials},
		{"not a key", map[string]any{".accesskey": "secret"}, "", nil, sms.CodeCredentials},
	} {
		r := p.request(t, tt.change)
		r.URL.RawQuery = strings.TrimPrefix(tt.query, "?")
		for name, values := range tt.header {
			r.Header[name] = values
		}
		if a := p.send(t, r); a.status != 200 || a.Status.Code != tt.want {
			t.Errorf("%s: %d %s", tt.name, a.status, a.text)
		}
	}
}

// Keys and texts of requests are in no log, metric or answer, whatever goes wrong.
func TestSMSSecretsStayOut(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	planted := "hg_test_plantedplantedplantedplantedplanted"
	requests := []*http.Request{p.request(t, map[string]any{".accesskey": planted}), p.request(t, map[string]any{".messages": planted}), p.request(t, map[string]any{"msg": "planted text"})}
	for _, target := range []string{
		"GET /genericapi/QSGenericReceiver?accesskey=" + planted, "HEAD /genericapi/QSGenericReceiver?accesskey=" + planted, "GET /genericapi/nothing?accesskey=" + planted,
		"PUT /genericapi/QSGenericReceiver?accesskey=" + planted, "GET /genericapi/QSGenericReceiver?accesskey=" + planted + "&msg=%zz", "GET /index.php/sms/nothing?apikey=" + planted,
		"GET /hlr/nothing?apikey=" + planted, "GET /genericapi/dlr?accesskey=" + p.key + "&msg_id=planted",
	} {
		method, address, _ := strings.Cut(target, " ")
		requests = append(requests, httptest.NewRequestWithContext(t.Context(), method, address, nil))
	}
	broken := httptest.NewRequestWithContext(t.Context(), http.MethodPost, submitPath, strings.NewReader(`{"accesskey":"`+planted+`",`))
	cut := httptest.NewRequestWithContext(t.Context(), http.MethodPost, submitPath+"?pin="+planted, io.MultiReader(strings.NewReader(`{"accesskey":"`+planted), failing{}))
	for _, r := range append(requests, broken, cut) {
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		if strings.Contains(w.Body.String(), "planted") || strings.Contains(fmt.Sprint(w.Header()), "planted") {
			t.Errorf("%s %s answers %s", r.Method, r.URL.Path, w.Body)
		}
	}
	// The database fails, and its errors are logged.
	if _, err := p.pool.Exec(t.Context(), `alter table messages rename to lost; alter table rate_limits rename to lost_limits`); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, p.request(t, map[string]any{"msg": "planted text"}))
	if w.Code != 500 || !strings.Contains(w.Body.String(), `"code":"398"`) {
		t.Errorf("without its table: %d %s", w.Code, w.Body)
	} else {
		codetest.Note(t, "sms", "398", "a submission when the database fails")
	}
	lookup := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/hlr/lookup?msisdn=919812345678", nil)
	lookup.Header.Set("apikey", p.key)
	w = httptest.NewRecorder()
	p.handler.ServeHTTP(w, lookup)
	if w.Code != 503 || !strings.Contains(w.Body.String(), `"code":503`) || w.Header().Get("Retry-After") == "" {
		t.Errorf("a lookup that cannot be counted: %d %s", w.Code, w.Body)
	}
	noteCodes(t, "sms otp", "GET /hlr/lookup?msisdn=919812345678 while lookups cannot be counted", w.Body.Bytes())
	families, err := p.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{p.log.String(), fmt.Sprint(families)} {
		if len(text) < 100 || strings.Contains(text, "planted") || strings.Contains(text, p.key) {
			t.Errorf("the log or the metrics have a secret, or nothing: %.2000s", text)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// What cannot be read is a 400, and a GET that sends acts on GET alone.
func TestSMSRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	query := "/genericapi/QSGenericReceiver?accesskey=" + p.key + "&dest=919812345678&header=" + p.sandbox.Header + "&msg=Hi&dlt_template_id=" + p.sandbox.TemplateID
	for _, tt := range []struct {
		method, target, body string
		status               int
		code                 sms.Code
	}{
		{"POST", submitPath, "{", 400, sms.CodeJSON},
		{"POST", submitPath, "null", 400, sms.CodeJSON},
		{"POST", submitPath, `<?xml version="1.0"?>`, 400, sms.CodeJSON},
		{"POST", submitPath, strings.Repeat(" ", 1<<20+1), 400, sms.CodeBadRequest},
		{"GET", "/genericapi/QSGenericReceiver?msg=%zz", "", 400, sms.CodeBadRequest},
		{"GET", query + strings.Repeat("x", 8<<10), "", 400, sms.CodeBadRequest},
		{"GET", query + "&param1=%ff", "", 200, sms.CodeBadRequest},
		{"GET", "/genericapi/nothing", "", 404, sms.CodeBadRequest},
		{"GET", submitPath, "", 405, sms.CodeBadRequest},
		{"PUT", submitPath, "", 405, sms.CodeBadRequest},
		{"HEAD", query, "", 405, sms.CodeBadRequest},
		{"OPTIONS", query, "", 405, sms.CodeBadRequest},
	} {
		r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.target, strings.NewReader(tt.body))
		if a := p.send(t, r); a.status != tt.status || a.Status.Code != tt.code || a.status == 405 && a.header.Get("Allow") == "" {
			t.Errorf("%s %.60s: %d %s", tt.method, tt.target, a.status, a.text)
		}
	}
	if messages, _ := p.stored(t); messages != 0 {
		t.Errorf("%d messages were accepted", messages)
	}
	if a := p.send(t, httptest.NewRequestWithContext(t.Context(), "GET", query, nil)); a.Status.Code != sms.CodeAccepted {
		t.Errorf("GET: %d %s", a.status, a.text)
	}
}

// A cust_ref is accepted once in 24 hours, however many processes get it.
func TestSMSReferenceIsUnique(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	var mu sync.Mutex
	codes := map[sms.Code]int{}
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() {
			a := p.submit(t, map[string]any{"cust_ref": "parcel-7"})
			mu.Lock()
			defer mu.Unlock()
			codes[a.Status.Code]++
		})
	}
	wg.Wait()
	if messages, jobs := p.stored(t); codes[200] != 1 || codes[sms.CodeReferenceUsed] != 29 || messages != 1 || jobs != 1 {
		t.Fatalf("codes %v, %d messages, %d jobs", codes, messages, jobs)
	}
	if _, err := p.pool.Exec(t.Context(), `update sms_references set created_at = now() - interval '24 hours 1 second'`); err != nil {
		t.Fatal(err)
	}
	if a := p.submit(t, map[string]any{"cust_ref": "parcel-7"}); a.Status.Code != sms.CodeAccepted {
		t.Errorf("a day later: %s", a.text)
	}
}

// 5,000 recipients are one durable group, and one of them that is wrong holds
// nobody back.
func TestSMSToThousands(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	var messages []any
	for i := range 5 {
		var dest []string
		for j := range 1000 {
			dest = append(dest, fmt.Sprintf("9198%08d", i*1000+j))
		}
		if i == 2 {
			dest[7] = "911"
		}
		messages = append(messages, map[string]any{"dest": dest, "header": p.sandbox.Header, "msg": p.sandbox.Text, "dlt_template_id": p.sandbox.TemplateID})
	}
	a := p.submit(t, map[string]any{".messages": messages})
	if a.Status.Code != sms.CodeAccepted || len(a.Messages) != 5000 || a.Messages[2007].Code != sms.CodeRecipient {
		t.Fatalf("%d messages with status %s", len(a.Messages), a.Status.Code)
	}
	if stored, jobs := p.stored(t); stored != 4999 || jobs != 4999 {
		t.Errorf("%d messages and %d jobs are stored", stored, jobs)
	}
	if a := p.submit(t, map[string]any{".messages": append(messages, messages[0])}); a.Status.Code != sms.CodeBadRequest {
		t.Errorf("6,000 recipients: %.200s", a.text)
	}
}

// The flags of an account have effect at once.
func TestSMSAccountStates(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	for _, tt := range []struct {
		change string
		status int
		code   sms.Code
	}{
		{`state = 'deactivated'`, 200, sms.CodeDeactivated}, {`state = 'suspended'`, 200, sms.CodeSuspended}, {`state = 'inactive'`, 200, sms.CodeInactive},
		{`state = 'active', expires_at = now() - interval '1 second'`, 200, sms.CodeExpired}, {`expires_at = null, api_access = false`, 200, sms.CodeDisabled},
		{`api_access = true, allowed_addresses = '{203.0.113.0/24}'`, 403, sms.CodeAddress}, {`allowed_addresses = '{192.0.2.0/24}'`, 200, sms.CodeAccepted},
	} {
		if _, err := p.pool.Exec(t.Context(), `update sms_accounts set `+tt.change); err != nil {
			t.Fatal(err)
		}
		var a smsAnswer
		for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); { // until the notification has arrived
			if a = p.submit(t, nil); a.Status.Code == tt.code {
				break
			}
		}
		if a.status != tt.status || a.Status.Code != tt.code {
			t.Errorf("%s: %d %s", tt.change, a.status, a.text)
		}
	}
}

// A key for other channels does not send SMS, and an organisation that was
// deactivated does not either.
func TestSMSKeyOfAnotherChannel(t *testing.T) {
	t.Parallel()
	p := setupSMS(t)
	if _, err := p.pool.Exec(t.Context(), `update api_keys set channels = '{messaging}'`); err != nil {
		t.Fatal(err)
	}
	if a := p.submit(t, nil); a.status != 200 || a.Status.Code != sms.CodeAccess {
		t.Errorf("%d %s", a.status, a.text)
	}
}
