package api_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"heliograph/app/channels/rcs/lifecycle"
)

// 25,000 steps take minutes and are not part of the everyday tests:
//
//	go test ./app/web/api -run RCSWalk -rcs.steps 25000 -timeout 60m
var rcsSteps = flag.Int("rcs.steps", 500, "how many requests the random walk over the RCS API makes")

// rcsWalker is a tenant of the walk with what it has made.
type rcsWalker struct {
	*rcsPartner
	bots, templates, names, messages, clients []string
}

// rcsWalk is a random walk of two tenants over all operations.
type rcsWalk struct {
	*rand.Rand
	t       *testing.T
	tenants [2]*rcsWalker
	me, you *rcsWalker // of this step
	foreign bool       // the request names something of the other tenant
	seen    map[string]int
}

// one returns one of some values.
func one[T any](w *rcsWalk, values ...T) T { return values[w.IntN(len(values))] }

// own returns mostly something of this tenant, at times of the other one, and at
// times nothing that exists.
func (w *rcsWalk) own(of func(*rcsWalker) []string) string {
	switch n := w.IntN(20); {
	case n < 2 && len(of(w.you)) > 0:
		id := one(w, of(w.you)...)
		w.foreign = w.foreign || !slices.Contains(of(w.me), id) // both may have chosen it
		return id
	case n < 18 && len(of(w.me)) > 0:
		return one(w, of(w.me)...)
	}
	return one(w, "nothing", strings.Repeat("A", 22), uuid.NewString(), "%00", "a'b", "ä", strings.Repeat("x", 300))
}

func (w *rcsWalk) bot() string      { return w.own(func(p *rcsWalker) []string { return p.bots }) }
func (w *rcsWalk) template() string { return w.own(func(p *rcsWalker) []string { return p.templates }) }
func (w *rcsWalk) message() string  { return w.own(func(p *rcsWalker) []string { return p.messages }) }
func (w *rcsWalk) client() string   { return w.own(func(p *rcsWalker) []string { return p.clients }) }

func (w *rcsWalk) name() string {
	if w.IntN(3) == 0 {
		return one(w, "order_ok", "order_card", "pickup_points", "unknown", "no name")
	}
	return w.own(func(p *rcsWalker) []string { return p.names })
}

func (w *rcsWalk) number() string {
	return one(w, "+919812345678", "+919812340011", "+919812340013", "+919812340019", numbered(w.IntN(1000)), "12345", "nobody", "")
}

// value is a value of any kind, for a field that expects one of its own.
func (w *rcsWalk) value() any {
	return one[any](w, nil, true, -1, 1e30, "", "x", strings.Repeat("ä", 3100), "\u202e", []any{}, []any{nil, 1}, jsonMap{}, jsonMap{"a": jsonMap{"a": 1}})
}

// spoil changes a body so that it is at times wrong.
func (w *rcsWalk) spoil(body jsonMap) jsonMap {
	if w.IntN(4) > 0 {
		return body
	}
	fields := make([]string, 0, len(body))
	for name := range body {
		fields = append(fields, name)
	}
	slices.Sort(fields)
	switch at := one(w, fields...); w.IntN(3) {
	case 0:
		delete(body, at)
	case 1:
		body[at] = w.value()
	default:
		body["unknownField"] = w.value()
	}
	return body
}

func (w *rcsWalk) content() jsonMap {
	chips := []any{jsonMap{"reply": jsonMap{"text": "Yes", "postbackData": "yes"}}, jsonMap{"action": jsonMap{"text": "Call", "postbackData": "c", "dialAction": jsonMap{"phoneNumber": "+919812345678"}}}}
	card := jsonMap{"title": "Ready", "suggestions": chips}
	return one(w,
		jsonMap{"text": "Hello", "suggestions": chips}, jsonMap{"contentInfo": jsonMap{"fileUrl": "https://a.example.com/a.pdf"}},
		jsonMap{"richCard": jsonMap{"standaloneCard": jsonMap{"cardOrientation": "VERTICAL", "cardContent": card}}},
		jsonMap{"richCard": jsonMap{"carouselCard": jsonMap{"cardWidth": "SMALL", "cardContents": []any{card, card}}}},
		jsonMap{}, jsonMap{"text": "x", "richCard": jsonMap{}},
	)
}

