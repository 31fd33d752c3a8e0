package account_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"heliograph/app/web/webtest"
	"heliograph/views/ui"
)

func (o *office) path(rest string) string {
	return fmt.Sprintf("/account/webhooks/%d%s", o.sandbox.PhoneNumberID, rest)
}

// set sets the webhook through the form.
func (o *office) set(t *testing.T, address string) {
	t.Helper()
	a := o.developer.Post(o.path(""), url.Values{"url": {address}, "headers": {"X-Webhook-Secret: mine\n"}})
	if a.Status != 303 {
		t.Fatalf("setting the webhook gives %d %s", a.Status, a.Find("main").Text())
	}
}

// deliver stores a callback in a state, with one attempt unless it waits.
func (o *office) deliver(t *testing.T, state string) (id int64) {
	t.Helper()
	err := o.site.DB.QueryRow(t.Context(), `
		insert into deliveries (webhook_id, organisation_id, event, body, state, attempts, finished_at)
		select id, organisation_id, 'message.sent', '{"object":"<b>"}', $2, case when $2 = 'pending' then 0 else 1 end, case when $2 <> 'pending' then now() end
		from webhooks where organisation_id = $1 returning id`, o.id, state).Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	if state != "pending" {
		o.exec(t, `insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url, headers, status, error, response)
			values ($1, 1, now(), 41, 'https://example.com/hook', E'X-A\nX-B', 503, 'The webhook answered 503 instead of 2xx.', '<i>away</i>')`, id)
	}
	return id
}

func (o *office) jobs(t *testing.T) int {
	t.Helper()
	return o.count(t, `select count(*) from river.river_job where kind = 'relay_callback'`)
}

func TestWebhookForm(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	if a := o.viewer.Get("/account/webhooks"); a.Find("main a[href='/docs/business-messaging/3.0#category-callbacks']").Length() != 1 || rows(a) != 1 || !strings.Contains(a.Find("tbody").Text(), "Not set") || a.Find("tbody a:contains('Set the webhook')").AttrOr("href", "") != o.path("") {
		t.Errorf("the list shows %s", a.Find("main").Text())
	}
	for name, tt := range map[string]struct{ url, headers, field string }{
		"no address":      {"", "", "url"},
		"no host":         {"https://", "", "url"},
		"another scheme":  {"ftp://example.com/", "", "url"},
		"private":         {"http://10.0.0.1/", "", "url"},
		"header, no name": {"http://127.0.0.1:9/", "just text", "headers"},
		"header, ours":    {"http://127.0.0.1:9/", "webhook-id: 1", "headers"},
		"header twice":    {"http://127.0.0.1:9/", "A: 1\nA: 2", "headers"},
		"header, control": {"http://127.0.0.1:9/", "A: 1\x01", "headers"},
	} {
		a := o.developer.Post(o.path(""), url.Values{"url": {tt.url}, "headers": {tt.headers}})
		kept, _ := a.Find("input[name=url]").Attr("value")
		if a.Status != 422 || a.Find("#field-"+tt.field+"-error").Length() != 1 || kept != tt.url || !strings.Contains(a.Find("textarea").Text(), strings.TrimSuffix(tt.headers, "\x01")) {
			t.Errorf("%s gives %d with %q %s", name, a.Status, kept, a.Find("main").Text())
		}
	}
	o.set(t, "http://127.0.0.1:9/hook")
	a := o.developer.Get(o.path("?done=webhook-set"))
	if a.Find("textarea").Text() != "X-Webhook-Secret: mine\n" || !strings.Contains(a.Find(".done").Text(), "saved") || !strings.Contains(a.Find(".state-line").Text(), "Healthy") {
		t.Errorf("after it was set: %s", a.Find("main").Text())
	}
	if a := o.viewer.Get(o.path("")); strings.Contains(a.Body, "mine") || !strings.Contains(a.Body, "X-Webhook-Secret") || a.Find("main form").Length() != 0 {
		t.Errorf("a viewer sees %s", a.Find("main").Text())
	}
	if n := o.count(t, `select count(*) from audit_entries where action = 'webhook.set' and actor like '%user:%'`); n != 1 {
		t.Errorf("%d entries in the audit", n)
	}
	if a := o.developer.Post(o.path("/remove"), nil); a.Status != 303 || !strings.Contains(o.viewer.Get(o.path("")).Find(".state-line").Text(), "Not set") {
		t.Errorf("removing gives %d", a.Status)
	}
	if a := o.developer.Post(o.path("/test"), nil); a.Status != 409 || !strings.Contains(a.Find("[role=alert]").Text(), "Set its URL first") {
		t.Errorf("a test of nothing gives %d", a.Status)
	}
}

