package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// text returns a message with a text.
func textTo(bot, to, id string) jsonMap {
	m := jsonMap{"botId": bot, "to": to, "contentMessage": jsonMap{"text": "Hello"}}
	if id != "" {
		m["messageId"] = id
	}
	return m
}

type sentItem struct {
	To, MessageID, Status string
	Error                 struct {
		Code    int
		Message string
	}
}

func (a rcsAnswerBody) items(t testing.TB) (items []sentItem) {
	t.Helper()
	if err := json.Unmarshal(a.Data, &items); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	return items
}

// The four shapes differ by their fields, and their outcomes keep the order of the request.
func TestRCSSendsInFourShapes(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	bot := p.sandbox.BotID
	for name, tt := range map[string]struct {
		members jsonMap
		want    string
	}{
		"a template for each number": {jsonMap{"messages": []jsonMap{
			{"to": numbered(1), "templateCode": "order_ok", "customParams": jsonMap{"name": "Asha"}, "messageId": "a-1"},
			{"to": "12345", "templateCode": "order_ok", "customParams": `{"name": "Ravi"}`, "messageId": "a-2"},
			{"to": numbered(3), "templateCode": "pickup_points"},
		}}, "PENDING a-1, REJECTED a-2, PENDING -"},
		"one template for many numbers": {jsonMap{"templateCode": "order_card", "recipients": []jsonMap{
			{"to": numbered(1), "customParams": jsonMap{"name": true}}, {"to": numbered(2), "customParams": jsonMap{"name": strings.Repeat("n", 1999)}, "messageId": "b-2"},
		}}, "PENDING -, REJECTED b-2"},
		"the same content for many numbers": {jsonMap{"recipients": []string{numbered(1), "nobody"}, "contentMessage": jsonMap{"text": "x"}, "ttl": "60s", "clientRef": "r"}, "PENDING -, REJECTED -"},
		"content for one number":            {jsonMap{"to": numbered(1), "contentMessage": jsonMap{"contentInfo": jsonMap{"fileUrl": "https://a.example.com/a.pdf"}}, "messageId": "d-1"}, "PENDING d-1"},
	} {
		tt.members["botId"] = bot
		a := p.call(t, "POST", "/send-message", tt.members)
		var got []string
		for _, item := range a.items(t) {
			id := item.MessageID
			if len(id) == 36 {
				id = "-"
			}
			got = append(got, item.Status+" "+id)
		}
		if a.status != 202 || strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %s, want %s", name, a.body, tt.want)
		}
	}
	if n := p.count(t, `select count(*) from messages where channel = 'rcs' and sender = $1`, bot); n != 5 {
		t.Errorf("%d messages are stored, want 5", n)
	}
	if n := p.count(t, `select count(*) from river.river_job where kind like 'carry_message%'`); n == 0 {
		t.Error("no job carries them")
	}
}