func (w *rcsWalk) templateContent() jsonMap {
	card := jsonMap{"cardTitle": "Hello [name]"}
	return one(w,
		jsonMap{"templateType": "TEXT", "text": "Hello {{name}}", "fallbackText": "Hello"},
		jsonMap{"templateType": "STANDALONE", "orientation": "VERTICAL", "card": card},
		jsonMap{"templateType": "CAROUSEL", "width": "MEDIUM_WIDTH", "height": "SHORT_HEIGHT", "carouselList": []any{card, card}},
		jsonMap{"templateType": "TEXT", "text": ""},
	)
}

func (w *rcsWalk) page() string {
	return one(w, "", "page=1&size=2", "page=2", "size=100", "size=101", "page=0", "page=x", "unknown=1")
}

// options are the options of a send.
func (w *rcsWalk) options(body jsonMap) jsonMap {
	switch w.IntN(8) {
	case 0:
		body["ttl"] = one(w, "60s", "0s", "60")
	case 1:
		body["expireTime"] = one(w, "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z", "now")
	case 2:
		body["fallback"] = jsonMap{"enabled": true, "channel": "MSGAPP", "msgapp": jsonMap{
			"phoneNumberId": one(w, strconv.FormatInt(w.me.number.PhoneNumberID, 10), strconv.FormatInt(w.you.number.PhoneNumberID, 10)),
			"template":      jsonMap{"name": "hello_world", "language": jsonMap{"code": "en_US"}},
		}}
	}
	return w.spoil(body)
}

func (w *rcsWalk) send() jsonMap {
	body := jsonMap{"botId": w.bot()}
	params := jsonMap{"name": "Asha"}
	switch w.IntN(4) {
	case 0:
		body["messages"] = []any{jsonMap{"to": w.number(), "templateCode": w.name(), "customParams": params}, jsonMap{"to": w.number(), "templateCode": "order_ok"}}
	case 1:
		body["templateCode"], body["recipients"] = w.name(), []any{jsonMap{"to": w.number(), "customParams": params}, jsonMap{"to": w.number(), "customParams": `{"name":"Ravi"}`}}
	case 2:
		body["recipients"], body["contentMessage"] = []any{w.number(), w.number()}, w.content()
	default:
		body["to"], body["contentMessage"], body["messageId"] = w.number(), w.content(), one(w, append([]string{uuid.NewString(), "m-1", "m-2"}, w.you.messages...)...) // an id of another tenant is as good as any
	}
	return w.options(body)
}