func TestWebhookHealth(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	o.set(t, "http://127.0.0.1:9/hook")
	says := func(sql string) string {
		o.exec(t, sql)
		return o.viewer.Get(o.path("")).Find(".state-line").Text()
	}
	if got := says(`update webhooks set failures = 3, failing_since = now()`); !strings.Contains(got, "Failing") || !strings.Contains(got, "3 attempts in a row") {
		t.Errorf("three failures: %s", got)
	}
	if got := says(`update webhooks set failures = 9, open_until = now()`); !strings.Contains(got, "once a minute") && !strings.Contains(got, "callback a minute") {
		t.Errorf("an open circuit: %s", got)
	}
	if got := says(`update webhooks set failures = 0, failing_since = null, open_until = null, recent_attempts = 100, recent_failures = 20, counted_at = now()`); !strings.Contains(got, "20 % of recent attempts failed") {
		t.Errorf("one failure in five: %s", got)
	}
	if got := says(`update webhooks set disabled_at = now(), disabled_reason = 'the endpoint answered 410 Gone'`); !strings.Contains(got, "Disabled") || !strings.Contains(got, "410 Gone") {
		t.Errorf("disabled: %s", got)
	}
	if a := o.developer.Post(o.path("/replay"), url.Values{"since": {"2026-01-01"}, "which": {"failed"}}); a.Status != 409 || !strings.Contains(a.Find("[role=alert]").Text(), "Enable it first") {
		t.Errorf("a replay while it is disabled gives %d", a.Status)
	}
	if a := o.developer.Post(o.path("/enable"), nil); a.Status != 303 || !strings.Contains(o.viewer.Get(o.path("")).Find(".state-line").Text(), "Healthy") {
		t.Errorf("enabling gives %d", a.Status)
	}
	if a := o.developer.Post(o.path("/enable"), nil); a.Status != 409 {
		t.Errorf("enabling twice gives %d", a.Status)
	}
}

func TestSecretPages(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	first := o.sandbox.WebhookSecret
	if a := o.owner.Get(o.path("")); strings.Contains(a.Body, first) {
		t.Fatal("the secret is shown unasked")
	}
	if a := o.developer.Post(o.path("/secret"), nil); a.Status != 200 || a.Find("pre").Text() != first || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("revealing gives %d %s", a.Status, a.Find("pre").Text())
	}
	if a := o.developer.Post(o.path("/secret/retire"), nil); a.Status != 409 {
		t.Errorf("retiring the only one gives %d", a.Status)
	}
	if a := o.developer.Post(o.path("/secret/rotate"), nil); a.Status != 303 {
		t.Fatalf("rotating gives %d", a.Status)
	}
	if a := o.developer.Post(o.path("/secret/rotate"), nil); a.Status != 409 || !strings.Contains(a.Find("[role=alert]").Text(), "Retire the previous one first") {
		t.Errorf("rotating twice gives %d", a.Status)
	}
	both := o.developer.Post(o.path("/secret"), nil).Find("pre")
	if both.Length() != 2 || both.Eq(1).Text() != first || !strings.HasPrefix(both.Eq(0).Text(), "whsec_") || both.Eq(0).Text() == first {
		t.Errorf("both are %s", both.Text())
	}
	if a := o.developer.Post(o.path("/secret/retire"), nil); a.Status != 303 || o.developer.Post(o.path("/secret"), nil).Find("pre").Length() != 1 {
		t.Errorf("retiring gives %d", a.Status)
	}
	if n := o.count(t, `select count(*) from audit_entries where action like 'webhook_secret.%'`); n != 5 {
		t.Errorf("%d entries in the audit", n)
	}
	if n := o.count(t, `select count(*) from audit_entries where strpos(convert_from(canonical, 'UTF8'), $1) > 0`, first); n != 0 {
		t.Error("the audit knows the secret")
	}
}

