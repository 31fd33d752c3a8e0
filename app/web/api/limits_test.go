package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"heliograph/app/channels/sms"
	"heliograph/app/documentation/openapi/spectest"
)

// bounds compares an operation with the limits of its contract. For each value of a body
// it looks in the contract for the longest, the shortest, the largest and the smallest
// value. The operation must take each of them and refuse the next.
type bounds struct {
	*testing.T
	contract *spectest.Contract
	id       string
	send     func(body string) (taken bool, answer string)
	apart    *regexp.Regexp // places with rules besides the limits, which the texts of the contract say
	isAbsent bool           // whether null counts as absent, as the texts of the contract say; else it is refused
	tried    map[string]bool
}

// edges tries every limit of the values of a body.
func (b *bounds) edges(name, body string) {
	b.Helper()
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		b.Fatal(err)
	}
	made := func() string {
		text, err := json.Marshal(value)
		if err != nil {
			b.Fatal(err)
		}
		return string(text)
	}
	isAllowed := func() bool { return b.contract.RequestBody(b.id, "application/json", []byte(made())) == nil }
	try := func(place, what string, allowed func() bool) {
		if place += " " + what; b.apart != nil && b.apart.MatchString(place) || b.tried[b.id+place] {
			return
		}
		b.tried[b.id+place] = true
		want := allowed()
		if taken, answer := b.send(made()); taken != want {
			b.Errorf("%s %s%s: the contract says %v, the answer %v: %.300s", b.id, name, place, want, taken, answer)
		}
	}
	if taken, answer := b.send(body); !isAllowed() || !taken {
		b.Logf("%s %s needs more than its example: %.200s", b.id, name, answer)
		return
	}
	b.walk(value, "", func(v any) { value = v }, func(place string, old any, set func(any)) {
		if b.tried[place] { // by another example
			return
		}
		b.tried[place] = true
		defer set(old)
		try(place, "null", func() bool {
			want := false
			if set(left{}); b.isAbsent {
				want = isAllowed()
			}
			set(nil)
			return want
		})
		grow, from, to := grown(old)
		if grow == nil {
			return
		}
		for _, side := range []int{1, -1} {
			if last, bound := edge(from, to, side, func(n int) bool { set(grow(n)); return isAllowed() }); bound {
				for _, n := range []int{last, last + side} {
					set(grow(n))
					try(place, fmt.Sprint(n), isAllowed)
				}
			}
		}
		if _, ok := old.(string); ok {
			set("nonsense")
			try(place, "nonsense", isAllowed)
		}
		set(map[string]any{"a": "b"})
		try(place, "an object", isAllowed)
	})
}

// grown returns how a value grows and shrinks, its size, and how large it may become here.
func grown(v any) (grow func(n int) any, from, to int) {
	switch v := v.(type) {
	case string:
		runes, more := []rune(v), "a"
		if len(runes) > 0 && runes[len(runes)-1] >= '0' && runes[len(runes)-1] <= '9' {
			more = "1"
		}
		return func(n int) any {
			if n <= len(runes) {
				return string(runes[:max(n, 0)])
			}
			return v + strings.Repeat(more, n-len(runes))
		}, len(runes), 11_000
	case []any:
		if len(v) == 0 {
			return nil, 0, 0
		}
		return func(n int) any {
			list := slices.Clone(v[:min(max(n, 0), len(v))])
			for len(list) < n {
				list = append(list, v[len(v)-1])
			}
			return list
		}, len(v), 1100
	case float64:
		if v != math.Trunc(v) {
			return nil, 0, 0
		}
		return func(n int) any { return n }, int(v), 1 << 40
	}
	return nil, 0, 0
}

// edge returns the last n to one side that is allowed, beginning with one that is.
func edge(from, to, side int, allowed func(n int) bool) (last int, bound bool) {
	end := to
	if side < 0 {
		end = min(0, from) - 2
	}
	step := 1
	for last = from; allowed(last+side*step) && (last+side*step)*side < end*side; step *= 2 {
		last += side * step
	}
	if (last+side*step)*side >= end*side {
		return 0, false
	}
	for ; step > 0; step /= 2 { // last is allowed, last+step is not
		if allowed(last + side*step) {
			last += side * step
		}
	}
	return last, true
}

// left stands for a value that is left out.
type left struct{}