// rcsOperations are the operations: each returns method, path and body.
var rcsOperations = map[string]func(w *rcsWalk) (method, path string, body any){
	"addTestDevice": func(w *rcsWalk) (string, string, any) {
		return "POST", "/add-test-device", w.spoil(jsonMap{"botId": w.bot(), "phoneNumber": w.number()})
	},
	"createBot": func(w *rcsWalk) (string, string, any) {
		return "POST", "/create-bot", w.spoil(completeBot(one(w, "Lamps", "Kites", "Bot "+strconv.Itoa(w.IntN(1e6)))))
	},
	"createTemplate": func(w *rcsWalk) (string, string, any) {
		body := w.templateContent()
		body["botId"], body["templateName"] = w.bot(), one(w, "lamp_1", "lamp_"+strconv.Itoa(w.IntN(1e6)), "no name")
		return "POST", "/create-template", w.spoil(body)
	},
	"getBot": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-bot-details/" + url.PathEscape(w.bot()), nil
	},
	"getBotByClientId": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-bot-details-by-clientId/" + url.PathEscape(w.client()), nil
	},
	"getBotId": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-botId-by-botName?botName=" + url.QueryEscape(one(w, "Lamps", "Parcel updates", "", "nobody's")), nil
	},
	"getMessageStatus": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-message-status-by-messageId/" + url.PathEscape(w.bot()) + "/" + url.PathEscape(w.message()), nil
	},
	"getRelayWebhook": func(w *rcsWalk) (string, string, any) {
		return "GET", "/bot/config/get-relay-webhook-url?botId=" + url.QueryEscape(w.bot()), nil
	},
	"getTemplateDetails": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-template-details-by-templateId?templateId=" + url.QueryEscape(w.template()), nil
	},
	"getTemplateId": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-templateId-by-templateName-and-botId?templateName=" + url.QueryEscape(w.name()) + "&botId=" + url.QueryEscape(w.bot()), nil
	},
	"getTemplateStatus": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-template-status/" + url.PathEscape(w.bot()) + "/" + url.PathEscape(one(w, w.name, w.template)()), nil
	},
	"listBots": func(w *rcsWalk) (string, string, any) { return "GET", "/get-all-bots?" + w.page(), nil },
	"listBotTemplates": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-all-templates-by-botid?botId=" + url.QueryEscape(w.bot()) + "&" + w.page(), nil
	},
	"listFallbackTemplates": func(w *rcsWalk) (string, string, any) {
		return "GET", "/templates/msgapp-fallback/" + url.PathEscape(w.bot()) + "?" + w.page(), nil
	},
	"listLaunchedBots": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-all-launched-bots-by-orgId?orgId=" + one(w, w.me.organisation(), w.me.organisation(), w.you.organisation(), "x"), nil
	},
	"listOrganisationTemplates": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-all-template-by-orgId?orgId=" + one(w, w.me.organisation(), w.me.organisation(), w.you.organisation(), ""), nil
	},
	"previewTemplate": func(w *rcsWalk) (string, string, any) {
		return "GET", "/get-template-preview-by-templateName?templateName=" + url.QueryEscape(w.name()) + "&botId=" + url.QueryEscape(w.bot()), nil
	},
	"sendFreeflowMessage": func(w *rcsWalk) (string, string, any) {
		return "POST", "/send-freeflow-message", w.spoil(jsonMap{"botId": w.bot(), "to": w.number(), "type": one(w, "TEXT", "RICH_CARD", "CAROUSEL"), "contentMessage": w.content()})
	},
	"sendMessage": func(w *rcsWalk) (string, string, any) { return "POST", "/send-message", w.send() },
	"setPayloadTransform": func(w *rcsWalk) (string, string, any) {
		return "PUT", one(w, "", "/mgmt/api/v1") + "/bot/config/set-payload-transform-type", w.spoil(jsonMap{"botId": w.bot(), "payloadTransformType": one(w, "DEFAULT", "GOOGLE_RBM", "MAAP", "XML")})
	},
	"setRelayWebhook": func(w *rcsWalk) (string, string, any) {
		return "PUT", one(w, "", "/mgmt/api/v1") + "/bot/config/set-relay-webhook-url", w.spoil(jsonMap{"botId": w.bot(), "relayWebhookUrl": one(w, "", "http://10.0.0.1/", "https://127.0.0.1/", "no address")})
	},
	"submitBotForVerification": func(w *rcsWalk) (string, string, any) {
		return "POST", "/bot/submit_bot_for_verification", w.spoil(submission(w.bot()))
	},
	"updateBot": func(w *rcsWalk) (string, string, any) {
		return "POST", "/update-bot", w.spoil(jsonMap{"shortDescription": "Lamps", "color": one(w, "#8A4B00", "#ffffff", "red"), "botName": one(w, "Lamps", "Lamps "+strconv.Itoa(w.IntN(1e6)))})
	},
	"updateTemplate": func(w *rcsWalk) (string, string, any) {
		body := w.templateContent()
		body["templateId"] = w.template()
		return "POST", "/update-template", w.spoil(body)
	},
	"nonsense": func(w *rcsWalk) (string, string, any) {
		return one(w, "GET", "POST", "PUT", "DELETE", "PATCH"), one(w, "/", "/create-bot", "/get-bot-details/", "/send-message", "/unknown", "/mgmt/api/v1/create-bot"), one[any](w, nil, `{`, `[]`, `"x"`, `{"botId":1e999}`, "\x00", strings.Repeat("[", 5000))
	},
}