// What is wrong with a request to send.
func TestRCSSendsAreChecked(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	single := func(members jsonMap) jsonMap {
		m := textTo(p.sandbox.BotID, numbered(1), "")
		for k, v := range members {
			m[k] = v
		}
		return m
	}
	rich := func(card jsonMap) jsonMap { return single(jsonMap{"contentMessage": jsonMap{"richCard": card}}) }
	for name, tt := range map[string]struct {
		body        jsonMap
		status      int
		field, code string
	}{
		"no shape":                 {jsonMap{"botId": p.sandbox.BotID}, 400, "messages", "required"},
		"both times":               {single(jsonMap{"ttl": "60s", "expireTime": "2030-01-01T00:00:00Z"}), 400, "expireTime", "combination"},
		"a time that is over":      {single(jsonMap{"expireTime": "2020-01-01T00:00:00Z"}), 400, "expireTime", "range"},
		"no time":                  {single(jsonMap{"ttl": "0s"}), 400, "ttl", "range"},
		"a long time":              {single(jsonMap{"ttl": "1296001s"}), 400, "ttl", "range"},
		"minutes":                  {single(jsonMap{"ttl": "5m"}), 400, "ttl", "pattern"},
		"another field":            {single(jsonMap{"priority": 1}), 400, "priority", "unknown"},
		"a long text":              {single(jsonMap{"contentMessage": jsonMap{"text": strings.Repeat("x", 3073)}}), 400, "contentMessage.text", "max_length"},
		"two contents":             {single(jsonMap{"contentMessage": jsonMap{"text": "x", "richCard": jsonMap{}}}), 400, "contentMessage", "combination"},
		"two actions":              {single(jsonMap{"contentMessage": jsonMap{"text": "x", "suggestions": []jsonMap{{"action": jsonMap{"text": "a", "postbackData": "b", "shareLocationAction": jsonMap{}, "dialAction": jsonMap{"phoneNumber": numbered(1)}}}}}}), 400, "contentMessage.suggestions[0].action", "combination"},
		"one card of a carousel":   {rich(jsonMap{"carouselCard": jsonMap{"cardWidth": "SMALL", "cardContents": []jsonMap{{"title": "a"}}}}), 400, "contentMessage.richCard.carouselCard.cardContents", "min_items"},
		"alignment when vertical":  {rich(jsonMap{"standaloneCard": jsonMap{"cardOrientation": "VERTICAL", "thumbnailImageAlignment": "LEFT", "cardContent": jsonMap{"title": "a"}}}), 400, "contentMessage.richCard.standaloneCard.thumbnailImageAlignment", "combination"},
		"only a number is wrong":   {jsonMap{"botId": p.sandbox.BotID, "recipients": []string{"1"}, "contentMessage": jsonMap{"text": "x"}}, 400, "recipients[0]", "invalid"},
		"an unknown template":      {jsonMap{"botId": p.sandbox.BotID, "messages": []jsonMap{{"to": numbered(1), "templateCode": "nothing"}}}, 404, "messages[0].templateCode", "not_found"},
		"a value is missing":       {jsonMap{"botId": p.sandbox.BotID, "messages": []jsonMap{{"to": numbered(1), "templateCode": "order_ok", "customParams": jsonMap{"nom": "x"}}}}, 400, "messages[0].customParams.name", "required"},
		"fallback without details": {single(jsonMap{"fallback": jsonMap{"enabled": true, "channel": "SMS"}}), 400, "fallback.sms", "required"},
		"fallback without a text":  {single(jsonMap{"fallback": jsonMap{"enabled": true, "channel": "SMS", "sms": jsonMap{"header": "PARCEL"}}}), 400, "fallback", "invalid"},
		"a header of nobody":       {single(jsonMap{"fallback": jsonMap{"enabled": true, "channel": "SMS", "text": "x", "sms": jsonMap{"header": "NOBODY"}}}), 400, "fallback.sms", "invalid"},
		"a number of nobody":       {single(jsonMap{"fallback": jsonMap{"enabled": true, "channel": "MSGAPP", "msgapp": jsonMap{"phoneNumberId": "1", "template": jsonMap{"name": "a", "language": jsonMap{"code": "en"}}}}}), 400, "fallback", "invalid"},
		"many recipients":          {jsonMap{"botId": p.sandbox.BotID, "recipients": make([]string, 1001), "contentMessage": jsonMap{"text": "x"}}, 400, "recipients", "max_items"},
	} {
		if a := p.call(t, "POST", "/send-message", tt.body); a.status != tt.status || a.field(tt.field) != tt.code {
			t.Errorf("%s: %s, want %s %s", name, a.body, tt.field, tt.code)
		}
	}
	if a := p.call(t, "POST", "/send-message", jsonMap{"botId": p.sandbox.BotID, "templateCode": "order_ok"}); !strings.Contains(a.Message, "one template for many numbers") {
		t.Errorf("%s does not name the shape", a.Message)
	}
	a := p.call(t, "POST", "/send-freeflow-message", jsonMap{"botId": p.sandbox.BotID, "to": numbered(1), "type": "CAROUSEL", "contentMessage": jsonMap{"text": "x"}})
	if a.status != 400 || a.field("contentMessage") != "combination" {
		t.Errorf("another type: %s", a.body)
	}
	if n := p.count(t, `select count(*) from messages where channel = 'rcs'`); n != 0 {
		t.Errorf("%d messages are stored", n)
	}
}

