package api_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestReceiveInSandbox(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	first.set(t, "http://127.0.0.1:9/hook")
	inbound := func(members string) string { return `{"from":"+91 98123 45678","name":"Asha",` + members + `}` }
	for _, tt := range []struct {
		name, path, body string
		status, code     int
	}{
		{"text", first.number("/sandbox/inbound"), inbound(`"text":{"body":"Hello"}`), 200, 0},
		{"trailing slash", first.number("/sandbox/inbound/"), inbound(`"messaging_product":"MSGAPP","type":"TEXT","text":{"body":"Hello"}`), 200, 0},
		{"button", first.number("/sandbox/inbound"), inbound(`"type":"button","context":{"message_id":"wamid.AZt22qgAeOW4x2G1Kp8_MQ"},"button":{"payload":"p","text":"Stop"}`), 200, 0},
		{"choice", first.number("/sandbox/inbound"), inbound(`"type":"interactive","interactive":{"type":"list_reply","list_reply":{"id":"a","title":"A"}}`), 200, 0},
		{"pressed", first.number("/sandbox/inbound"), inbound(`"type":"interactive","interactive":{"type":"button_reply","button_reply":{"id":"a","title":"A"}}`), 200, 0},
		{"flow", first.number("/sandbox/inbound"), inbound(`"type":"interactive","interactive":{"type":"nfm_reply","nfm_reply":{"response_json":"{\"a\":1}"}}`), 200, 0},
		{"reaction", first.number("/sandbox/inbound"), inbound(`"type":"reaction","reaction":{"message_id":"wamid.AZt22qgAeOW4x2G1Kp8_MQ","emoji":""}`), 200, 0},
		{"location", first.number("/sandbox/inbound"), inbound(`"type":"location","location":{"latitude":1,"longitude":2}`), 200, 0},
		{"contacts", first.number("/sandbox/inbound"), inbound(`"type":"contacts","contacts":[{"name":{"formatted_name":"A","first_name":"A"}}]`), 200, 0},

		{"no JSON", first.number("/sandbox/inbound"), `{"from"`, 400, 100},
		{"a list", first.number("/sandbox/inbound"), `[]`, 400, 100},
		{"not UTF-8", first.number("/sandbox/inbound"), "{\"from\":\"\xff\"}", 400, 100},
		{"NUL", first.number("/sandbox/inbound"), inbound(`"text":{"body":"\u0000"}`), 400, 100},
		{"deep nesting", first.number("/sandbox/inbound"), strings.Repeat(`{"a":`, 20000) + `1` + strings.Repeat(`}`, 20000), 400, 100},
		{"one megabyte", first.number("/sandbox/inbound"), inbound(`"text":{"body":"` + strings.Repeat("x", 1<<20) + `"}`), 400, 100},
		{"another channel", first.number("/sandbox/inbound"), inbound(`"messaging_product":"pigeon","text":{"body":"Hello"}`), 400, 100},
		{"a picture", first.number("/sandbox/inbound"), inbound(`"type":"image","image":{"id":"1"}`), 400, 131051},
		{"nobody", first.number("/sandbox/inbound"), `{"text":{"body":"Hello"}}`, 400, 131008},
		{"nothing", first.number("/sandbox/inbound"), inbound(`"type":"text"`), 400, 131008},
		{"no choice", first.number("/sandbox/inbound"), inbound(`"type":"interactive","interactive":{"type":"list_reply"}`), 400, 131008},
		{"flow without JSON", first.number("/sandbox/inbound"), inbound(`"type":"interactive","interactive":{"type":"nfm_reply","nfm_reply":{"response_json":"{"}}`), 400, 131009},
		{"a name for a number", first.number("/sandbox/inbound"), `{"from":"Asha","text":{"body":"Hello"}}`, 400, 131009},
		{"long text", first.number("/sandbox/inbound"), inbound(`"text":{"body":"` + strings.Repeat("x", 4097) + `"}`), 400, 131009},
		{"the number itself", first.number("/sandbox/inbound"), `{"from":"` + first.sandbox.PhoneNumber + `","text":{"body":"Hello"}}`, 400, 131021},
		{"another tenant's number", second.number("/sandbox/inbound"), inbound(`"text":{"body":"Hello"}`), 403, 200},
		{"unknown number", "/1234567890123456/sandbox/inbound", inbound(`"text":{"body":"Hello"}`), 404, 803},
	} {
		if a := first.call(t, http.MethodPost, tt.path, tt.body); a.status != tt.status || a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
	var stored, relayed int
	if err := first.pool.QueryRow(t.Context(), `
		select (select count(*) from inbound_messages where contact = '919812345678'), (select count(*) from deliveries where event = 'message.received')`).
		Scan(&stored, &relayed); err != nil || stored != 9 || relayed != 9 {
		t.Errorf("%d stored and %d relayed, %v, want 9 of each", stored, relayed, err)
	}
	body := inbound(`"text":{"body":"Hello"}`)
	a := first.call(t, http.MethodPost, first.number("/sandbox/inbound"), body, "Idempotency-Key", "k")
	b := first.call(t, http.MethodPost, first.number("/sandbox/inbound"), body, "Idempotency-Key", "k")
	if string(a.body) != string(b.body) || b.header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("replay: %s, then %s", a.body, b.body)
	}
	if c := first.call(t, http.MethodPost, first.number("/messages"), hello, "Idempotency-Key", "k"); c.code(t) != 100 {
		t.Errorf("the key for another request: %d %s", c.status, c.body)
	}
}
