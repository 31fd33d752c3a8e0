package api_test

import (
	"encoding/json"
	"fmt"
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
		{"a poll", first.number("/sandbox/inbound"), inbound(`"type":"poll"`), 400, 131051},
		{"a picture without a file", first.number("/sandbox/inbound"), inbound(`"type":"image"`), 400, 131008},
		{"a picture that was not uploaded", first.number("/sandbox/inbound"), inbound(`"type":"image","image":{"id":"1234567890123456"}`), 400, 131009},
		{"an order without items", first.number("/sandbox/inbound"), inbound(`"type":"order","order":{"catalog_id":"` + fmt.Sprint(first.sandbox.CatalogueID) + `"}`), 400, 131008},
		{"an order of another's catalogue", first.number("/sandbox/inbound"), inbound(`"type":"order","order":{"catalog_id":"` + fmt.Sprint(second.sandbox.CatalogueID) + `","product_items":[{"product_retailer_id":"a","quantity":1,"currency":"INR"}]}`), 400, 131009},
		{"no new number", first.number("/sandbox/inbound"), inbound(`"type":"system"`), 400, 131008},
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

// Every type of message that the contract lists can be received.
func TestReceiveFilesOrdersAndChanges(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	first.set(t, "http://127.0.0.1:9/hook")
	picture := first.upload(t, part{"sheet", "lamp.png", "image/png", pngHead + "lamp"})
	sound := first.upload(t, part{"sheet", "a.mp3", "audio/mpeg", "ID3\x04\x00\x00\x00\x00\x00\x00"})
	theirs := second.upload(t, part{"sheet", "lamp.png", "image/png", pngHead + "lamp"})
	for _, tt := range []struct {
		kind, members string
		want          string // in the callback
	}{
		{"image", `"image":{"id":"` + picture + `","caption":"A lamp","filename":"x","voice":true}`, `"image":{"id":"` + picture + `","mime_type":"image/png","sha256":"`},
		{"document", `"document":{"id":"` + picture + `","filename":"lamp.png"}`, `"filename":"lamp.png"`},
		{"audio", `"audio":{"id":"` + sound + `","caption":"x","voice":true}`, `"voice":true`},
		{"order", `"order":{"catalog_id":"` + fmt.Sprint(first.sandbox.CatalogueID) + `","product_items":[{"product_retailer_id":"lamp","quantity":"2","item_price":210.5,"currency":"inr"}]}`, `"product_items":[{"product_retailer_id":"lamp","quantity":2,"item_price":210.5,"currency":"INR"}]`},
		{"system", `"system":{"wa_id":"+91 98123 45679"}`, `"system":{"body":"User changed from 919812345678 to 919812345679","wa_id":"919812345679","type":"user_changed_number"}`},
		{"unsupported", `"text":{"body":"dropped"}`, `"errors":[{"code":131051,`},
	} {
		body := `{"from":"+919812345678","type":"` + tt.kind + `",` + tt.members + `}`
		if a := first.call(t, http.MethodPost, first.number("/sandbox/inbound"), body); a.status != 200 {
			t.Errorf("%s: %d %s", tt.kind, a.status, a.body)
			continue
		}
		var callback json.RawMessage
		if err := first.pool.QueryRow(t.Context(), `select convert_from(body, 'UTF8') from deliveries order by id desc limit 1`).Scan(&callback); err != nil {
			t.Fatal(err)
		}
		text := string(callback)
		if !strings.Contains(text, tt.want) || !strings.Contains(text, `"type":"`+tt.kind+`"`) || strings.Contains(text, "dropped") {
			t.Errorf("%s arrives as %s", tt.kind, text)
		}
		if err := first.contract.RequestBody("inboundMessage", "application/json", callback); err != nil {
			t.Errorf("%s: %v", tt.kind, err)
		}
	}
	for kind, id := range map[string]string{"video": picture, "image": theirs, "sticker": picture} {
		body := fmt.Sprintf(`{"from":"+919812345678","type":%q,%q:{"id":%q}}`, kind, kind, id)
		if a := first.call(t, http.MethodPost, first.number("/sandbox/inbound"), body); a.status != 400 || a.code(t) != 131009 {
			t.Errorf("%s with a file that does not fit: %d %s", kind, a.status, a.body)
		}
	}
}
