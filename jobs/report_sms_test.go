package jobs_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/documentation/openapi/codetest"
	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs"
)

// texter is a sandbox that sends SMS to a running worker, and its server for the
// reports.
type texter struct {
	*bundle
	service  *sms.Service
	registry *sms.Registry
	sandbox  sms.Sandbox
	by       sms.By
	secret   string
	url      string
	reports  chan *http.Request // with the body still to be read
}

func newTexter(t *testing.T, change ...func(*jobs.Deps)) *texter {
	t.Helper()
	x := &texter{bundle: setup(t, change...), reports: make(chan *http.Request, 100)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body)) // the connection's own body ends with this function
		x.reports <- r
	}))
	t.Cleanup(server.Close)
	x.url, x.by = server.URL, sms.By{OrganisationID: x.number.OrganisationID, Actor: "test"}
	endpoints := relay.NewEndpoints(relay.Options{DB: x.pool, Keyring: x.keyring, Guard: openGuard{}})
	x.service = sms.New(sms.Options{
		Pool: x.pool, Listener: db.NewListener(nil), Acceptor: pipeline.NewAcceptor(x.pool, nil), Keys: pipeline.NewKeys(x.pool), Endpoints: endpoints,
	})
	x.registry = sms.NewRegistry(x.pool, endpoints)
	err := db.InTx(t.Context(), x.pool, func(tx pgx.Tx) (err error) {
		x.sandbox, err = sms.Provision(t.Context(), tx, x.keyring, x.by.OrganisationID)
		return err
	})
	if err == nil {
		var secrets relay.Secrets
		secrets, err = x.registry.RevealSecrets(t.Context(), x.by)
		x.secret = secrets.Current
	}
	if err == nil {
		err = x.registry.SetReportAddress(t.Context(), x.by, sms.ReportAddress{URL: x.url + "/default", Headers: map[string]string{"X-Mine": "yes"}})
	}
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// submit sends one message and returns its id.
func (x *texter) submit(t *testing.T, s sms.Submission) string {
	t.Helper()
	for i := range s.Messages {
		m := &s.Messages[i]
		m.Header, m.DLTTemplate = "HELIOG", "1107123456789012345"
		if m.Text == "" {
			m.Text = "Dear Asha, your parcel A-1042 arrives today."
		}
	}
	r, err := x.service.Submit(t.Context(), sms.SubmitRequest{OrganisationID: x.by.OrganisationID, Submission: &s})
	if err != nil || r.Status.Code != sms.CodeAccepted || len(r.Messages) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	return r.Messages[0].ID
}

// next returns the next report and the signature of its body or query.
func (x *texter) next(t *testing.T) (r *http.Request, report sms.Report) {
	t.Helper()
	select {
	case r = <-x.reports:
	case <-time.After(30 * time.Second):
		t.Fatal("no report within 30 s")
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	signed := string(body)
	if r.Method == http.MethodGet {
		signed = r.URL.RawQuery
	} else if err := json.Unmarshal(body, &report); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	mac := hmac.New(sha256.New, []byte(x.secret))
	mac.Write([]byte(signed))
	if want := "sha256=" + hex.EncodeToString(mac.Sum(nil)); r.Header.Get("X-Signature-256") != want {
		t.Errorf("%s %s has signature %q, want %q", r.Method, r.URL, r.Header.Get("X-Signature-256"), want)
	}
	if report.Code != "" {
		codetest.Note(t, "sms report", report.Code, "an SMS to "+report.Dest)
	}
	return r, report
}

func TestEndingsOfSMS(t *testing.T) {
	t.Parallel()
	x := newTexter(t)
	for _, tt := range []struct {
		recipient string
		text      string
		want      []string
	}{
		{"919812345678", "", []string{"DELIVRD 600 000"}},
		{"919812340001", "", []string{"UNDELIV 613 613"}},
		{"919812340002", "", []string{"REJECTD 631 631"}},
		{"919812340004", "", []string{"ENROUTE 609 000", "UNDELIV 607 607"}},
		{"919812340007", "", []string{"UNKNOWN 699 699"}},
		{"919812345678", "Another text", []string{"REJECTD 617 617"}},
	} {
		id := x.submit(t, sms.Submission{Messages: []sms.Message{{Dest: []string{tt.recipient}, Text: input.Text(tt.text)}}})
		var got []string
		for range tt.want {
			r, report := x.next(t)
			got = append(got, report.Status+" "+report.Code+" "+report.Err)
			if report.ID != id || report.Dest != tt.recipient || report.Part != 1 || report.Parts != 1 || report.Header != "HELIOG" || r.URL.Path != "/default" || r.Header.Get("X-Mine") != "yes" {
				t.Errorf("%s: %s %+v", tt.recipient, r.URL, report)
			}
			if final := !strings.HasPrefix(report.Status, "ENROUTE"); (report.DoneTime != "") != final {
				t.Errorf("%s: %s with done_time %q", tt.recipient, report.Status, report.DoneTime)
			} else if asked, err := x.service.Report(t.Context(), x.by.OrganisationID, id); final && (err != nil || asked.Report.DoneTime != report.DoneTime) {
				t.Errorf("%s: the report has done_time %s, and who asks gets %+v: %v", tt.recipient, report.DoneTime, asked.Report, err)
			}
		}
		slices.Sort(got)
		if want := slices.Sorted(slices.Values(tt.want)); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", tt.recipient, got, want)
		}
	}
}