func TestDeliveryPages(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	if a := o.viewer.Get("/account/deliveries"); a.Find(".empty").Length() != 1 {
		t.Error("the empty log says nothing")
	}
	o.set(t, "http://127.0.0.1:9/hook")
	failed, pending := o.deliver(t, "failed"), o.deliver(t, "pending")
	o.deliver(t, "delivered")
	tomorrow := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	for query, want := range map[string]int{
		"": 3, "?state=failed": 1, "?state=pending": 1, "?event=message.sent": 3, "?event=message.read": 0, "?from=" + tomorrow: 0, "?to=" + tomorrow: 3,
		fmt.Sprintf("?number=%d", o.sandbox.PhoneNumberID): 3, "?number=1": 0,
	} {
		if a := o.viewer.Get("/account/deliveries" + query); a.Status != 200 || rows(a) != want {
			t.Errorf("%s gives %d with %d rows, want %d", query, a.Status, rows(a), want)
		}
	}
	for _, query := range []string{"?state=x", "?event=%01", "?number=a%2Fb", "?from=x", "?before=1", "?before=99999999999999999999-1"} {
		if a := o.viewer.Get("/account/deliveries" + query); a.Status != 422 || a.Find(".field .error").Length() != 1 {
			t.Errorf("%s gives %d", query, a.Status)
		}
	}
	if a := o.viewer.HX().Get("/account/deliveries?state=x"); a.Status != 422 || a.Header.Get("HX-Retarget") != ui.Main.Selector() || a.Find("h1").Length() != 1 {
		t.Errorf("a link to a filter that is wrong gets %d for %q", a.Status, a.Header.Get("HX-Retarget"))
	}
	if a := o.viewer.HX(ui.List).Get("/account/deliveries?state=x"); a.Status != 422 || a.Header.Get("HX-Retarget") != ui.Filtered.Selector() {
		t.Errorf("a filter that is wrong gets %d for %q", a.Status, a.Header.Get("HX-Retarget"))
	}
	text := o.viewer.Get(fmt.Sprintf("/account/deliveries/%d", failed))
	for _, want := range []string{"The webhook answered 503", "<i>away</i>", "41 ms", "X-A: (your value, hidden)", "X-B: (your value, hidden)", fmt.Sprintf("webhook-id: %d", failed), `"object": "<b>"`} {
		if !strings.Contains(text.Find("main").Text(), want) {
			t.Errorf("the page lacks %q: %s", want, text.Find("main").Text())
		}
	}
	if text.Find("main form").Length() != 0 {
		t.Error("a viewer may replay")
	}
	if a := o.developer.Get(fmt.Sprintf("/account/deliveries/%d", pending)); a.Find("main form").Length() != 0 || !strings.Contains(a.Find("main").Text(), "None yet") {
		t.Errorf("a callback that waits shows %s", a.Find("main").Text())
	}
}