// walk calls do for each value below a value.
func (b *bounds) walk(v any, place string, set func(any), do func(place string, v any, set func(any))) {
	if place != "" {
		do(place, v, set)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b.walk(v[name], place+"."+name, func(to any) {
				if v[name] = to; to == (left{}) {
					delete(v, name)
				}
			}, do)
		}
	case []any:
		for i := range v[:min(len(v), 1)] { // the others have the same limits
			b.walk(v[i], place+"[]", func(to any) {
				if v[i] = to; to == (left{}) {
					v[i] = nil
				}
			}, do)
		}
	}
}

// atLeast fails the test if fewer limits were tried.
func (b *bounds) atLeast(n int) {
	b.Helper()
	b.Logf("%s: %d limits", b.id, len(b.tried))
	if len(b.tried) < n {
		b.Errorf("%s: %d limits were tried, want %d: its examples are not taken", b.id, len(b.tried), n)
	}
}

// examples returns the bodies of an operation that its contract shows.
func examples(t *testing.T, contract, id string) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, e := range spectest.Endpoint(t, spectest.Compile(t, readSeed(t, contract)), id).Bodies[0].Examples {
		list[e.Name] = e.Value
	}
	return list
}

// ask makes a request with a key.
func ask(t *testing.T, h http.Handler, method, path, key, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("apikey", key)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// SMS takes what its contract allows and refuses what is over its limits.
func TestSMSKeepsTheLimitsOfItsContract(t *testing.T) {
	t.Parallel()
	c := newOTPClient(t)
	b := &bounds{T: t, contract: c.contract, id: "submitSms", isAbsent: true, tried: map[string]bool{},
		// Numbers, headers, ids of texts and addresses of reports have to exist, the country
		// goes with the number, and an empty text counts as absent.
		apart: regexp.MustCompile(`\.accesskey |\.dest\[\] |\.header |country|\.template_|\.dlr_url |\.schedule_time |\.msg |\.(udhi?|port|type|dlt_template_id) null|\.(encrypt|dlr_req|urltrack|udhi|udh|expiry|max_split|dcs|port|type|dlt_\w+|version) 0$`),
		send: func(body string) (bool, string) {
			w := ask(t, c.handler, http.MethodPost, "/genericapi/JSONGenericReceiver", c.key, body)
			return strings.Contains(w.Body.String(), `"status":{"code":"200"`) && !regexp.MustCompile(`"code":"3`).MatchString(w.Body.String()), w.Body.String()
		}}
	scheduled := regexp.MustCompile(`("schedule_time": *)"[^"]*"`)
	bodies := examples(t, "sms.yaml", b.id)
	bodies["every field"] = `{"version":"1.0","encrypt":"0","accesskey":"<API_KEY>","batchno":"1","messages":[{"dest":["919812345678"],"msg":"Your parcel is here.","header":"PARCEL","type":"AD","app_country":"0","country_cd":"91",
		"dlt_entity_id":"1101234567890123456","dlt_template_id":"1107123456789012345","dlt_tma_id":"1302123456789012345","expiry":3600,"dlr_req":"1","dlr_url":"https://partner.example.com/r","msgtag":"delivery","urltrack":"0","max_split":3,
		"param1":"a","param5":"a","param6":"a","param8":"a","param9":"a","param10":"a"}]}`
	bodies["binary"] = `{"accesskey":"<API_KEY>","messages":[{"dest":["919812345678"],"msg":"0A0B","header":"PARCEL","type":"BM","dcs":4,"udhi":"1","udh":"0605040B8423F0","dlt_entity_id":"1101234567890123456","dlt_template_id":"1107123456789012345"}]}`
	bodies["port"] = `{"accesskey":"<API_KEY>","messages":[{"dest":["919812345678"],"msg":"0A0B","header":"PARCEL","type":"SP","port":2948,"dlt_entity_id":"1101234567890123456","dlt_template_id":"1107123456789012345"}]}`
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		body := strings.ReplaceAll(bodies[name], "<API_KEY>", c.key)
		b.edges(name, scheduled.ReplaceAllString(body, `$1"`+sms.LocalTime(time.Now().Add(24*time.Hour))+`"`))
	}
	b.atLeast(60)
}

