package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const hello = `{"messaging_product":"msgapp","to":"+919812345678","type":"template","template":{"name":"hello_world","language":{"code":"en_US"}}}`

func TestSendMessage(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	a := first.call(t, http.MethodPost, first.number("/messages"), hello)
	if a.status != 200 || !strings.Contains(string(a.body), `"message_status":"accepted"`) {
		t.Fatalf("send = %d %s", a.status, a.body)
	}
	for _, tt := range []struct {
		name, path, body string
		status, code     int
	}{
		{"trailing slash", first.number("/messages/"), hello, 200, 0},
		{"another tenant's number", second.number("/messages"), hello, 403, 200},
		{"unknown number", "/1234567890123456/messages", hello, 404, 803},
		{"not a number", "/abc/messages", hello, 404, 803},
		{"not JSON", first.number("/messages"), `{"to"`, 400, 100},
		{"a list", first.number("/messages"), `[]`, 400, 100},
		{"deep nesting", first.number("/messages"), strings.Repeat(`{"a":`, 20000) + `1` + strings.Repeat(`}`, 20000), 400, 100},
		{"one megabyte", first.number("/messages"), `{"text":{"body":"` + strings.Repeat("x", 1<<20) + `"}}`, 400, 100},
		{"unknown template", first.number("/messages"), strings.Replace(hello, "hello_world", "nope", 1), 404, 132001},
		{"unknown path", "/nothing/here/at/all", hello, 404, 1},
	} {
		if a := first.call(t, http.MethodPost, tt.path, tt.body); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
	if a := first.call(t, http.MethodPut, first.number("/messages"), ""); a.status != 400 || a.header.Get("Allow") != "GET, POST" {
		t.Errorf("wrong method: %d, Allow %q", a.status, a.header.Get("Allow"))
	}
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	other := first.key[:len(first.key)-1] + map[bool]string{true: "y", false: "x"}[strings.HasSuffix(first.key, "x")]
	for _, tt := range []struct {
		name    string
		headers []string
		status  int
	}{
		{"apikey", nil, 200},
		{"bearer", []string{"apikey", "", "Authorization", "Bearer " + first.key}, 200},
		{"both the same", []string{"Authorization", "bearer " + first.key}, 200},
		{"both, different", []string{"Authorization", "Bearer " + other}, 401},
		{"none", []string{"apikey", ""}, 401},
		{"wrong", []string{"apikey", other}, 401},
		{"nonsense", []string{"apikey", "' or 1=1 --"}, 401},
		{"basic", []string{"apikey", "", "Authorization", "Basic " + first.key}, 401},
	} {
		a := first.call(t, http.MethodGet, "/getuserdetails", "", tt.headers...)
		if a.status != tt.status || tt.status == 401 && a.code(t) != 190 {
			t.Errorf("%s: %d %s, want %d", tt.name, a.status, a.body, tt.status)
		}
	}
	if a := first.call(t, http.MethodGet, "/getuserdetails?apikey="+first.key, "", "apikey", ""); a.status != 401 {
		t.Errorf("a key in the query: %d, want 401", a.status)
	}
	if a := first.call(t, http.MethodGet, "/nothing", "", "apikey", ""); a.status != 401 {
		t.Errorf("unknown path without a key: %d, want 401", a.status)
	}
	third, _ := setup(t) // its key has not been read yet
	if _, err := third.pool.Exec(t.Context(), `update api_keys set channels = '{sms}'`); err != nil {
		t.Fatal(err)
	}
	if a := third.call(t, http.MethodGet, "/getuserdetails", ""); a.status != 403 || a.code(t) != 131005 {
		t.Errorf("a key for another channel: %d %s, want 403 code 131005", a.status, a.body)
	}
}

func TestUserDetailsAreTheCallersOwn(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	a := first.call(t, http.MethodGet, "/getuserdetails", "")
	var got struct {
		Code int                 `json:"code"`
		Data []map[string]string `json:"data"`
	}
	if err := json.Unmarshal(a.body, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"wanumber": first.sandbox.PhoneNumber, "phone_number_id": fmt.Sprint(first.sandbox.PhoneNumberID),
		"msgapp_business_account_id": fmt.Sprint(first.sandbox.BusinessAccountID),
	}
	if got.Code != 200 || len(got.Data) != 1 || fmt.Sprint(got.Data[0]) != fmt.Sprint(want) {
		t.Errorf("details = %s, want %v", a.body, want)
	}
}

func TestWebhookIsSetAndRead(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	if a := first.call(t, http.MethodGet, first.number("/getwebhook"), ""); string(a.body) != `{"webhook_url":"","headers":{}}` {
		t.Errorf("nothing set: %s", a.body)
	}
	if a := first.set(t, "http://127.0.0.1:9/hook"); a.status != 200 || !strings.Contains(string(a.body), `"code":"200"`) {
		t.Fatalf("set: %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodGet, first.number("/getwebhook"), ""); string(a.body) != `{"webhook_url":"http://127.0.0.1:9/hook","headers":{"X-Secret":"mine"}}` {
		t.Errorf("read back: %s", a.body)
	}
	for _, bad := range []string{"http://10.0.0.1/", "http://169.254.169.254/latest", "ftp://example.com", "https://u:p@example.com", "nonsense", "https://example.com/#x"} {
		if a := first.set(t, bad); a.status != 400 || a.code(t) != 100 {
			t.Errorf("%s: %d %s, want 400 code 100", bad, a.status, a.body)
		}
	}
	if a := first.call(t, http.MethodPost, first.number("/setwebhook"), `{"webhook_url":"http://127.0.0.1:9/","headers":{"Host":"x"}}`); a.status != 400 {
		t.Errorf("a refused header: %d", a.status)
	}
	for _, missing := range []string{`{}`, `{"url":"https://example.com"}`, `{"webhook_url":null}`} {
		if a := first.call(t, http.MethodPost, first.number("/setwebhook"), missing); a.status != 400 || a.code(t) != 100 || !strings.Contains(string(a.body), "send webhook_url") {
			t.Errorf("%s: %d %s, want 400 code 100", missing, a.status, a.body)
		}
	}
	if a := first.call(t, http.MethodGet, first.number("/getwebhook"), ""); !strings.Contains(string(a.body), "/hook") {
		t.Errorf("a refused request cleared the webhook: %s", a.body)
	}
	if a := second.call(t, http.MethodGet, first.number("/getwebhook"), ""); a.status != 403 || a.code(t) != 200 {
		t.Errorf("another tenant reads it: %d %s", a.status, a.body)
	}
	if a := second.call(t, http.MethodPost, first.number("/setwebhook"), `{"webhook_url":""}`); a.status != 403 {
		t.Errorf("another tenant clears it: %d", a.status)
	}
	if a := first.call(t, http.MethodPost, first.number("/setwebhook"), "webhook_url=", "Content-Type", "application/x-www-form-urlencoded"); a.status != 200 {
		t.Errorf("clearing by form: %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodGet, first.number("/getwebhook"), ""); !strings.Contains(string(a.body), `"webhook_url":""`) {
		t.Errorf("still set: %s", a.body)
	}
}

// With a verify_token the address proves that it expects callbacks before it is
// stored.
func TestWebhookIsVerified(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("hub.verify_token") == "open" {
			_, _ = io.WriteString(w, r.URL.Query().Get("hub.challenge"))
		}
	}))
	t.Cleanup(server.Close)
	body := `{"webhook_url":"` + server.URL + `/hook","verify_token":"%s"}`
	for _, wrong := range []string{"shut", strings.Repeat("é", 257)} {
		if a := first.call(t, http.MethodPost, first.number("/setwebhook"), fmt.Sprintf(body, wrong)); a.status != 400 || a.code(t) != 100 {
			t.Errorf("token %.5s: %d %s, want 400 code 100", wrong, a.status, a.body)
		}
	}
	if a := first.call(t, http.MethodGet, first.number("/getwebhook"), ""); !strings.Contains(string(a.body), `"webhook_url":""`) {
		t.Errorf("stored without a proof: %s", a.body)
	}
	if a := first.call(t, http.MethodPost, first.number("/setwebhook"), fmt.Sprintf(body, "open")); a.status != 200 {
		t.Errorf("the right token: %d %s", a.status, a.body)
	}
	if a := first.call(t, http.MethodGet, first.number("/getwebhook"), ""); string(a.body) != `{"webhook_url":"`+server.URL+`/hook","headers":{}}` {
		t.Errorf("read back: %s", a.body)
	}
	if _, err := first.pool.Exec(t.Context(), `update webhooks set disabled_at = '2026-01-01', disabled_reason = 'the webhook answered 410'`); err != nil {
		t.Fatal(err)
	}
	if a := first.call(t, http.MethodGet, first.number("/getwebhook"), ""); !strings.Contains(string(a.body), `"disabled_at":"2026-01-01T00:00:00Z","disabled_reason":"the webhook answered 410"`) {
		t.Errorf("a disabled webhook: %s", a.body)
	}
}

