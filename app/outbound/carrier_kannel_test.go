//go:build judge

package outbound

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"heliograph/app/outbound/kanneltest"
)

// reports collects what Kannel reports, by the id of the part.
type reports struct {
	*httptest.Server
	mu  sync.Mutex
	got map[string][]url.Values
}

func startReports(t *testing.T) *reports {
	r := &reports{got: map[string][]url.Values{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		id := strings.TrimPrefix(req.URL.Path, "/")
		r.got[id] = append(r.got[id], req.URL.Query())
	}))
	t.Cleanup(r.Close)
	return r
}

// types returns the events that were reported for a part.
func (r *reports) types(id string) (types []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, query := range r.got[id] {
		types = append(types, query.Get("type"))
	}
	return types
}

func openTestKannel(t *testing.T, address string, report func(Message) string) Carrier {
	t.Helper()
	carrier, err := OpenCarrier(New(Options{AllowLoopback: true}), CarrierSettings{
		Name: "operator", Kind: KindKannel, URL: address, Secret: "secret", Report: report,
		Settings: []byte(`{"username": "heliograph", "entity_tlv": "entity", "template_tlv": "template"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	return carrier
}

// Text of every kind reaches the operator over SMPP as it was handed over, and
// each receipt comes back to the part that it is about.
func TestKannelOverSMPP(t *testing.T) {
	t.Parallel()
	gateway := kanneltest.Start(t, func(m kanneltest.Submitted) string {
		switch {
		case strings.HasSuffix(m.To, "1"):
			return "UNDELIV"
		case strings.HasSuffix(m.To, "2"):
			return ""
		}
		return "DELIVRD"
	})
	hooks := startReports(t)
	carrier := openTestKannel(t, gateway.URL, func(m Message) string { return hooks.URL + "/" + m.ID })
	if traits := carrier.Traits(); traits.Idempotent || traits.Name != "operator" || traits.Patience == 0 {
		t.Errorf("the traits are %+v", traits)
	}
	send := func(id, to, payload string) {
		t.Helper()
		receipt, err := carrier.Send(t.Context(), Message{
			ID: id, Channel: "sms", Sender: "PARCEL", Recipient: to, Payload: []byte(payload), Until: time.Now().Add(90 * time.Minute),
		})
		if err != nil || receipt.ProviderID != id || receipt.State != Sent {
			t.Errorf("%s gives %+v, %v", id, receipt, err)
		}
	}
	send("gsm", "919812345670", `{"encoding":"GSM7","text":"Caf\u00e9 {open} & 5 \u20ac","entity_id":"1101234567890123456","template_id":"1107123456789012345"}`)
	send("ucs", "919812345671", `{"encoding":"UCS2","text":"\u0928\u092e\u0938\u094d\u0924\u0947 \ud83d\ude00","flash":true}`)
	send("udh", "919812345672", `{"encoding":"GSM7","text":"second part","udh":"050003a70202"}`)
	send("bin", "919812345673", `{"encoding":"BINARY","data":"00ff7f41","udh":"0605040b8423f0","dcs":4}`)
	kanneltest.Await(t, "four messages", func() bool { return len(gateway.Messages()) >= 4 })
	byTo := map[string]kanneltest.Submitted{}
	for _, m := range gateway.Messages() {
		byTo[strings.TrimPrefix(m.To, "+")] = m
	}
	if m := byTo["919812345670"]; m.From != "PARCEL" || m.DCS != 0 || m.TLVs[0x1400] != "1101234567890123456" || m.TLVs[0x1401] != "1107123456789012345" || m.Validity == "" {
		t.Errorf("the plain text arrives as %+v", m)
	} else if want := "Caf\x05 \x1b\x28open\x1b\x29 & 5 \x1be"; string(m.Text) != want {
		t.Errorf("the plain text arrives as %q, want %q", m.Text, want)
	}
	if m := byTo["919812345671"]; m.DCS != 0x18 || string(m.Text) != "\x09\x28\x09\x2e\x09\x38\x09\x4d\x09\x24\x09\x47\x00\x20\xd8\x3d\xde\x00" {
		t.Errorf("the Unicode flash arrives as dcs %#x, % x", m.DCS, m.Text)
	}
	if m := byTo["919812345672"]; m.ESMClass&0x40 == 0 || string(m.Text) != "\x05\x00\x03\xa7\x02\x02second part" {
		t.Errorf("the part arrives as class %#x, % x", m.ESMClass, m.Text)
	}
	if m := byTo["919812345673"]; m.DCS != 0x04 || string(m.Text) != "\x06\x05\x04\x0b\x84\x23\xf0\x00\xff\x7fA" {
		t.Errorf("the octets arrive as dcs %#x, % x", m.DCS, m.Text)
	}
	for id, want := range map[string]string{"gsm": "1", "ucs": "2", "udh": "16", "bin": "1"} {
		kanneltest.Await(t, id+" reported as "+want, func() bool { return strings.Contains(" "+strings.Join(hooks.types(id), " ")+" ", " "+want+" ") })
	}
	hooks.mu.Lock()
	defer hooks.mu.Unlock()
	for id, want := range map[string]string{"gsm": "stat:DELIVRD", "ucs": "stat:UNDELIV"} {
		found := slices.ContainsFunc(hooks.got[id], func(report url.Values) bool {
			return strings.Contains(report.Get("receipt"), want) && report.Get("smsc") == "operator"
		})
		if !found {
			t.Errorf("%s is reported as %v", id, hooks.got[id])
		}
	}
}

// What Kannel answers decides whether a message waits, has failed, or is in
// doubt.
func TestKannelAnswers(t *testing.T) {
	t.Parallel()
	status, body := 0, ""
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		w.Write([]byte(body)) //nolint:errcheck // the client sees it
	}))
	t.Cleanup(gateway.Close)
	carrier := openTestKannel(t, gateway.URL, nil)
	send := func() error {
		_, err := carrier.Send(t.Context(), Message{ID: "a", Recipient: "919812345678", Payload: []byte(`{"encoding":"GSM7","text":"x"}`)})
		return err
	}
	for _, tt := range []struct {
		status int
		body   string
		want   CarrierError // without a code the result is unknown; 200 is success
	}{
		{202, "0: Accepted for delivery", CarrierError{Code: 200}},
		{202, "3: Queued for later delivery", CarrierError{Code: 200}},
		{400, "Missing receiver number, rejected", CarrierError{Code: 608}},
		{403, "Authorization failed for sendsms", CarrierError{Code: 609, Temporary: true, Wait: time.Minute}},
		{403, "Not routable. Do not try again.", CarrierError{Code: 609, Title: "The gateway has no connection to an operator", Temporary: true, Wait: time.Minute}},
		{404, "Unknown request.", CarrierError{Code: 609, Temporary: true, Wait: time.Minute}},
		{503, "Temporal failure, try again later.", CarrierError{Code: 609, Temporary: true}},
		{500, "", CarrierError{}},
	} {
		status, body = tt.status, tt.body
		err := send()
		var refusal *CarrierError
		switch {
		case tt.want.Code == 200:
			if err != nil {
				t.Errorf("%d gives %v", tt.status, err)
			}
		case errors.As(err, &refusal) != (tt.want.Code != 0) || err == nil:
			t.Errorf("%d gives %v", tt.status, err)
		case refusal != nil && (refusal.Code != tt.want.Code || refusal.Temporary != tt.want.Temporary || refusal.Wait != tt.want.Wait || !strings.Contains(refusal.Title, tt.want.Title) || !strings.Contains(refusal.Detail, tt.body)):
			t.Errorf("%d gives %+v", tt.status, refusal)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is part of %q", err)
		}
	}
	carrier = openTestKannel(t, "http://127.0.0.1:1", nil) // nothing listens there
	var refusal *CarrierError
	if err := send(); !errors.As(err, &refusal) || !refusal.Temporary {
		t.Errorf("a gateway that is down gives %v", err)
	}
}