// desk is what administrators and reviews do between requests.
func (w *rcsWalk) desk() {
	if w.IntN(2) == 0 && len(w.me.bots) > 0 {
		_ = w.me.service.Desk.Make(w.t.Context(), "admin:1", one(w, w.me.bots...), one(w, lifecycle.Moves...), one(w, "", "A reason")) // most moves are not due
		return
	}
	if len(w.me.templates) > 0 {
		_ = w.me.service.Desk.ReviewTemplate(w.t.Context(), "admin:1", one(w, w.me.templates...), one(w, "", "A reason")) // most are reviewed
	}
}

// learn keeps what an answer gave the tenant.
func (w *rcsWalk) learn(a rcsAnswerBody) {
	var found any
	if a.status >= 300 || json.Unmarshal(a.Data, &found) != nil {
		return
	}
	keep := func(list *[]string, v any) {
		if id, _ := v.(string); id != "" && !slices.Contains(*list, id) && len(*list) < 60 {
			*list = append(*list, id)
		}
	}
	items, many := found.([]any)
	if !many {
		items = []any{found}
	}
	for _, item := range items {
		m, _ := item.(map[string]any)
		keep(&w.me.bots, m["botId"])
		keep(&w.me.templates, m["templateId"])
		keep(&w.me.names, m["templateName"])
		keep(&w.me.messages, m["messageId"])
		keep(&w.me.clients, m["clientId"])
	}
}

// Two tenants call every operation in random order with what they and the other
// one have, and with nonsense. Every answer is what the contract says, and nothing
// of the other tenant is ever given or changed.
func TestRCSWalk(t *testing.T) {
	t.Parallel()
	first, second := setupRCS(t)
	w := &rcsWalk{Rand: rand.New(rand.NewPCG(16, 25_000)), t: t, seen: map[string]int{}}
	for i, p := range []*rcsPartner{first, second} {
		w.tenants[i] = &rcsWalker{rcsPartner: p, bots: []string{p.sandbox.BotID, p.sandbox.DraftBotID}}
	}
	names := make([]string, 0, len(rcsOperations))
	for name := range rcsOperations {
		names = append(names, name)
	}
	slices.Sort(names)
	for n := range *rcsSteps {
		side := w.IntN(2)
		w.me, w.you, w.foreign = w.tenants[side], w.tenants[1-side], false
		if w.IntN(10) == 0 {
			w.desk()
		}
		name := one(w, names...)
		method, path, body := rcsOperations[name](w)
		var headers []string
		if name == "updateBot" {
			headers = []string{"botId", w.bot()}
			if strings.ContainsAny(headers[1], "%'ä") {
				headers[1] = "nothing"
			}
		}
		a := w.me.call(t, method, path, body, headers...)
		w.seen[name+" "+strconv.Itoa(a.status/100)]++
		if w.foreign && a.status < 300 || !w.foreign && strings.Contains(string(a.body), w.you.sandbox.BotID) {
			t.Errorf("step %d: %s %s %v with what another tenant has: %d %s", n, method, path, body, a.status, a.body)
		}
		w.learn(a)
		if t.Failed() {
			t.Fatalf("step %d: %s %s %.300s: %d %s", n, method, path, fmt.Sprint(body), a.status, a.body)
		}
	}
	for _, name := range names {
		if name != "nonsense" && *rcsSteps >= 2000 && (w.seen[name+" 2"] == 0 || w.seen[name+" 4"] == 0) {
			t.Errorf("%s succeeded %d times and was refused %d times", name, w.seen[name+" 2"], w.seen[name+" 4"])
		}
	}
}
