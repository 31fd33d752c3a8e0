package outbound

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"heliograph/db/models"
)

func prefixes(texts ...string) (out []netip.Prefix) {
	for _, text := range texts {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}

func smsTo(to, address string) models.Dispatch {
	return models.Dispatch{
		ID: uuid.Must(uuid.NewV7()), Kind: models.KindSMS, Recipient: to, Text: "482913 is your code & more",
		SMS: models.SMSSettings{Mode: models.ModeActual, EntityID: "1101", SenderID: "HELIOG", TemplateID: "1107", URL: address, APIKey: "key+of/provider"},
	}
}

// request is what a provider received.
type request struct {
	header http.Header
	body   string
}

// provider serves an HTTP provider that answers as told.
func provider(t *testing.T, answer http.HandlerFunc) (address string, calls <-chan request) {
	t.Helper()
	out := make(chan request, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		out <- request{r.Header, string(body)}
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/send", out
}

func status(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		io.WriteString(w, body) //nolint:errcheck // a test's server
	}
}

func TestSMSByHTTP(t *testing.T) {
	t.Parallel()
	address, calls := provider(t, status(202, `{"status":"queued"}`))
	d := smsTo("+919812345678", address)
	a := newCourier(nil).Deliver(t.Context(), d)
	if a.Outcome != models.OutcomeAccepted || a.Answer != "HTTP/1.1 202 Accepted\n{\"status\":\"queued\"}" || "http://"+a.Provider+"/send" != address {
		t.Errorf("the attempt is %+v", a)
	}
	r := <-calls
	form, err := url.ParseQuery(r.body)
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{
		"to": {"+919812345678"}, "text": {"482913 is your code & more"}, "reference": {d.ID.String()},
		"sender_id": {"HELIOG"}, "entity_id": {"1101"}, "template_id": {"1107"},
	}
	if diff := cmp.Diff(want, form); diff != "" {
		t.Errorf("the form (-want +got):\n%s", diff)
	}
	if r.header.Get("Authorization") != "Bearer key+of/provider" || r.header.Get("Idempotency-Key") != d.ID.String() {
		t.Errorf("the headers are %v", r.header)
	}
}

func TestEmailByHTTP(t *testing.T) {
	t.Parallel()
	address, calls := provider(t, status(200, `{"id":"7"}`))
	d := emailTo("asha@example.com", 0)
	d.Email = models.EmailSettings{Mode: models.ModeAPI, From: "portal@example.com", URL: address, APIKey: "secret"}
	if a := newCourier(nil).Deliver(t.Context(), d); a.Outcome != models.OutcomeAccepted {
		t.Errorf("the attempt is %+v", a)
	}
	r := <-calls
	var got emailBody
	if err := json.Unmarshal([]byte(r.body), &got); err != nil {
		t.Fatal(err)
	}
	want := emailBody{From: "portal@example.com", To: []string{"asha@example.com"}, Subject: d.Subject, Text: d.Text, HTML: d.HTML}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the body (-want +got):\n%s", diff)
	}
	if r.header.Get("Authorization") != "Bearer secret" || r.header.Get("Idempotency-Key") != d.ID.String() || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("the headers are %v", r.header)
	}
}

func TestProvidersThatFail(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer     http.HandlerFunc
		want, says string
		fault      string
		wait       time.Duration
	}{
		"refuses": {answer: status(400, "template does not match"), want: models.OutcomeRejected, says: "400 Bad Request\ntemplate does not match"},
		"repeats the key": {
			answer: status(403, "unknown key key+of/provider, as sent: key%2Bof%2Fprovider"),
			want:   models.OutcomeRejected, says: "unknown key [secret], as sent: [secret]",
		},
		"breaks": {answer: status(500, "out of order"), want: models.OutcomeUnavailable, says: "500 Internal Server Error\nout of order"},
		"is busy": {
			answer: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "7"); w.WriteHeader(429) },
			want:   models.OutcomeUnavailable, says: "429 Too Many Requests", wait: 7 * time.Second,
		},
		"leads elsewhere": {
			answer: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://example.com/new", http.StatusFound)
			},
			want: models.OutcomeRejected, says: "Location: https://example.com/new",
		},
		"hangs up": {answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, want: models.OutcomeUnavailable, fault: models.FaultBroken, says: "closed the connection"},
		"is slow":  {answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, want: models.OutcomeUnavailable, fault: models.FaultTimeout, says: "did not answer in time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, _ := provider(t, tt.answer)
			c := NewCourier(CourierOptions{Client: New(Options{AllowLoopback: true, Timeout: 2 * time.Second}), AllowLoopback: true})
			a := c.Deliver(t.Context(), smsTo("+919812345678", address))
			if a.Outcome != tt.want || !strings.Contains(a.Answer, tt.says) || a.RetryAfter != tt.wait || a.Fault != tt.fault {
				t.Errorf("%s after %v, %q:\n%s\nwant %s, %q with %q", a.Outcome, a.RetryAfter, a.Fault, a.Answer, tt.want, tt.fault, tt.says)
			}
		})
	}
	for _, address := range []string{"http://169.254.169.254/latest", "https://[::1]/", "ftp://example.com", "http://example.com/"} {
		a := NewCourier(CourierOptions{Client: New(Options{})}).Deliver(t.Context(), smsTo("+919812345678", address))
		if a.Outcome != models.OutcomeRejected || a.Fault != models.FaultAddress {
			t.Errorf("%s: %s %s\n%s", address, a.Outcome, a.Fault, a.Answer)
		}
	}
	secured := httptest.NewTLSServer(status(200, ""))
	t.Cleanup(secured.Close)
	open, _ := provider(t, status(200, ""))
	for want, address := range map[string]string{
		models.FaultRefused: fmt.Sprintf("http://127.0.0.1:%d/", serveNothing(t)), models.FaultCertificate: secured.URL, models.FaultTLS: "https" + strings.TrimPrefix(open, "http"),
	} {
		a := newCourier(nil).Deliver(t.Context(), smsTo("+919812345678", address))
		if a.Outcome != models.OutcomeUnavailable || a.Fault != want {
			t.Errorf("%s: %s %s\n%s\nwant %s", address, a.Outcome, a.Fault, a.Answer, want)
		}
	}
}

func TestVirtualMessagesGoNowhere(t *testing.T) {
	t.Parallel()
	d := smsTo("+919812345678", "")
	d.SMS.Mode = models.ModeVirtual
	if a := newCourier(nil).Deliver(t.Context(), d); a.Outcome != models.OutcomeAccepted || a.Provider != "the virtual inbox" {
		t.Errorf("the attempt is %+v", a)
	}
}
