package api_test

import (
	"strings"
	"testing"
)

// Names are trimmed, and what a phone or a reader cannot use is refused once.
func TestRCSValues(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	bot := func(name string) rcsAnswerBody {
		return p.call(t, "POST", "/create-bot", jsonMap{"botName": name, "botMessageType": "TRANSACTIONAL"})
	}
	if a := bot("  Lamps  "); a.status != 201 || a.text(t, "botName") != "Lamps" {
		t.Errorf("spaces around a name: %s", a.body)
	}
	if a := bot("Lamps "); a.status != 409 {
		t.Errorf("the same name: %s", a.body)
	}
	for name, code := range map[string]string{"   ": "min_length", "a\nb": "pattern", "a\x07b": "pattern"} {
		if a := bot(name); a.status != 400 || a.field("botName") != code {
			t.Errorf("%q: %s", name, a.body)
		}
	}
	content := func(c jsonMap) jsonMap {
		return jsonMap{"botId": p.sandbox.BotID, "to": numbered(1), "contentMessage": c}
	}
	card := jsonMap{"richCard": jsonMap{"standaloneCard": jsonMap{"cardOrientation": "HORIZONTAL", "cardContent": jsonMap{"title": "a"}}}}
	if a := p.call(t, "POST", "/send-message", content(card)); a.field("contentMessage.richCard.standaloneCard.thumbnailImageAlignment") != "required" {
		t.Errorf("a horizontal card without a side: %s", a.body)
	}
	for _, address := range []string{"http://10.0.0.1/a.png", "https://localhost/a.png", "http://[::1]/a.png", "https://169.254.169.254/a"} {
		if a := p.call(t, "POST", "/send-message", content(jsonMap{"contentInfo": jsonMap{"fileUrl": address}})); a.field("contentMessage.contentInfo.fileUrl") != "private_address" {
			t.Errorf("%s: %s", address, a.body)
		}
	}
	wrong := content(jsonMap{"text": "x"})
	wrong["messageId"] = 7
	if a := p.call(t, "POST", "/send-message", wrong); len(a.Errors) != 1 {
		t.Errorf("a messageId that is a number: %s", a.body)
	}
	if a := p.call(t, "POST", "/send-message", content(jsonMap{"text": "a\x00b"})); !strings.Contains(a.Message, "NUL character") || strings.Contains(a.Message, "different type") {
		t.Errorf("a NUL character: %s", a.body)
	}
	for path, says := range map[string]string{"/get-all-bots?page=0": "from 1", "/get-all-bots?size=101": "1 to 100"} {
		if a := p.call(t, "GET", path, nil); a.status != 400 || !strings.Contains(string(a.body), says) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	header := jsonMap{"botId": p.sandbox.BotID, "relayWebhookUrl": "https://93.184.215.14/", "headers": jsonMap{"Host": "x"}}
	if a := p.call(t, "PUT", "/bot/config/set-relay-webhook-url", header); a.field("headers") != "header" || strings.Contains(string(a.body), "public https address") {
		t.Errorf("a header that cannot be sent: %s", a.body)
	}
}

// A request that is repeated under its Idempotency-Key gets its answer again and sends
// nothing twice.
func TestRCSIdempotencyKey(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	body := textTo(p.sandbox.BotID, numbered(1), "")
	first := p.call(t, "POST", "/send-message", body, "Idempotency-Key", "k")
	again := p.call(t, "POST", "/send-message", body, "Idempotency-Key", "k")
	if first.status != 202 || string(first.body) != string(again.body) || again.header.Get("Idempotent-Replayed") != "true" || first.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("%s and then %s", first.body, again.body)
	}
	if n := p.count(t, `select count(*) from messages where channel = 'rcs'`); n != 1 {
		t.Errorf("%d messages, want one", n)
	}
	for key, other := range map[string]jsonMap{"k": textTo(p.sandbox.BotID, numbered(2), ""), strings.Repeat("k", 256): body} {
		if a := p.call(t, "POST", "/send-message", other, "Idempotency-Key", key); a.status != 400 || a.field("Idempotency-Key") == "" {
			t.Errorf("%.9s: %s", key, a.body)
		}
	}
}
