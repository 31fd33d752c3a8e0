package api_test

import (
	"testing"
)

// Recipients who must not be contacted are refused when a message is accepted: with
// 410 if they wrote STOP, with 423 if they are on a list.
func TestRCSRefusesSuppressedRecipients(t *testing.T) {
	t.Parallel()
	p, other := setupRCS(t)
	if _, err := p.pool.Exec(t.Context(), `
		insert into suppressions (organisation_id, recipient, channel, reason, actor) values
		($1, $2, 'rcs', 'stop', 'x'), ($1, $3, '', 'list', 'x'), (0, $4, '', 'list', 'x'), ($1, $5, 'sms', 'stop', 'x')`,
		p.id, numbered(1)[1:], numbered(2)[1:], numbered(3)[1:], numbered(4)[1:]); err != nil {
		t.Fatal(err)
	}
	body := jsonMap{"botId": p.sandbox.BotID, "contentMessage": jsonMap{"text": "Hello"}, "recipients": []string{numbered(1), numbered(2), numbered(3), numbered(4), numbered(5)}}
	items := p.call(t, "POST", "/send-message", body).items(t)
	want := []struct {
		code int
		text string
	}{{410, "opted_out"}, {423, "dnd_enabled"}, {423, "dnd_enabled"}, {}, {}}
	if len(items) != len(want) {
		t.Fatalf("%d outcomes", len(items))
	}
	for i, item := range items {
		if item.Error.Code != want[i].code || item.Error.Message != want[i].text || (item.Status == "REJECTED") != (want[i].code != 0) {
			t.Errorf("%s: %+v, want %+v", item.To, item, want[i])
		}
	}
	if n := p.count(t, `select count(*) from messages where channel = 'rcs'`); n != 2 {
		t.Errorf("%d messages are stored, want 2", n)
	}
	if a := p.call(t, "POST", "/send-message", textTo(p.sandbox.BotID, numbered(1), "once")); a.status != 400 || a.field("to") != "opted_out" {
		t.Errorf("one recipient: %d %s", a.status, a.body)
	}
	if a := other.call(t, "POST", "/send-message", textTo(other.sandbox.BotID, numbered(1), "")); a.status != 202 {
		t.Errorf("another organisation: %d %s", a.status, a.body)
	}
}