// A long text is one message: each part is reported, and at last all of them.
func TestPartsOfSMSAreReported(t *testing.T) {
	t.Parallel()
	x := newTexter(t)
	// A text for another country needs no registration.
	id := x.submit(t, sms.Submission{Messages: []sms.Message{{Dest: []string{"447911123456"}, Text: input.Text(strings.Repeat("a", 400))}}})
	var got []string
	for range 4 {
		_, report := x.next(t)
		got = append(got, fmt.Sprint(report.Part, " of ", report.Parts, " ", report.Status))
	}
	if slices.Sort(got); !slices.Equal(got, []string{"0 of 3 DELIVRD", "1 of 3 DELIVRD", "2 of 3 DELIVRD", "3 of 3 DELIVRD"}) {
		t.Errorf("reports %v", got)
	}
	r, err := x.service.Report(t.Context(), x.by.OrganisationID, id)
	if err != nil || r.Report.Status != "DELIVRD" || len(r.Parts) != 3 || r.Parts[2].Part != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := x.service.Report(t.Context(), x.by.OrganisationID+1, id); err != nil || r.Status.Code != sms.CodeReportingKey {
		t.Errorf("another organisation: %+v, %v", r, err)
	}
}

// A request can name an address of its own, which is called with GET if it has
// placeholders, and can do without reports.
func TestReportAddressOfARequest(t *testing.T) {
	t.Parallel()
	x := newTexter(t)
	message := sms.Message{Dest: []string{"919812345678"}, Reports: "0"}
	x.submit(t, sms.Submission{Messages: []sms.Message{message}})
	message.Reports, message.Reference = "2", "a b&c"
	id := x.submit(t, sms.Submission{ReportURL: input.Text(x.url + "/own?id=%msg_id%&ref=%cust_ref%&state=%status%&x=%other%"), Messages: []sms.Message{message}})
	r, _ := x.next(t)
	if q := r.URL.RawQuery; r.Method != http.MethodGet || r.URL.Path != "/own" || q != "id="+id+"&ref=a+b%26c&state=DELIVRD&x=%other%" {
		t.Errorf("%s %s", r.Method, r.URL)
	}
	select {
	case r := <-x.reports:
		t.Errorf("one report too many: %s", r.URL)
	case <-time.After(200 * time.Millisecond):
	}
}

// After a rotation both secrets sign for a while, at the address of the account and
// at the addresses of requests, until the previous one is retired.
func TestSecretOfReportsIsRotated(t *testing.T) {
	t.Parallel()
	x := newTexter(t)
	first := x.secret
	message := sms.Message{Dest: []string{"919812345678"}, Reports: "1"}
	check := func(path, single string, signatures int) {
		t.Helper()
		x.secret = single // X-Signature-256 has room for one
		x.submit(t, sms.Submission{ReportURL: input.Text(path), Messages: []sms.Message{message}})
		r, _ := x.next(t)
		if got := strings.Fields(r.Header.Get("Webhook-Signature")); len(got) != signatures {
			t.Errorf("%s has %d signatures, want %d", r.URL, len(got), signatures)
		}
	}
	check(x.url+"/old", first, 1)
	if err := x.registry.RotateSecret(t.Context(), x.by); err != nil {
		t.Fatal(err)
	}
	if err := x.registry.RotateSecret(t.Context(), x.by); !fault.Is(err, fault.Conflict) {
		t.Errorf("rotated twice: %v", err)
	}
	secrets, err := x.registry.RevealSecrets(t.Context(), x.by)
	if err != nil || secrets.Previous != first || secrets.Current == first {
		t.Fatalf("%+v, %v", secrets, err)
	}
	for _, address := range []string{"", x.url + "/old", x.url + "/new"} {
		check(address, first, 2)
	}
	if err := x.registry.RetireSecret(t.Context(), x.by); err != nil {
		t.Fatal(err)
	}
	if err := x.registry.RetireSecret(t.Context(), x.by); !fault.Is(err, fault.Conflict) {
		t.Errorf("retired twice: %v", err)
	}
	for _, address := range []string{"", x.url + "/old", x.url + "/new"} {
		check(address, secrets.Current, 1)
	}
	if _, err := x.pool.Exec(t.Context(), `
		update webhooks set previous_secret = secret, previous_secret_until = now() - interval '1 second'`); err != nil {
		t.Fatal(err)
	}
	check("", secrets.Current, 1) // the previous one has expired
}

