package channels_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/queries/channels/writes"
)

// streets holds two live organisations and a sandbox that claims everything of
// theirs.
type streets struct {
	pool                   *pgxpool.Pool
	keys                   *keyring.Keyring
	registry               *sms.Registry
	desk                   sms.HeaderDesk
	receiver               *pipeline.Receiver
	events                 *rcs.CarrierEvents
	harbour, mill, sandbox int64
}

func newStreets(t *testing.T) *streets {
	t.Helper()
	s := &streets{pool: dbtest.Pool(t)}
	var err error
	if s.keys, err = keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="}); err != nil {
		t.Fatal(err)
	}
	jobs, err := river.NewClient(riverpgxv5.New(s.pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	endpoints := relay.NewEndpoints(relay.Options{DB: s.pool, Keyring: s.keys, Jobs: jobs})
	s.registry, s.desk = sms.NewRegistry(s.pool, endpoints), sms.HeaderDesk{DB: s.pool}
	s.receiver = &pipeline.Receiver{DB: s.pool, Keyring: s.keys, Jobs: jobs, Channels: channels.Declared()}
	s.events = &rcs.CarrierEvents{DB: s.pool, Keyring: s.keys, Jobs: jobs, Channels: channels.Declared()}
	for name, id := range map[string]*int64{"Harbour": &s.harbour, "Mill": &s.mill, "Sandbox": &s.sandbox} {
		*id = identitytest.AddOrganisation(t, s.pool, models.Organisation{Name: name, Sandbox: name == "Sandbox"}, strings.ToLower(name)+"@example.com")
		endpoint := relay.Endpoint{OrganisationID: *id, Channel: sms.Channel, Subject: sms.Subject(*id, ""), URL: "https://hooks.example.com/" + name, Secret: "s"}
		if err := db.InTx(t.Context(), s.pool, func(tx pgx.Tx) error { return endpoints.Set(t.Context(), tx, endpoint) }); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// ask asks for a header for an organisation.
func (s *streets) ask(ctx context.Context, organisation int64, header string) error {
	return s.registry.AddHeader(ctx, sms.By{OrganisationID: organisation, Actor: "user:1"}, header)
}

// decide decides about the header of an organisation.
func (s *streets) decide(ctx context.Context, organisation int64, header, decision, reason string) error {
	list, err := s.desk.Headers(ctx)
	if err != nil {
		return err
	}
	for _, h := range list {
		if h.OrganisationID == organisation && strings.EqualFold(h.Header, header) {
			return s.desk.Decide(ctx, sms.HeaderDecision{ID: h.ID, Decision: decision, Reason: reason, Actor: "admin:1"})
		}
	}
	return fmt.Errorf("organisation %d has no header %s at the desk", organisation, header)
}

// wrote stores a message that an organisation has sent.
func (s *streets) wrote(t *testing.T, organisation int64, channel, sender, legs string) (id string) {
	t.Helper()
	err := s.pool.QueryRow(t.Context(), `
		insert into messages (id, organisation_id, channel, sender, recipient, kind, payload, state, legs)
		values (gen_random_uuid(), $1, $2, $3, '919812345678', 'PM', '{}', 'sent', nullif($4, '')::json) returning id::text`, organisation, channel, sender, legs).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// arrives passes an SMS on as a carrier does.
func (s *streets) arrives(t *testing.T, to, text string, more ...string) {
	t.Helper()
	fields := map[string]string{"from": "919812345678", "to": to, "text": text}
	for i := 0; i < len(more); i += 2 {
		fields[more[i]] = more[i+1]
	}
	if err := s.receiver.ReceiveMessage(t.Context(), pipeline.NewInboundAddress(s.keys, "operator", sms.Channel, 0), fields); err != nil {
		t.Fatal(err)
	}
}

// owners returns the organisations that have received a text, and the ones that have
// a callback of it.
func (s *streets) owners(t *testing.T, text string) (received, called []int64) {
	t.Helper()
	for sql, into := range map[string]*[]int64{
		`select organisation_id from inbound_messages where payload->>'text' = $1`:                      &received,
		`select organisation_id from deliveries where convert_from(body, 'UTF8') like '%' || $1 || '%'`: &called,
	} {
		rows, err := s.pool.Query(t.Context(), sql, text)
		if err != nil {
			t.Fatal(err)
		}
		if *into, err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil {
			t.Fatal(err)
		}
	}
	return received, called
}

func (s *streets) stopped(t *testing.T) string {
	t.Helper()
	var names string
	err := s.pool.QueryRow(t.Context(), `
		select coalesce(string_agg(o.name, ' ' order by o.name), '') from suppressions s join organisations o on o.id = s.organisation_id
		where s.recipient = '919812345678' and s.channel = 'sms' and s.reason = 'stop'`).Scan(&names)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// What arrives at a number, a header or a bot, and what carriers report, reaches its
// owner and nobody else, whatever a sandbox claims and whoever wrote last.
func TestInboundReachesItsOwner(t *testing.T) {
	t.Parallel()
	s, ctx := newStreets(t), t.Context()
	for _, header := range []string{"SHOPCO", "Harbour Ltd"} {
		if err := s.ask(ctx, s.harbour, header); err != nil {
			t.Fatal(err)
		}
		if err := s.decide(ctx, s.harbour, header, sms.GrantHeader, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.registry.SetNumbers(ctx, sms.By{OrganisationID: s.mill, Actor: "admin:1"}, []string{"56767", "447700900123"}); err != nil {
		t.Fatal(err)
	}
	for _, header := range []string{"SHOPCO", "shopco", "Harbour Ltd", "447700900123", "56767"} { // the sandbox claims
		if err := s.ask(ctx, s.sandbox, header); err != nil && header != "shopco" {
			t.Errorf("the sandbox cannot add %s: %v", header, err)
		}
		s.wrote(t, s.sandbox, "sms", header, "")
	}
	for i, tt := range []struct {
		to   string
		want int64
	}{
		{"SHOPCO", s.harbour}, {"shopco", s.harbour}, {"Harbour Ltd", s.harbour}, {"HARBOUR LTD", s.harbour}, {"56767", s.mill}, {"+447700900123", s.mill}, {"UNKNOWN", 0},
	} {
		text := fmt.Sprintf("private reply %d", i)
		s.arrives(t, tt.to, text)
		received, called := s.owners(t, text)
		if tt.want == 0 && len(received)+len(called) > 0 || tt.want != 0 && (fmt.Sprint(received) != fmt.Sprint([]int64{tt.want}) || fmt.Sprint(called) != fmt.Sprint([]int64{tt.want})) {
			t.Errorf("an SMS to %s reaches %v, callbacks %v; want %d", tt.to, received, called, tt.want)
		}
	}
	t.Run("reports", func(t *testing.T) { s.checkReports(t) })
	t.Run("bots", func(t *testing.T) { s.checkBots(t) })
}

// checkReports lets a carrier report about a message of the harbour at the addresses
// of others.
func (s *streets) checkReports(t *testing.T) {
	id := s.wrote(t, s.harbour, "sms", "SHOPCO", "")
	mine := s.wrote(t, s.sandbox, "sms", "SHOPCO", "")
	state := func(id string) (state string) {
		if err := s.pool.QueryRow(t.Context(), `select state from messages where id = $1::uuid`, id).Scan(&state); err != nil {
			t.Fatal(err)
		}
		return state
	}
	part := func(id string) string { return strings.ReplaceAll(id, "-", "") }
	own := pipeline.NewReportAddress(s.keys, "operator", sms.Channel, part(mine))
	forged := own
	forged.ID = part(id)
	for name, a := range map[string]pipeline.ReportAddress{
		"signature of another message": forged, "messaging": pipeline.NewReportAddress(s.keys, "operator", "messaging", part(id)), "rcs": pipeline.NewReportAddress(s.keys, "operator", "rcs", part(id)),
		"inbound": {Carrier: "operator", Channel: sms.Channel, ID: part(id), Signature: pipeline.NewInboundAddress(s.keys, "operator", sms.Channel, 0).Signature},
	} {
		if err := s.receiver.Receive(t.Context(), a, map[string]string{"type": "1"}); !fault.Is(err, fault.NotFound) || state(id) != "sent" {
			t.Errorf("%s: %v, the message is %s", name, err, state(id))
		}
	}
}

// checkBots lets a carrier of bots post events about the agent of the mill.
func (s *streets) checkBots(t *testing.T) {
	bot := ""
	err := db.InTx(t.Context(), s.pool, func(tx pgx.Tx) error {
		made, err := rcs.Provision(t.Context(), tx, s.mill)
		if err != nil {
			return err
		}
		bot = made.BotID
		if _, err := rcs.Provision(t.Context(), tx, s.sandbox); err != nil {
			return err
		}
		return writes.CarrierUpsert(t.Context(), tx, models.Carrier{
			Name: "google", Kind: pipeline.KindRBM, URL: "https://rbm.example.com", Settings: json.RawMessage(fmt.Sprintf(`{"agents":"%s mill_agent"}`, bot)),
			Secret: s.keys.Seal([]byte(`{"client_token":"quiet-lantern"}`), keyring.Place("carriers", "secret", "google")),
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	theirs := s.wrote(t, s.harbour, "rcs", "another-bot", "")
	post := func(event map[string]any) error {
		event["agentId"], event["senderPhoneNumber"] = "mill_agent", "+919812345678"
		data, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		mac := hmac.New(sha512.New, []byte("quiet-lantern"))
		mac.Write(data)
		_, err = s.events.Receive(t.Context(), "google", fmt.Appendf(nil, `{"message":{"data":%q}}`, base64.StdEncoding.EncodeToString(data)), base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		return err
	}
	for _, event := range []map[string]any{{"messageId": "u-1", "text": "private reply to a bot"}, {"eventType": "READ", "eventId": "e-1", "messageId": theirs}} {
		if err := post(event); err != nil {
			t.Errorf("%v: %v", event, err)
		}
	}
	received, _ := s.owners(t, "private reply to a bot")
	var state string
	if err := s.pool.QueryRow(t.Context(), `select state from messages where id = $1::uuid`, theirs).Scan(&state); err != nil || state != "sent" {
		t.Errorf("a message of another organisation is %s: %v", state, err)
	}
	for _, id := range received {
		if id != s.mill {
			t.Errorf("the reply reaches %v", received)
		}
	}
}

// STOP counts for every live organisation that wrote to the person with the header,
// once, even if the carrier repeats it later.
func TestStopReachesEveryWriter(t *testing.T) {
	t.Parallel()
	s, ctx := newStreets(t), t.Context()
	for _, organisation := range []int64{s.mill, s.harbour} { // the mill had the header before the harbour
		if err := s.ask(ctx, organisation, "SHOPCO"); err != nil {
			t.Fatal(err)
		}
		if err := s.decide(ctx, organisation, "SHOPCO", sms.GrantHeader, ""); err != nil {
			t.Fatal(err)
		}
		if organisation == s.mill {
			s.wrote(t, s.mill, "rcs", "bot", `[{"channel":"sms","sender":"SHOPCO"}]`)
			if err := s.registry.RemoveHeader(ctx, sms.By{OrganisationID: s.mill, Actor: "user:1"}, "SHOPCO"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := s.ask(ctx, s.sandbox, "SHOPCO"); err != nil {
		t.Fatal(err)
	}
	s.wrote(t, s.sandbox, "sms", "SHOPCO", "")
	s.arrives(t, "shopco", "Hello")
	if got := s.stopped(t); got != "" {
		t.Errorf("an ordinary text stops %s", got)
	}
	s.arrives(t, "shopco", "Stop.", "id", "a-1")
	if got := s.stopped(t); got != "Harbour Mill" {
		t.Errorf("STOP counts for %q, want both live organisations and no sandbox", got)
	}
	s.arrives(t, "SHOPCO", "START", "id", "a-2")
	s.arrives(t, "shopco", "Stop.", "id", "a-1")
	if got := s.stopped(t); got != "" {
		t.Errorf("after START and the repeated STOP, %q are stopped", got)
	}
}

// A header has one live owner. Requests wait, the desk grants and declines them, and
// nobody sends with a header that was not granted.
func TestHeadersHaveOneOwner(t *testing.T) {
	t.Parallel()
	s, ctx := newStreets(t), t.Context()
	usable := func(organisation int64, header string) bool {
		a, err := s.registry.Account(ctx, organisation)
		if err != nil {
			t.Fatal(err)
		}
		return a.HasHeader(header)
	}
	for _, organisation := range []int64{s.harbour, s.mill, s.sandbox} {
		if err := s.ask(ctx, organisation, "SHOPCO"); err != nil {
			t.Fatal(err)
		}
	}
	if usable(s.harbour, "SHOPCO") || usable(s.mill, "SHOPCO") || !usable(s.sandbox, "SHOPCO") {
		t.Error("a header is usable before its decision, or not in a sandbox")
	}
	for _, step := range []struct {
		organisation     int64
		decision, reason string
		kind             fault.Kind
		wrong            bool
	}{
		{s.harbour, sms.DeclineHeader, " ", fault.Invalid, true}, {s.harbour, sms.DeclineHeader, strings.Repeat("x", 501), fault.Invalid, true}, {s.harbour, "seize", "", fault.Invalid, true},
		{s.harbour, sms.WithdrawHeader, "Unused", fault.Conflict, true}, {s.harbour, sms.GrantHeader, "", fault.Invalid, false},
		{s.harbour, sms.GrantHeader, "", fault.Conflict, true}, {s.mill, sms.GrantHeader, "", fault.Conflict, true}, {s.mill, sms.DeclineHeader, "It belongs to another.", fault.Invalid, false},
		{s.harbour, sms.WithdrawHeader, "Its registration ended.", fault.Invalid, false}, {s.mill, sms.GrantHeader, "", fault.Invalid, false}, {s.harbour, sms.GrantHeader, "", fault.Conflict, true},
	} {
		err := s.decide(ctx, step.organisation, "SHOPCO", step.decision, step.reason)
		if step.wrong != (err != nil) || step.wrong && !fault.Is(err, step.kind) {
			t.Errorf("%s for %d: %v", step.decision, step.organisation, err)
		}
	}
	if usable(s.harbour, "SHOPCO") || !usable(s.mill, "SHOPCO") {
		t.Error("the header is not the mill's alone")
	}
	if err := s.decide(ctx, s.sandbox, "SHOPCO", sms.GrantHeader, ""); err == nil {
		t.Error("the header of a sandbox can be granted")
	}
	if err := s.ask(ctx, s.mill, "shopco"); err == nil {
		t.Error("an organisation can ask for its header in another case")
	}
	number := sms.By{OrganisationID: s.harbour, Actor: "admin:1"}
	if err := s.ask(ctx, s.mill, "567671"); err != nil || s.decide(ctx, s.mill, "567671", sms.GrantHeader, "") != nil {
		t.Fatal("the mill has no header of digits")
	}
	if err := s.registry.SetNumbers(ctx, number, []string{"567671"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("the header of the mill becomes a number of the harbour: %v", err)
	}
	if err := s.registry.SetNumbers(ctx, number, []string{"567672"}); err != nil {
		t.Fatal(err)
	}
	if err := s.ask(ctx, s.mill, "567672"); err != nil || !fault.Is(s.decide(ctx, s.mill, "567672", sms.GrantHeader, ""), fault.Conflict) {
		t.Error("the number of the harbour becomes a header of the mill")
	}
}

// A header that looks like the one of another organisation is refused with the form of
// its owner, is shown at the desk, and replies to it reach the owner.
func TestLookAlikesHaveOneOwner(t *testing.T) {
	t.Parallel()
	s, ctx := newStreets(t), t.Context()
	for _, header := range []string{"HDFC BANK", "919812300055"} {
		if err := s.ask(ctx, s.harbour, header); err != nil || s.decide(ctx, s.harbour, header, sms.GrantHeader, "") != nil {
			t.Fatalf("the harbour does not get %s", header)
		}
	}
	for header, owned := range map[string]string{
		"HDFC  BANK": "HDFC BANK", "HDFCBANK": "HDFC BANK", "hdfc BANK": "HDFC BANK",
		"00919812300055": "919812300055", "0919812300055": "919812300055", "91 9812300055": "919812300055",
	} {
		if header != "hdfc BANK" { // asking for two forms that differ in case is refused
			if err := s.ask(ctx, s.mill, header); err != nil {
				t.Fatal(err)
			}
			if err := s.decide(ctx, s.mill, header, sms.GrantHeader, ""); !fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), owned) || !strings.Contains(err.Error(), "Harbour") {
				t.Errorf("granting %q: %v", header, err)
			}
		}
		text := "reply to " + strings.ReplaceAll(header, " ", "_")
		s.arrives(t, header, text)
		if received, called := s.owners(t, text); fmt.Sprint(received, called) != fmt.Sprint([]int64{s.harbour}, []int64{s.harbour}) {
			t.Errorf("a reply to %q reaches %v, callbacks %v", header, received, called)
		}
	}
	list, err := s.desk.Headers(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range list {
		d, err := s.desk.Header(ctx, h.ID)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{"HDFC BANK": 2, "919812300055": 3}[h.Header]; h.OrganisationID == s.harbour && len(d.Others) != want || h.OrganisationID == s.mill && len(d.Others) != 1 {
			t.Errorf("the desk shows %d others for %q", len(d.Others), h.Header)
		}
	}
	for _, number := range []string{"919812300055", "00919812300055"} {
		if err := s.registry.SetNumbers(ctx, sms.By{OrganisationID: s.mill, Actor: "admin:1"}, []string{number}); !fault.Is(err, fault.Invalid) {
			t.Errorf("the number %s becomes the mill's: %v", number, err)
		}
	}
	if err := s.ask(ctx, s.harbour, "HDFCBANK"); err != nil || s.decide(ctx, s.harbour, "HDFCBANK", sms.GrantHeader, "") != nil {
		t.Error("the owner of a header does not get its look-alike")
	}
	s.wrote(t, s.mill, "sms", "HDFC  BANK", "")
	if s.arrives(t, "HDFC BANK", "STOP"); s.stopped(t) != "Harbour Mill" {
		t.Errorf("STOP counts for %q", s.stopped(t))
	}
}