// A messageId is sent once, whatever repeats it, and never with other content.
func TestRCSMessageIDIsSentOnce(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	bot := p.sandbox.BotID
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if a := p.call(t, "POST", "/send-message", textTo(bot, numbered(1), "once")); a.status != 202 || a.items(t)[0].Status != "PENDING" {
				t.Errorf("%s", a.body)
			}
		})
	}
	wg.Wait()
	if n := p.count(t, `select count(*) from messages where reference = 'once'`); n != 1 {
		t.Errorf("%d messages, want one", n)
	}
	other := textTo(bot, numbered(2), "once")
	if a := p.call(t, "POST", "/send-message", other); a.status != 409 || a.field("messageId") != "duplicate" {
		t.Errorf("other content: %s", a.body)
	}
	batch := jsonMap{"botId": bot, "messages": []jsonMap{{"to": numbered(1), "templateCode": "pickup_points", "messageId": "once"}, {"to": numbered(1), "templateCode": "pickup_points"}}}
	if a := p.call(t, "POST", "/send-message", batch); a.status != 202 || a.items(t)[0].Error.Code != 409 || a.items(t)[1].Status != "PENDING" {
		t.Errorf("within a batch: %s", a.body)
	}
	some := jsonMap{"botId": bot, "messages": []jsonMap{{"to": numbered(1), "templateCode": "pickup_points", "messageId": "m-1"}}}
	p.call(t, "POST", "/send-message", some)
	some["messages"] = append(some["messages"].([]jsonMap), jsonMap{"to": numbered(2), "templateCode": "pickup_points", "messageId": "m-2"})
	for range 2 {
		if a := p.call(t, "POST", "/send-message", some); len(a.items(t)) != 2 {
			t.Errorf("a batch that is partly known: %s", a.body)
		}
	}
	if n := p.count(t, `select count(*) from messages where reference in ('m-1', 'm-2')`); n != 2 {
		t.Errorf("%d messages, want two", n)
	}
}

// 1,000 recipients are one group.
func TestRCSSendsToAThousand(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	numbers := make([]string, 1000)
	for i := range numbers {
		numbers[i] = numbered(i)
	}
	a := p.call(t, "POST", "/send-message", jsonMap{"botId": p.sandbox.BotID, "recipients": numbers, "contentMessage": jsonMap{"text": "x"}})
	if a.status != 202 || len(a.items(t)) != 1000 || a.items(t)[999].To != numbers[999] {
		t.Fatalf("%d %.200s", a.status, a.body)
	}
	if n := p.count(t, `select count(*) from messages where channel = 'rcs'`); n != 1000 {
		t.Errorf("%d messages", n)
	}
}

// A bot that is not launched writes to devices that accepted, and to nobody else.
func TestRCSBotThatIsNotLaunched(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	bot := p.sandbox.DraftBotID
	if a := p.call(t, "POST", "/send-message", textTo(bot, p.sandbox.Device, "")); a.status != 202 {
		t.Errorf("a device that accepted: %s", a.body)
	}
	p.call(t, "POST", "/add-test-device", jsonMap{"botId": bot, "phoneNumber": numbered(5)})
	for _, to := range []string{numbered(5), numbered(6)} {
		if a := p.call(t, "POST", "/send-message", textTo(bot, to, "")); a.status != 403 || a.field("to") != "PERMISSION_DENIED" {
			t.Errorf("%s: %s", to, a.body)
		}
	}
}

// A live organisation without a carrier is refused in words.
func TestRCSWithoutACarrierIsRefused(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	if _, err := p.pool.Exec(t.Context(), `update organisations set sandbox = false where id = $1`, p.id); err != nil {
		t.Fatal(err)
	}
	if a := p.call(t, "POST", "/send-message", textTo(p.sandbox.BotID, numbered(1), "")); a.status != 403 || a.field("botId") != "no_carrier" {
		t.Errorf("%s", a.body)
	}
}