// A scheduled message waits, and its life begins when it is due.
func TestScheduledSMSWaits(t *testing.T) {
	t.Parallel()
	x := newTexter(t)
	due := time.Now().Add(time.Hour)
	id := x.submit(t, sms.Submission{ScheduleTime: input.Text(sms.LocalTime(due)), Messages: []sms.Message{{Dest: []string{"919812345678"}, Expiry: "60"}}})
	parsed, _ := sms.ParseMessageID(id)
	m, err := queries.MessageGet(t.Context(), x.pool, parsed)
	if err != nil || m.ScheduledAt == nil || m.ScheduledAt.Unix() != due.Unix() || m.State != "accepted" {
		t.Fatalf("%+v, %v", m, err)
	}
	var at time.Time
	err = x.pool.QueryRow(t.Context(), `select scheduled_at from `+db.RiverSchema+`.river_job where kind = 'carry_message'`).Scan(&at)
	if err != nil || at.Unix() != due.Unix() {
		t.Fatalf("the job is due at %s, %v, want %s", at, err, due)
	}
	if _, err := x.pool.Exec(t.Context(), `update messages set scheduled_at = now()`); err != nil {
		t.Fatal(err)
	}
	x.hasten(t, func() bool { return len(x.reports) > 0 })
	if _, report := x.next(t); report.Status != "DELIVRD" {
		t.Errorf("%+v", report)
	}
}

// The recipient ending in 0008 answers. The answer is stored and relayed, as JSON or
// to the placeholders of the address.
func TestAnswersOfSMSAreRelayed(t *testing.T) {
	t.Parallel()
	x := newTexter(t)
	receive := func() (r *http.Request, body []byte) {
		for {
			select {
			case r = <-x.reports:
				if body, _ = io.ReadAll(r.Body); strings.Contains(string(body), `"event":"inbound"`) || strings.Contains(r.URL.RawQuery, "e=inbound") {
					return r, body
				}
			case <-time.After(30 * time.Second):
				t.Fatal("no answer within 30 s")
			}
		}
	}
	x.submit(t, sms.Submission{Messages: []sms.Message{{Dest: []string{"919812340008"}}}})
	_, body := receive()
	var in sms.Inbound
	if err := json.Unmarshal(body, &in); err != nil || in.From != "919812340008" || in.To != "HELIOG" || in.Text != "Thank you." || in.ID == "" || in.Time == "" {
		t.Errorf("%s, %v", body, err)
	}
	err := x.registry.SetReportAddress(t.Context(), x.by, sms.ReportAddress{URL: x.url + "/get?e=%event%&id=%msg_id%&who=%from%&says=%text%&state=%status%"})
	if err != nil {
		t.Fatal(err)
	}
	x.submit(t, sms.Submission{Messages: []sms.Message{{Dest: []string{"919812340008"}}}})
	r, _ := receive()
	if q := r.URL.Query(); r.Method != http.MethodGet || q.Get("who") != "919812340008" || q.Get("says") != "Thank you." || len(q.Get("id")) < 20 || q.Get("state") != "" {
		t.Errorf("%s %s", r.Method, r.URL)
	}
	var stored int
	if err := x.pool.QueryRow(t.Context(), `select count(*) from inbound_messages where channel = 'sms' and contact = '919812340008'`).Scan(&stored); err != nil || stored != 2 {
		t.Errorf("%d answers are stored, %v", stored, err)
	}
}