// RCS takes what its contract allows and refuses what is over its limits.
func TestRCSKeepsTheLimitsOfItsContract(t *testing.T) {
	t.Parallel()
	p, _ := setupRCS(t)
	made := 0
	for id, path := range map[string]string{"createBot": "create-bot", "createTemplate": "create-template", "sendMessage": "send-message", "sendFreeflowMessage": "send-freeflow-message", "addTestDevice": "add-test-device"} {
		if !slices.Contains(p.contract.Operations(), id) {
			t.Errorf("no operation %s in %v", id, p.contract.Operations())
			continue
		}
		name := regexp.MustCompile(`"(botName|templateName)":"[^"]{2,20}"`)
		b := &bounds{T: t, contract: p.contract, id: id, tried: map[string]bool{},
			// Bots, templates and numbers have to exist, and a message id is used once.
			apart: regexp.MustCompile(`\.botId |\.to |\.recipients\[\] |\.templateCode |\.customParams|\.messageId |\.fallback|[uU]rl |\.value `),
			send: func(body string) (bool, string) {
				made++
				if made%10 == 0 {
					p.count(t, "with gone as (delete from rate_limits returning 1) select count(*) from gone")
				}
				w := ask(t, p.handler, http.MethodPost, "/api/v1/"+path, p.key, name.ReplaceAllString(body, fmt.Sprintf(`"$1":"n%d"`, made)))
				return w.Code == http.StatusConflict || w.Code < 300 && !strings.Contains(w.Body.String(), "REJECTED"), w.Body.String()
			}}
		bodies := examples(t, "rcs.yaml", id)
		for _, name := range slices.Sorted(maps.Keys(bodies)) {
			body := regexp.MustCompile(`"botId": *"[^"]*"`).ReplaceAllString(bodies[name], `"botId":"`+p.sandbox.BotID+`"`)
			b.edges(name, body)
		}
		b.atLeast(5)
	}
}

// Messaging takes what its contract allows and refuses what is over its limits.
func TestMessagingKeepsTheLimitsOfItsContract(t *testing.T) {
	t.Parallel()
	first, _ := setup(t)
	first.addMedia(t, 1265748390127465, "application/pdf", "1 hour")
	first.addMedia(t, 1390485726104857, "image/png", "1 hour")
	first.exec(t, `insert into registry (id, kind, organisation_id) select 1374859601238475, 'catalogue', organisation_id from businesses where id = $1`, first.sandbox.BusinessID)
	first.exec(t, `insert into catalogues (id, organisation_id, business_id, name) select 1374859601238475, organisation_id, id, 'Lamps' from businesses where id = $1`, first.sandbox.BusinessID)
	made := 0
	for id, path := range map[string]string{
		"sendMessage": first.number("/messages"), "receiveInSandbox": first.number("/sandbox/inbound"), "createTemplate": first.account("/message_templates"),
		"saveQRCode": first.codes(), "setBusinessProfile": first.number("/msgapp_business_profile"),
	} {
		name, order := regexp.MustCompile(`,"name":"[a-z_]{2,36}"`), regexp.MustCompile(`"reference_id":"[^"]*"`)
		b := &bounds{T: t, contract: first.contract, id: id, isAbsent: true, tried: map[string]bool{},
			// Numbers, ids, templates and catalogues have to exist, items differ from each
			// other, and the sums of an order agree.
			apart: regexp.MustCompile(`\.(to|recipient|message_id|id|catalog_id|name|link|url|waba_id) |\.template\.|\.parameters\.|\[\] |\.(buttons|sections|rows|components|contacts|phones|product_items|requests) |\.type |\.retailer_id |\.title null|\.emoji |\.from |\.(button|text|order|interactive|button_reply) null|\.components\[\]`),
			send: func(body string) (bool, string) {
				if made++; made%10 == 0 {
					first.exec(t, "delete from rate_limits")
				}
				if id == "createTemplate" {
					body = name.ReplaceAllString(body, fmt.Sprintf(`,"name":"n_%d"`, made))
				}
				body = order.ReplaceAllString(body, fmt.Sprintf(`"reference_id":"r-%d"`, made))
				w := ask(t, first.handler, http.MethodPost, "/v3"+path, first.key, body)
				return w.Code < 300, w.Body.String()
			}}
		bodies := examples(t, "messaging.yaml", id)
		for _, name := range slices.Sorted(maps.Keys(bodies)) {
			b.edges(name, bodies[name])
		}
		b.atLeast(3)
	}
}
