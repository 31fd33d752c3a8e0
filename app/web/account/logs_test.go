package account_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/views/ui"

	"github.com/jackc/pgx/v5"
)

// office is an organisation with a sandbox and a signed-in user of each role.
type office struct {
	site                     *webtest.Site
	id                       int64
	sandbox                  assets.Sandbox
	viewer, developer, owner *webtest.Client
}

var testKeys = func() *keyring.Keyring {
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		panic(err)
	}
	return keys
}()

func open(t *testing.T, site *webtest.Site) *office {
	t.Helper()
	o := &office{site: site}
	o.viewer, o.id = site.SignIn(t, 0, identity.Viewer)
	o.developer, _ = site.SignIn(t, o.id, identity.Developer)
	o.owner, _ = site.SignIn(t, o.id, identity.Owner)
	err := db.InTx(t.Context(), site.DB, func(tx pgx.Tx) (err error) {
		o.sandbox, err = messaging.Provision(t.Context(), tx, testKeys, o.id, "Lighthouse")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (o *office) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := o.site.DB.Exec(t.Context(), sql, args...); err != nil {
		t.Fatal(err)
	}
}

func (o *office) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	if err := o.site.DB.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// send stores a message that was accepted at a time.
func (o *office) send(t *testing.T, at time.Time, m models.Message) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	ms := at.UnixMilli()
	for i := range 6 {
		id[i] = byte(ms >> (8 * (5 - i)))
	}
	if m.Channel == "" {
		m.Channel = "messaging"
	}
	if m.Payload == nil {
		m.Payload = []byte(`{"to":"91","type":"text"}`)
	}
	o.exec(t, `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state, category, failure, created_at)
		values ($1, $2, $3, $4, $5, 'text', $6, 'accepted', $7, null, $8)`, id, o.id, m.Channel, o.sandbox.PhoneNumberID, m.Recipient, []byte(m.Payload), m.Category, at)
	if m.State != "" {
		o.exec(t, `update messages set state = $2 where id = $1`, id, m.State)
		failure := any(nil)
		if m.State == "failed" {
			failure = []byte(`{"code":131026,"title":"Message undeliverable","detail":"not on the channel"}`)
			o.exec(t, `update messages set failure = $2 where id = $1`, id, failure)
		}
		o.exec(t, `insert into message_events (message_id, state, occurred_at, failure) values ($1, $2, $3, $4)`, id, m.State, at.Add(time.Second), failure)
	}
	return id
}

func rows(a *webtest.Answer) int { return a.Find("main table tbody tr:has(td[data-label])").Length() }

func TestMessageLogFilters(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	o, other := open(t, site), open(t, site)
	if a := o.viewer.Get("/account/messages"); a.Status != 200 || a.Find(".empty").Length() != 1 {
		t.Fatalf("the empty log gives %d %s", a.Status, a.Find("main").Text())
	}
	now := time.Now().UTC().Truncate(time.Second)
	first := o.send(t, now.Add(-48*time.Hour), models.Message{Recipient: "919812345678", State: "read"})
	o.send(t, now.Add(-24*time.Hour), models.Message{Recipient: "919812345679", State: "failed"})
	o.send(t, now.Add(-time.Hour), models.Message{Recipient: "447700900123", Channel: "sms"})
	other.send(t, now, models.Message{Recipient: "919812345678"})

	day := now.Add(-25 * time.Hour).Format("2006-01-02T15:04")
	for query, want := range map[string]int{
		"":                                  3,
		"?recipient=%2B91+98123+45678":      1,
		"?recipient=9198":                   2,
		"?recipient=0091-98123-45678":       1,
		"?recipient=7":                      0,
		"?state=failed":                     1,
		"?state=failed&recipient=44":        0,
		"?state=delivered":                  0,
		"?channel=sms":                      1,
		"?channel=rcs":                      0,
		"?id=" + first.String():             1,
		"?id=" + messaging.MessageID(first): 1,
		"?from=" + day:                      2,
		"?to=" + day:                        1,
		"?from=" + day + "&to=" + now.Add(-2*time.Hour).Format("2006-01-02T15:04"): 1,
	} {
		a := o.viewer.Get("/account/messages" + query)
		if a.Status != 200 || rows(a) != want {
			t.Errorf("%s gives %d with %d rows, want %d", query, a.Status, rows(a), want)
		}
		if want == 0 && a.Find(".empty a[href='/account/messages']").Length() != 1 {
			t.Errorf("%s shows no way back", query)
		}
	}
	a := o.viewer.Get("/account/messages?recipient=9198&state=failed")
	if v, _ := a.Find("input[name=recipient]").Attr("value"); v != "9198" {
		t.Errorf("the filter is forgotten: %q", v)
	}
	if v, _ := a.Find("select[name=state] option[selected]").Attr("value"); v != "failed" {
		t.Errorf("the state is forgotten: %q", v)
	}
	if got := a.Find("tbody .badge").Text(); got != "Failed" {
		t.Errorf("the badge says %q", got)
	}
	for query, field := range map[string]string{
		"?recipient=abc": "recipient", "?id=wamid.x": "id", "?state=lost": "state", "?channel=pigeon": "channel", "?from=soon": "from", "?to=0000-00-00": "to",
		"?before=x": "from", "?recipient=%01": "recipient", "?id=%01": "id",
	} {
		a := o.viewer.Get("/account/messages" + query + "&channel=sms")
		if query == "?channel=pigeon" {
			a = o.viewer.Get("/account/messages" + query)
		}
		if a.Status != 422 || a.Find("[role=alert]").Length() != 1 || a.Find("#field-"+field+"-error").Length() != 1 {
			t.Errorf("%s gives %d %s", query, a.Status, a.Find("main").Text())
		}
	}
}

// Pages meet without a gap and without a row twice, whatever comes in between.
func TestMessageLogPages(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	now := time.Now().Add(-time.Hour)
	for i := range 120 {
		o.send(t, now.Add(time.Duration(i)*time.Millisecond), models.Message{Recipient: fmt.Sprintf("9198%08d", i)})
	}
	seen := map[string]bool{}
	path, pages := "/account/messages?recipient=9198", 0
	for path != "" {
		a := o.viewer.Get(path)
		if first := a.Find(".paging a").AttrOr("href", ""); (first != "") != (pages > 0) || pages > 0 && first != "/account/messages?recipient=9198" {
			t.Errorf("page %d leads to the first one by %q", pages, first)
		}
		for _, recipient := range strings.Split(a.Find("tbody td:nth-child(3)").Text(), "+")[1:] {
			if seen[recipient] {
				t.Errorf("%s comes twice", recipient)
			}
			seen[recipient] = true
		}
		path, _ = a.Find("#more a[rel=next]").Attr("href")
		pages++
		o.send(t, time.Now(), models.Message{Recipient: fmt.Sprintf("9177%08d", pages)})
	}
	if len(seen) != 120 || pages != 3 {
		t.Errorf("%d messages on %d pages", len(seen), pages)
	}
	// The other order begins with the oldest, and a refresh shows every page.
	a := o.viewer.Get("/account/messages?recipient=9198&order=asc")
	if a.Find("th[aria-sort=ascending] a").Length() != 1 || a.Find("select[name=order] option[selected]").Text() != "Oldest first" || !strings.HasPrefix(a.Find("tbody td:nth-child(3)").Text(), "+919800000000") {
		t.Errorf("the oldest first begin with %s", a.Find("tbody td:nth-child(3)").First().Text())
	}
	a = o.viewer.Get(a.Find("#more a[rel=next]").AttrOr("href", ""))
	if !strings.HasPrefix(a.Find("tbody td:nth-child(3)").Text(), "+919800000050") {
		t.Errorf("and go on with %s", a.Find("tbody td:nth-child(3)").First().Text())
	}
	if a = o.viewer.HX(ui.List).Get("/account/messages?recipient=9198&page=1&page=1"); a.Find("td[data-label=Kind]").Length() != 100 || a.Find("input[name=page]").Length() != 2 {
		t.Errorf("two pages have %d rows", a.Find("td[data-label=Kind]").Length())
	}
}

// The file has what the filter picks, and nothing of others.
func TestMessagesAsCSV(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	o, other := open(t, site), open(t, site)
	now := time.Now().Add(-time.Hour)
	for i := range 3 {
		o.send(t, now.Add(time.Duration(i)*time.Second), models.Message{Recipient: fmt.Sprintf("9198%08d", i), State: "read"})
	}
	o.send(t, now, models.Message{Recipient: "447700900123", Channel: "sms"})
	other.send(t, now, models.Message{Recipient: "919811111111"})
	link, _ := o.viewer.Get("/account/messages?recipient=9198").Find("main a[download]").Attr("href")
	a := o.viewer.Get(link)
	lines := strings.Split(strings.TrimSpace(a.Body), "\n")
	if a.Status != 200 || len(lines) != 4 || lines[0] != "id,accepted_at,channel,recipient,kind,state" || !strings.HasSuffix(lines[1], "Z,messaging,919800000002,text,read") {
		t.Errorf("%s gives %d\n%s", link, a.Status, a.Body)
	}
	if a := o.viewer.Get("/account/messages.csv?from=x"); a.Status != 422 {
		t.Errorf("a wrong filter gives %d", a.Status)
	}
}

// A file that is full says where the next one begins, and the next one is whole.
func TestMessagesAsCSVGoOn(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	o.exec(t, `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, created_at)
		select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid, $1, 'sms', 1, '447700900123', 'text', '{}', at
		from (select n, timestamptz '2026-03-01 12:00:00Z' + n * interval '10 milliseconds' as at from generate_series(0, 10099) n) s`, o.id)
	for path, want := range map[string]string{
		"/account/messages.csv":                        "Older ones are left out: set Before to 2026-03-01T12:00:02Z for the next file,,,,,",
		"/account/messages.csv?to=2026-03-01T12:00:02": "2026-03-01T12:00:00Z,sms,447700900123,text,accepted",
	} {
		lines := strings.Split(strings.TrimSpace(o.viewer.Get(path).Body), "\n")
		if last := lines[len(lines)-1]; !strings.HasSuffix(last, want) {
			t.Errorf("%s has %d lines and ends with %s", path, len(lines), last)
		}
	}
}

// A filter that little passes says how far back it looked, and goes on.
func TestMessageLogLooksFurther(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	o.send(t, time.Now().Add(-2*time.Hour), models.Message{Recipient: "919812345678", Channel: "rcs"})
	o.exec(t, `insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, created_at)
		select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid, $1, 'sms', 1, '447700900123', 'text', '{}', at
		from (select n, now() - interval '1 hour' + n * interval '1 millisecond' as at from generate_series(1, 5000) n) s`, o.id)
	a := o.viewer.Get("/account/messages?channel=rcs")
	next, ok := a.Find("a[rel=next]").Attr("href")
	if a.Status != 200 || rows(a) != 0 || !ok || a.Find(".reached").Length() != 1 || a.Find(".empty").Length() != 0 {
		t.Fatalf("the first page gives %d %s", a.Status, a.Find("main").Text())
	}
	if a = o.viewer.Get(next); rows(a) != 1 || a.Find("a[rel=next]").Length() != 0 {
		t.Errorf("further back there are %d rows", rows(a))
	}
}

func TestMessageHistory(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	o, other := open(t, site), open(t, site)
	failed := o.send(t, time.Now().Add(-time.Minute), models.Message{Recipient: "919812340001", State: "failed"})
	code := o.send(t, time.Now(), models.Message{Recipient: "919812345678", Category: "authentication", State: "delivered",
		Payload: []byte(`{"to":"919812345678","template":{"name":"login_code","components":[{"type":"body","parameters":[{"type":"text","text":"481926"}]}]}}`)})

	a := o.viewer.Get("/account/messages/" + messaging.MessageID(failed))
	text := a.Find("main").Text()
	for _, want := range []string{"Message undeliverable (131026)", "not on the channel", "Check that the number is correct", "Failed", "Accepted", `"type": "text"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	if a.Find("main a[href='/docs/business-messaging/3.0/errors#error-131026']").Length() != 1 {
		t.Error("the code does not link to its entry in the documentation")
	}
	a = o.viewer.Get("/account/messages/" + code.String())
	if a.Status != 200 || strings.Contains(a.Body, "481926") || !strings.Contains(a.Body, "login_code") || !strings.Contains(a.Body, "one-time code") {
		t.Errorf("the code is not hidden: %d %s", a.Status, a.Find("main").Text())
	}
	for _, path := range []string{code.String(), messaging.MessageID(code), uuid.NewString(), "x", "wamid.%00"} {
		if a := other.owner.Get("/account/messages/" + path); a.Status != 404 {
			t.Errorf("%s gives another organisation %d", path, a.Status)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	o := open(t, webtest.New(t, nil))
	if a := o.viewer.Get("/account/usage"); a.Status != 200 || a.Find(".empty").Length() != 1 {
		t.Fatalf("without messages: %d", a.Status)
	}
	now := time.Now().UTC()
	o.send(t, now, models.Message{Recipient: "1", State: "delivered"})
	o.send(t, now, models.Message{Recipient: "2", Channel: "sms", State: "failed"})
	old := now.AddDate(0, 0, -5)
	o.exec(t, `insert into usage_days values ($1, $2, 'rcs', 1200, 1100, 60)`, o.id, old)
	o.exec(t, `update usage_clock set counted_until = $1`, now.Add(-time.Hour))
	o.send(t, old, models.Message{Recipient: "3"}) // is in usage_days
	a := o.viewer.Get("/account/usage")
	facts := a.Find("dl").Text()
	for _, want := range []string{"1,202", "1,101 (91.6 %)", "61 (5.1 %)"} {
		if !strings.Contains(facts, want) {
			t.Errorf("the totals lack %s: %s", want, facts)
		}
	}
	if n := a.Find("figure svg rect").Length(); n != 3 || a.Find("figure tbody tr").Length() != 30 {
		t.Errorf("%d bars", n)
	}
	if got := strings.Join(strings.Fields(a.Find("figure tbody tr").Eq(5).Text()), " "); got != old.Format("2 Jan 2006")+" 0 0 1,200" {
		t.Errorf("the day has %q", got)
	}
}

// Every role reads; who only reads changes nothing; nobody sees another's.
func TestLogRoles(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	o, other := open(t, site), open(t, site)
	o.set(t, "http://127.0.0.1:9/hook")
	delivery := o.deliver(t, "failed")
	stranger := site.Client(t)
	tried := 0
	for _, r := range site.Server.Routes() {
		logs := strings.HasPrefix(r.Path, "/account/messages") || strings.HasPrefix(r.Path, "/account/deliveries") || strings.HasPrefix(r.Path, "/account/webhooks") || strings.HasPrefix(r.Path, "/account/usage")
		if !logs || r.Name == "account.message" {
			continue
		}
		tried++
		path := strings.NewReplacer(":number", strconv.FormatInt(o.sandbox.PhoneNumberID, 10), ":id", strconv.FormatInt(delivery, 10)).Replace(r.Path)
		if r.Name == "account.webhook.replay.show" {
			path += "?since=2026-01-01&which=all"
		}
		if r.Method == "GET" {
			for who, c := range map[string]*webtest.Client{"viewer": o.viewer, "developer": o.developer, "owner": o.owner} {
				want := 200
				if who == "viewer" && r.Access == web.Developer {
					want = 403
				}
				if a := c.Get(path); a.Status != want {
					t.Errorf("%s gives a %s %d, want %d", r.Name, who, a.Status, want)
				}
			}
			if a := stranger.Get(path); a.Status != 303 {
				t.Errorf("%s gives a stranger %d", r.Name, a.Status)
			}
			if strings.Contains(r.Path, ":") {
				if a := other.owner.Get(path); a.Status != 404 {
					t.Errorf("%s gives another organisation %d", r.Name, a.Status)
				}
			}
			continue
		}
		if r.Access != web.Developer {
			t.Errorf("%s has access %s", r.Name, r.Access)
		}
		before := o.count(t, `select count(*) from audit_entries`)
		if a := o.viewer.Post(path, nil); a.Status != 403 {
			t.Errorf("%s gives a viewer %d", r.Name, a.Status)
		}
		if a := other.owner.Post(path, nil); a.Status != 404 {
			t.Errorf("%s gives another organisation %d", r.Name, a.Status)
		}
		token := o.developer.Token
		o.developer.Token = ""
		if a := o.developer.Post(path, nil); a.Status != 403 {
			t.Errorf("%s without a token gives %d", r.Name, a.Status)
		}
		o.developer.Token = token
		if a := o.developer.With("Sec-Fetch-Site", "cross-site").Post(path, nil); a.Status != 403 {
			t.Errorf("%s from another site gives %d", r.Name, a.Status)
		}
		if after := o.count(t, `select count(*) from audit_entries`); after != before {
			t.Errorf("%s left %d entries in the audit though it was refused", r.Name, after-before)
		}
	}
	if tried < 14 {
		t.Errorf("only %d routes were tried", tried)
	}
}
