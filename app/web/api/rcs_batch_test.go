package api_test

import (
	"fmt"
	"strings"
	"testing"
)

// What is wrong with one recipient rejects that recipient, and no other.
func TestRCSBatchIsAnsweredPerRecipient(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	bot := p.sandbox.BotID
	p.call(t, "POST", "/send-message", textTo(bot, numbered(1), "used"))
	fallback := jsonMap{"enabled": true, "channel": "SMS", "sms": jsonMap{"header": "HELIOG", "dltEntityId": "1101234567890123456", "dltTemplateId": "1107123456789012345"}}
	for name, tt := range map[string]struct {
		body jsonMap
		want string // the code of each recipient, 0 for accepted
		says string
	}{
		"a value is missing": {jsonMap{"templateCode": "order_card", "recipients": []jsonMap{
			{"to": numbered(1), "customParams": jsonMap{"name": "A"}}, {"to": numbered(2)}, {"to": numbered(3), "customParams": jsonMap{"name": "C"}},
		}}, "0 400 0", "customParams.name has no value"},
		"an unknown template": {jsonMap{"messages": []jsonMap{
			{"to": numbered(1), "templateCode": "pickup_points"}, {"to": numbered(2), "templateCode": "nothing"},
		}}, "0 404", "The template nothing does not exist"},
		"a used messageId": {jsonMap{"messages": []jsonMap{
			{"to": numbered(1), "templateCode": "pickup_points", "messageId": "used"}, {"to": numbered(2), "templateCode": "pickup_points", "messageId": "fresh"},
		}}, "409 0", "messageId used"},
		"one messageId twice": {jsonMap{"messages": []jsonMap{
			{"to": numbered(1), "templateCode": "pickup_points", "messageId": "twice"}, {"to": numbered(2), "templateCode": "pickup_points", "messageId": "twice"},
		}}, "0 409", "messageId twice"},
		"numbers that cannot exist": {jsonMap{"recipients": []string{numbered(1), "+9812345678", "+911234567890", "919812345678"}, "contentMessage": jsonMap{"text": "x"}}, "0 400 400 400", "E.164"},
		"a fallback that one cannot have": {jsonMap{"fallback": fallback, "messages": []jsonMap{
			{"to": numbered(1), "templateCode": "order_ok", "customParams": jsonMap{"name": "A"}}, {"to": "+447911123456", "templateCode": "pickup_points"},
		}}, "0 400", "fallback"},
	} {
		tt.body["botId"] = bot
		a := p.call(t, "POST", "/send-message", tt.body)
		if a.status != 202 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
			continue
		}
		var codes []string
		said := false
		for _, item := range a.items(t) {
			codes = append(codes, fmt.Sprint(item.Error.Code))
			said = said || strings.Contains(item.Error.Message, tt.says)
		}
		if got := strings.Join(codes, " "); got != tt.want || !said {
			t.Errorf("%s: %s, want %s and %q\n%s", name, got, tt.want, tt.says, a.body)
		}
	}
	draft := jsonMap{"botId": p.sandbox.DraftBotID, "recipients": []string{p.sandbox.Device, numbered(6)}, "contentMessage": jsonMap{"text": "x"}}
	a := p.call(t, "POST", "/send-message", draft)
	if a.status != 202 || a.items(t)[0].Status != "PENDING" || a.items(t)[1].Error.Code != 403 {
		t.Errorf("one test device: %d %s", a.status, a.body)
	}
}
