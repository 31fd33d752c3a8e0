package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"heliograph/app/channels/messaging"
)

const text = `{"messaging_product":"msgapp","to":"%s","text":{"body":"Hello"}}`

// writes has somebody write to the partner's number and returns the message id.
func (p *partner) writes(t *testing.T, from string) string {
	t.Helper()
	a := p.call(t, http.MethodPost, p.number("/sandbox/inbound"), `{"from":"`+from+`","text":{"body":"Hello"}}`)
	var got messaging.SandboxReply
	if err := json.Unmarshal(a.body, &got); a.status != 200 || err != nil || len(got.Messages) != 1 {
		t.Fatalf("received: %d %s", a.status, a.body)
	}
	return got.Messages[0].ID
}

func (p *partner) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := p.pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func TestReadReceipt(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	earlier, read := first.writes(t, "919812345678"), first.writes(t, "919812345678")
	other, foreign := first.writes(t, "919812345679"), second.writes(t, "919812345678")
	receipt := func(id string) string {
		return `{"messaging_product":"msgapp","status":"read","message_id":"` + id + `","typing_indicator":{"type":"text"}}`
	}
	for _, tt := range []struct {
		name, body   string
		status, code int
	}{
		{"received", receipt(read), 200, 0},
		{"once more", receipt(read), 200, 0},
		{"another tenant's", receipt(foreign), 400, 131009},
		{"unknown", receipt("wamid.AZt22qgAeOW4x2G1Kp8_MQ"), 400, 131009},
		{"not an id", receipt("7"), 400, 131009},
		{"no id", `{"messaging_product":"msgapp","status":"read"}`, 400, 131008},
		{"not read but played", strings.Replace(receipt(read), `"read"`, `"played"`, 1), 400, 131009},
		{"writes a song", strings.Replace(receipt(read), `"text"`, `"song"`, 1), 400, 131009},
		{"another channel", strings.Replace(receipt(read), "msgapp", "pigeon", 1), 400, 100},
	} {
		a := first.call(t, http.MethodPost, first.number("/messages"), tt.body)
		if a.status != tt.status || a.code(t) != tt.code || a.status == 200 && string(a.body) != `{"success":true}` {
			t.Errorf("%s: %d %s, want %d code %d", tt.name, a.status, a.body, tt.status, tt.code)
		}
	}
	for id, want := range map[string]bool{earlier: true, read: true, other: false, foreign: false} {
		var marked bool
		n, _ := messaging.ParseMessageID(id)
		if err := first.pool.QueryRow(t.Context(), `select read_at is not null from inbound_messages where id = $1`, n).Scan(&marked); err != nil || marked != want {
			t.Errorf("%s is marked: %v, %v, want %v", id, marked, err, want)
		}
	}
}

func TestConversationWindow(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	second.exec(t, `update organisations set sandbox = false where id = $1`, second.organisation(t))
	sends := func(name string, p *partner, body string, status, code int) {
		t.Helper()
		if a := p.call(t, http.MethodPost, p.number("/messages"), body); a.status != status || a.code(t) != code {
			t.Errorf("%s: %d %s, want %d code %d", name, a.status, a.body, status, code)
		}
	}
	const closed = "919812340007"
	sends("a sandbox is open", first, fmt.Sprintf(text, "919812345678"), 200, 0)
	sends("but for one ending", first, fmt.Sprintf(text, closed), 400, 131047)
	sends("a reaction is free-form", first, `{"messaging_product":"msgapp","to":"`+closed+`","type":"reaction","reaction":{"message_id":"wamid.AZt22qgAeOW4x2G1Kp8_MQ","emoji":"👍"}}`, 400, 131047)
	sends("a template may go", first, strings.Replace(hello, "919812345678", closed, 1), 200, 0)
	first.writes(t, "+91 98123-40007")
	sends("the recipient wrote", first, fmt.Sprintf(text, closed), 200, 0)
	first.exec(t, `update conversations set last_inbound_at = now() - interval '24 hours'`)
	sends("a day ago", first, fmt.Sprintf(text, closed), 400, 131047)

	sends("a real number is closed", second, fmt.Sprintf(text, "919812345678"), 400, 131047)
	sends("a template may go from it", second, hello, 200, 0)
	second.exec(t, `insert into conversations values ($1, '919812345678', now())`, second.sandbox.PhoneNumberID)
	sends("its recipient wrote", second, fmt.Sprintf(text, "919812345678"), 200, 0)
	if a := second.call(t, http.MethodPost, second.number("/sandbox/inbound"), `{"from":"919812345678","text":{"body":"x"}}`); a.status != 403 || a.code(t) != 200 {
		t.Errorf("nobody is made up who writes to a real number: %d %s", a.status, a.body)
	}
}