// The status of a message can be read by its bot, with either kind of id, for 30
// days.
func TestRCSMessageStatus(t *testing.T) {
	t.Parallel()
	p, other := setupRCS(t)
	bot := p.sandbox.BotID
	p.call(t, "POST", "/send-message", textTo(bot, numbered(1), "s-1"))
	own := p.call(t, "POST", "/send-message", textTo(bot, numbered(1), "")).items(t)[0].MessageID
	for _, id := range []string{"s-1", own} {
		a := p.call(t, "GET", "/get-message-status-by-messageId/"+bot+"/"+id, nil)
		if a.status != 200 || a.text(t, "status") != "PENDING" || a.text(t, "to") != numbered(1) {
			t.Errorf("%s: %s", id, a.body)
		}
	}
	for _, path := range []string{bot + "/s-2", p.sandbox.DraftBotID + "/" + own, p.sandbox.DraftBotID + "/s-1", bot + "/%00"} {
		if a := p.call(t, "GET", "/get-message-status-by-messageId/"+path, nil); a.status != 404 {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	if a := other.call(t, "GET", "/get-message-status-by-messageId/"+other.sandbox.BotID+"/"+own, nil); a.status != 404 {
		t.Errorf("by another: %s", a.body)
	}
	if _, err := p.pool.Exec(t.Context(), `update messages set created_at = $1 where reference = 's-1'`, time.Now().Add(-31*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if a := p.call(t, "GET", "/get-message-status-by-messageId/"+bot+"/s-1", nil); a.status != 404 {
		t.Errorf("after 31 days: %s", a.body)
	}
}

// The webhook of a bot is set, read and removed; addresses inside are refused.
func TestRCSWebhook(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	bot := p.sandbox.BotID
	set := func(path, url string, members jsonMap) rcsAnswerBody {
		body := jsonMap{"botId": bot, "relayWebhookUrl": url}
		for k, v := range members {
			body[k] = v
		}
		return p.call(t, "PUT", path+"/bot/config/set-relay-webhook-url", body)
	}
	for i, prefix := range []string{"", "/mgmt/api/v1"} {
		url := fmt.Sprintf("https://93.184.215.14/rcs/%d", i)
		if a := set(prefix, url, jsonMap{"headers": jsonMap{"X-Secret": "a"}, "clientToken": "t"}); a.status != 200 || a.text(t, "relayWebhookUrl") != url {
			t.Errorf("%s: %s", prefix, a.body)
		}
		if a := p.call(t, "GET", "/bot/config/get-relay-webhook-url?botId="+bot, nil); a.text(t, "relayWebhookUrl") != url {
			t.Errorf("reading: %s", a.body)
		}
		if a := p.call(t, "PUT", prefix+"/bot/config/set-payload-transform-type", jsonMap{"botId": bot, "payloadTransformType": []string{"GOOGLE_RBM", "MAAP"}[i]}); a.status != 200 {
			t.Errorf("transform: %s", a.body)
		}
	}
	if a := p.call(t, "GET", "/get-bot-details/"+bot, nil); a.text(t, "payloadTransformType") != "MAAP" || a.text(t, "relayWebhookUrl") == "" {
		t.Errorf("details: %s", a.body)
	}
	for url, field := range map[string]string{"https://127.0.0.1/": "relayWebhookUrl", "https://10.0.0.1/x": "relayWebhookUrl", "http://93.184.215.14/": "relayWebhookUrl", "https://[::1]/": "relayWebhookUrl", "https://u@93.184.215.14/": "relayWebhookUrl", "x": "relayWebhookUrl"} {
		if a := set("", url, nil); a.status != 400 || a.field(field) == "" {
			t.Errorf("%s: %s", url, a.body)
		}
	}
	if a := set("", "https://93.184.215.14/", jsonMap{"headers": jsonMap{"Host": "x"}}); a.status != 400 || a.field("headers") == "" {
		t.Errorf("a header: %s", a.body)
	}
	if a := set("", "https://93.184.215.14/", jsonMap{"verify": true}); a.status != 400 || a.field("clientToken") != "required" {
		t.Errorf("verify without a token: %s", a.body)
	}
	if a := set("", "https://93.184.215.14/", jsonMap{"verify": true, "clientToken": "t"}); a.status != 400 || a.field("relayWebhookUrl") != "not_verified" {
		t.Errorf("an address that returns a picture: %s", a.body)
	}
	if a := set("", "", nil); a.status != 200 {
		t.Errorf("removing: %s", a.body)
	}
	if a := p.call(t, "PUT", "/bot/config/set-payload-transform-type", jsonMap{"botId": bot, "payloadTransformType": "XML"}); a.status != 400 || a.field("payloadTransformType") != "enum" {
		t.Errorf("another form: %s", a.body)
	}
}
