package api_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/channels"
	"heliograph/app/channels/hlr"
	"heliograph/app/channels/sms"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
)

// otpClient is an SMS partner with the headers and texts that the examples of the
// contract name.
type otpClient struct{ *smsPartner }

func newOTPClient(t *testing.T) *otpClient {
	t.Helper()
	c := &otpClient{setupSMSWith(t, openGuard{})}
	c.exec(t, `update sms_accounts set entity_id = '1101234567890123456'`)
	for _, header := range []string{"PARCEL", "CLINIC", "LOGINS"} {
		c.exec(t, `insert into sms_headers (organisation_id, header, kind) values ($1, $2, 'transactional') on conflict do nothing`, c.id, header)
	}
	c.exec(t, `insert into sms_headers (organisation_id, header, kind) values ($1, 'Parcels', 'international') on conflict do nothing`, c.id)
	c.exec(t, `
		insert into sms_templates (id, organisation_id, name, dlt_template_id, text) overriding system value
		values (4021, $1, 'arrival', '1107123456789012345', 'Dear {#var#}, your parcel arrives before {#var#}.')`, c.id)
	return c
}

func (c *otpClient) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := c.pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

// call makes a request with the key and holds the answer against the contract.
func (c *otpClient) call(t *testing.T, method, address, body string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	r.Header.Set("apikey", c.key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return c.do(t, r, body)
}

func (c *otpClient) do(t *testing.T, r *http.Request, body string) answer {
	t.Helper()
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	got, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{w.Code, w.Header(), got}
	noteCodes(t, "sms otp", spell(r, body, c.key), got)
	for _, id := range c.contract.Match(r.Method, r.URL.Path) {
		if err := c.contract.Response(id, a.status, a.header, a.body); err != nil {
			t.Errorf("%s %s: %v\n%s", r.Method, r.URL, err, a.body)
		}
		if outcomeOf(t, a).Code != 200 || a.status != 200 {
			continue
		}
		sent := validate.Request{Header: r.Header, Query: r.URL.RawQuery, Path: c.contract.PathValues(id, r.URL.Path), Body: []byte(body)}
		if err := c.contract.RequestParameters(id, sent); err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
	}
	return a
}

// otpAnswer is an answer of one-time passwords and lookups.
type otpAnswer struct {
	Code    int
	Status  string
	Message string
	Data    []struct {
		Mobile    string
		UniqueID  string
		ExpiresIn int `json:"expires_in"`
		OTP       string
		hlr.Number
	}
}

func outcomeOf(t *testing.T, a answer) (o otpAnswer) {
	t.Helper()
	var any struct{ Code json.RawMessage }
	if err := json.Unmarshal(a.body, &any); err != nil {
		t.Fatalf("%s is not JSON: %v", a.body, err)
	}
	if len(any.Code) > 0 {
		if err := json.Unmarshal(a.body, &o); err != nil {
			t.Fatalf("%s: %v", a.body, err)
		}
	}
	return o
}

// otp calls an operation of one-time passwords.
func (c *otpClient) otp(t *testing.T, operation string, values ...string) (answer, otpAnswer) {
	t.Helper()
	query := url.Values{}
	for i := 0; i+1 < len(values); i += 2 {
		query.Set(values[i], values[i+1])
	}
	a := c.call(t, http.MethodGet, "/index.php/sms/"+operation+"?"+query.Encode(), "")
	return a, outcomeOf(t, a)
}

// message returns the newest message as it is stored.
func (c *otpClient) message(t *testing.T) models.Message {
	t.Helper()
	var id [16]byte
	if err := c.pool.QueryRow(t.Context(), `select id from messages order by created_at desc limit 1`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	m, err := queries.MessageGet(t.Context(), c.pool, id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestOTPThroughTheAPI(t *testing.T) {
	t.Parallel()
	c := newOTPClient(t)
	a, sent := c.otp(t, "clientotp", "sender", "LOGINS", "numbers", "919812345678", "message", "{otp} is your code.", "dlttempid", "1107123456789012349", "returnotp", "Y")
	if a.status != 200 || sent.Code != 200 || sent.Status != "success" || sent.Data[0].UniqueID == "" || sent.Data[0].Mobile != "919812345678" {
		t.Fatalf("%d %s", a.status, a.body)
	}
	code := sent.Data[0].OTP
	m := c.message(t)
	if m.Recipient != "919812345678" || m.Sender != "LOGINS" || m.TTL != 600 || strings.Contains(string(m.Payload), code) || !strings.Contains(string(m.Payload), "{otp} is your code.") {
		t.Errorf("the stored message is %+v with %s", m, m.Payload)
	}
	channel := channels.Declared()[sms.Channel]
	if text, hidden, err := channel.Payload(m); err != nil || !hidden || strings.Contains(text, code) || strings.Contains(text, "v1:") {
		t.Errorf("the log shows %s, hidden %t, %v", text, hidden, err)
	}
	opened, err := channel.Open(c.keyring, m)
	if err != nil {
		t.Fatal(err)
	}
	m.Payload = opened
	if parts, err := channel.Parts(m); err != nil || len(parts) != 1 || !strings.Contains(string(parts[0].Payload), code+" is your code.") {
		t.Errorf("carriers get %s, %v", opened, err)
	}
	if _, o := c.otp(t, "verifyclientotp", "numbers", "+919812345678", "otp", "x"+code[1:]); o.Code != 400 {
		t.Errorf("a code with a letter gives %+v", o)
	}
	body, err := json.Marshal(map[string]string{"uniqueid": sent.Data[0].UniqueID, "otp": code})
	if err != nil {
		t.Fatal(err)
	}
	if o := outcomeOf(t, c.call(t, http.MethodPost, "/index.php/sms/verifyclientotp", string(body))); o.Code != 200 || o.Data[0].UniqueID != sent.Data[0].UniqueID {
		t.Errorf("the code gives %+v", o)
	}
	if _, o := c.otp(t, "verifyclientotp", "uniqueid", sent.Data[0].UniqueID, "otp", code); o.Code != 404 {
		t.Errorf("the code once more gives %+v", o)
	}
}

func TestOTPOutcomes(t *testing.T) {
	t.Parallel()
	c := newOTPClient(t)
	for _, tt := range []struct {
		operation string
		values    []string
		status    int
		code      int
		message   string
	}{
		{"clientotp", []string{"sender", "LOGINS"}, 200, 400, "numbers is required"},
		{"clientotp", []string{"sender", "OTHERS", "numbers", "919812345678", "dlttempid", "1107123456789012349"}, 200, 400, "Invalid sender"},
		{"clientotp", []string{"sender", "LOGINS", "numbers", "919812345678"}, 200, 400, "Invalid dlttempid"},
		{"clientotp", []string{"sender", "LOGINS", "numbers", "919812345670", "dlttempid", "1107123456789012349"}, 200, 200, ""},
		{"clientotp", []string{"sender", "LOGINS", "numbers", "919812345670", "dlttempid", "1107123456789012349"}, 429, 429, "Too many attempts"},
		{"resendclientotp", []string{"sender", "LOGINS", "numbers", "919812345670"}, 200, 400, "too soon"},
		{"resendclientotp", []string{"uniqueid", "otp_UNKNOWN"}, 200, 404, "No open challenge"},
		{"verifyclientotp", []string{"otp", "123456"}, 200, 400, "uniqueid is required"},
	} {
		a, o := c.otp(t, tt.operation, tt.values...)
		if a.status != tt.status || o.Code != tt.code || !strings.HasPrefix(o.Message, tt.message) {
			t.Errorf("%s %v: %d %s", tt.operation, tt.values, a.status, a.body)
		}
		if (tt.status == 429) != (a.header.Get("Retry-After") != "") {
			t.Errorf("%s %v: Retry-After is %q", tt.operation, tt.values, a.header.Get("Retry-After"))
		}
	}
	d := newOTPClient(t)
	d.goLive(t)
	if a, o := d.otp(t, "clientotp", "sender", "LOGINS", "numbers", "919812345678", "dlttempid", "1107123456789012349", "returnotp", "Y"); a.status != 403 || o.Code != 403 {
		t.Errorf("a live account that may not have its codes gets %d %s", a.status, a.body)
	}
	d.exec(t, `update sms_accounts set return_otp = true`)
	e := *d
	if a := e.call(t, http.MethodHead, "/index.php/sms/clientotp?sender=LOGINS&numbers=919812345678", ""); a.status == 200 {
		t.Error("HEAD sends a code")
	}
	d.key = "hg_test_wrong"
	if a, o := d.otp(t, "clientotp"); a.status != 401 || o.Code != 401 {
		t.Errorf("a wrong key gets %d %s", a.status, a.body)
	}
}

func TestLookupThroughTheAPI(t *testing.T) {
	t.Parallel()
	c := newOTPClient(t)
	for _, request := range [][3]string{
		{"GET", "/hlr/lookup?number=%2B919812345678"}, {"GET", "/hlr/lookup?msisdn=919812345678"},
		{"POST", "/hlr/lookup", `{"numbers": ["+919812345678"]}`}, {"POST", "/hlr/lookup", `{"numbers": "919812345678"}`}, {"POST", "/hlr/lookup", `{"numbers": [919812345678]}`},
	} {
		method, address, body := request[0], request[1], request[2]
		a := c.call(t, method, address, body)
		if o := outcomeOf(t, a); a.status != 200 || o.Code != 200 || o.Data[0].MSISDN != "+919812345678" || o.Data[0].Number.Status != "UNKNOWN" {
			t.Errorf("%s %s: %d %s", address, body, a.status, a.body)
		}
	}
	for address, want := range map[string]string{"/hlr/lookup": "number or numbers is required", "/hlr/lookup?number=1&msisdn=2": "number and msisdn differ", "/hlr/lookup?number=asha": "number 1 is not a phone number"} {
		if a := c.call(t, http.MethodGet, address, ""); a.status != 200 || !strings.HasPrefix(outcomeOf(t, a).Message, want) {
			t.Errorf("%s: %d %s", address, a.status, a.body)
		}
	}
	for _, body := range []string{`{"numbers": [`, `[]`, `{"numbers": {}}`} {
		if a := c.call(t, http.MethodPost, "/hlr/lookup", body); outcomeOf(t, a).Code != 400 {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
}

// openGuard lets every address through: the examples name hosts that do not
// exist, and what is refused is tested with the client that refuses it.
type openGuard struct{}

func (openGuard) CheckWebhook(context.Context, string, map[string]string) error { return nil }