func TestReplays(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	o.set(t, "http://127.0.0.1:9/hook")
	id := o.deliver(t, "failed")
	path := fmt.Sprintf("/account/deliveries/%d/replay", id)
	if a := o.developer.Post(path, nil); a.Status != 303 || o.jobs(t) != 1 {
		t.Fatalf("replaying gives %d and %d jobs", a.Status, o.jobs(t))
	}
	if n := o.count(t, `select count(*) from deliveries where state = 'pending' and attempts = 1 and attempts_before = 1 and finished_at is null`); n != 1 {
		t.Error("it is not due again")
	}
	if a := o.developer.Post(path, nil); a.Status != 409 || o.jobs(t) != 1 {
		t.Errorf("a second press gives %d and %d jobs", a.Status, o.jobs(t))
	}

	old := o.deliver(t, "failed")
	o.exec(t, `update deliveries set created_at = now() - interval '3 days' where id = $1`, old)
	for range 3 {
		o.deliver(t, "failed")
	}
	o.deliver(t, "delivered")
	ask := func(since, which string) *webtest.Answer {
		return o.developer.Get(o.path("/replay?" + url.Values{"since": {since}, "which": {which}}.Encode()))
	}
	day := time.Now().UTC().AddDate(0, 0, -1).Format("2006-01-02T15:04")
	for what, a := range map[string]*webtest.Answer{"since": ask("yesterday", "failed"), "which": ask(day, "some")} {
		if a.Status != 422 || a.Find("#field-"+what+"-error").Length() != 1 {
			t.Errorf("a wrong %s gives %d", what, a.Status)
		}
	}
	if a := ask(day, "all"); a.Status != 200 || strings.TrimSpace(a.Find("main form button").Text()) != "Replay 4 callbacks" {
		t.Errorf("all of the day: %d %s", a.Status, a.Find("main").Text())
	}
	a := ask(day, "failed")
	if a.Status != 200 || a.Find("h1").Text() != "Replay 3 callbacks" || o.jobs(t) != 1 {
		t.Fatalf("the count gives %d %s and %d jobs", a.Status, a.Find("h1").Text(), o.jobs(t))
	}
	// What is stored after the count was shown is not replayed.
	late := o.deliver(t, "failed")
	o.exec(t, `update deliveries set created_at = clock_timestamp() where id = $1`, late)
	form := url.Values{}
	for _, name := range []string{"since", "until", "which"} {
		value, _ := a.Find("main form input[name=" + name + "]").Attr("value")
		form.Set(name, value)
	}
	a = o.developer.Post(o.path("/replay"), form)
	replay := a.Header.Get("Location")
	if a.Status != 303 || !strings.HasPrefix(replay, "/account/deliveries?replay=") || o.jobs(t) != 4 {
		t.Fatalf("replaying the day gives %d to %s and %d jobs", a.Status, replay, o.jobs(t))
	}
	if n := o.count(t, `select count(*) from deliveries where id in ($1, $2) and state = 'failed'`, old, late); n != 2 {
		t.Error("what was not counted is replayed")
	}
	o.exec(t, `update deliveries set state = 'delivered' where id = (select min(id) from deliveries where replay_id is not null)`)
	if a := o.viewer.Get(replay); rows(a) != 3 || !strings.Contains(a.Find(".state-line").Text(), "1 delivered, 2 waiting, 0 failed") {
		t.Errorf("the replay shows %d rows, %s", rows(a), a.Find(".state-line").Text())
	}
	if a := o.viewer.Get(replay); !strings.Contains(a.Find("tbody").Text(), "Retrying") {
		t.Errorf("callbacks that failed before are not told from new ones: %s", a.Find("tbody").Text())
	}
	if a := o.viewer.Get(o.path("")); !strings.Contains(a.Find("main").Text(), "1 delivered, 2 waiting") {
		t.Error("the webhook does not know of its last replay")
	}
	if a := o.developer.Post(o.path("/replay"), form); a.Status != 409 || o.jobs(t) != 4 {
		t.Errorf("the same again gives %d and %d jobs", a.Status, o.jobs(t))
	}
	if n := o.count(t, `select count(*) from audit_entries where action = 'delivery.replay_many' and details ->> 'count' = '3'`); n != 1 {
		t.Error("the audit does not know")
	}
	if a := open(t, o.site).viewer.Get(replay); a.Status != 404 {
		t.Errorf("another organisation sees the replay: %d", a.Status)
	}
	if a := o.developer.Post(o.path("/test"), nil); a.Status != 303 || !strings.HasPrefix(a.Header.Get("Location"), "/account/deliveries/") || o.jobs(t) != 5 {
		t.Errorf("a test event gives %d to %s", a.Status, a.Header.Get("Location"))
	}
	if a := o.developer.Get("/account/deliveries?event=test"); rows(a) != 1 {
		t.Errorf("%d test events", rows(a))
	}
}