func TestMediaInMessages(t *testing.T) {
	t.Parallel()
	first, second := setup(t)
	for id, tt := range map[int64]struct {
		owner *partner
		mime  string
		lives string
	}{
		1100000000000001: {first, "image/png", "1 hour"},
		1100000000000002: {first, "audio/ogg", "1 hour"},
		1100000000000003: {first, "image/webp", "1 hour"},
		1100000000000004: {first, "image/png", "-1 hour"},
		1100000000000005: {second, "image/png", "1 hour"},
	} {
		tt.owner.addMedia(t, id, tt.mime, tt.lives)
	}
	for _, tt := range []struct {
		name, kind string
		id         int64
		code       int
	}{
		{"an image", "image", 1100000000000001, 0},
		{"an image as document", "document", 1100000000000001, 0},
		{"a recording", "audio", 1100000000000002, 0},
		{"a sticker", "sticker", 1100000000000003, 0},
		{"a recording as image", "image", 1100000000000002, 131009},
		{"a sticker as image", "image", 1100000000000003, 131009},
		{"expired", "image", 1100000000000004, 131009},
		{"another tenant's", "image", 1100000000000005, 131009},
		{"unknown", "video", 1100000000000006, 131009},
		{"no media", "image", first.sandbox.CatalogueID, 131009},
	} {
		body := fmt.Sprintf(`{"messaging_product":"msgapp","to":"919812345678","type":%[1]q,%[1]q:{"id":"%[2]d"}}`, tt.kind, tt.id)
		if a := first.call(t, http.MethodPost, first.number("/messages"), body); a.code(t) != tt.code {
			t.Errorf("%s: %d %s, want code %d", tt.name, a.status, a.body, tt.code)
		}
	}
}

// addMedia stores the row of a file of the partner's number that lives on for a
// while.
func (p *partner) addMedia(t *testing.T, id int64, mime, lives string) {
	t.Helper()
	p.exec(t, `insert into registry values ($1, 'media', $2)`, id, p.organisation(t))
	p.exec(t, `
		insert into media (id, organisation_id, phone_number_id, object, mime_type, size, sha256, file_name, expires_at)
		values ($1::bigint, $2, $3, 'media/' || $1::bigint, $4, 1, repeat('0', 64), 'file', now() + $5::interval)`,
		id, p.organisation(t), p.sandbox.PhoneNumberID, mime, lives)
}

func FuzzSend(f *testing.F) {
	first, _ := setup(f)
	for _, seed := range []string{
		hello, fmt.Sprintf(text, "919812345678"), `{"messaging_product":"msgapp","status":"read","message_id":"wamid.AZt22qgAeOW4x2G1Kp8_MQ"}`,
		`{"messaging_product":"msgapp","to":919812340007,"type":"interactive","interactive":{"type":"list","body":{"text":"x"},"action":{"button":"o","sections":[{"rows":[{"id":"a","title":"A"}]}]}}}`,
		`{"messaging_product":"msgapp","to":"919812345678","type":"interactive","interactive":{"type":"order_details","body":{"text":"x"},"action":{"name":"review_and_pay","parameters":{"reference_id":"o","order":{"items":[{"amount":{"value":1,"offset":100},"quantity":9223372036854775807}]}}}}}`,
		`{"messaging_product":"msgapp","to":"919812345678","type":"interactive","interactive":{"type":"flow","action":{"parameters":{"flow_action_payload":{"data":{"a":[1e999,"\ud800"]}}}}}}`,
		`{"messaging_product":"msgapp","to":"919812345678","type":"template","template":{"name":"order_update","language":{"code":"en_US"},"components":[{"type":"body","parameters":[{"type":"currency","currency":{}},{"type":"action"}]}]}}`,
		`{"messaging_product":"msgapp","to":"919812345678","type":"contacts","contacts":[{"name":{"formatted_name":"A","suffix":"B"},"phones":[{"wa_id":"1"}]}]}`,
		`{"messaging_product":"msgapp","to":"919812345678","type":"image","image":{"id":"1234567890123456"}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		// call holds every answer against the contract.
		if a := first.call(t, http.MethodPost, first.number("/messages"), body); a.status >= 500 {
			t.Errorf("%d %s", a.status, a.body)
		}
	})
}