func TestIdempotencyKeyOverHTTP(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	a := first.call(t, http.MethodPost, first.number("/messages"), hello, "Idempotency-Key", "k")
	b := first.call(t, http.MethodPost, first.number("/messages"), hello, "Idempotency-Key", "k")
	if !bytes.Equal(a.body, b.body) || a.header.Get("Idempotent-Replayed") != "" || b.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("replay: %s %q, then %s %q", a.body, a.header.Get("Idempotent-Replayed"), b.body, b.header.Get("Idempotent-Replayed"))
	}
	if c := first.call(t, http.MethodPost, first.number("/messages"), strings.Replace(hello, "5678", "5679", 1), "Idempotency-Key", "k"); c.code(t) != 100 {
		t.Errorf("another body under the key: %d %s", c.status, c.body)
	}
}

// Clients read the id, the status and the contact of the reply; some send the
// recipient as a number.
func TestSendReplyIsWhatClientsRead(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	for recipient, input := range map[string]string{`"+91 98123-45678"`: "+91 98123-45678", `919812345678`: "919812345678"} {
		var got struct {
			Contacts []struct {
				Input string
				WaID  string `json:"wa_id"`
			}
			Messages []struct {
				ID     string
				Status string `json:"message_status"`
			}
		}
		a := first.call(t, http.MethodPost, first.number("/messages"), strings.Replace(hello, `"+919812345678"`, recipient, 1))
		if err := json.Unmarshal(a.body, &got); err != nil || len(got.Contacts) != 1 || len(got.Messages) != 1 {
			t.Fatalf("to %s = %d %s", recipient, a.status, a.body)
		}
		if c, m := got.Contacts[0], got.Messages[0]; c.Input != input || c.WaID != "919812345678" || !strings.HasPrefix(m.ID, "wamid.") || m.Status != "accepted" {
			t.Errorf("to %s = %s", recipient, a.body)
		}
	}
}
