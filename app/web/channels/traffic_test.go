package channels_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/people/identity"
	"heliograph/app/web/webtest"
)

// The overview of an account says what was sent, what failed and why, what was refused
// and how much of the limits is used, of this organisation only, and each figure links
// to what it counts. The overview of the administration does the same for all.
func TestOverviewsOfSevenDays(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	reader, own := site.SignIn(t, 0, identity.Viewer)
	_, other := site.SignIn(t, 0, identity.Owner)
	exec := func(sql string, args ...any) {
		t.Helper()
		if _, err := site.DB.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	if a := reader.Get("/account"); a.Status != 200 || a.Find(".traffic").Length() != 0 {
		t.Errorf("an account without messages shows %d with %q", a.Status, a.Find(".traffic").Text())
	}
	now := time.Now().UTC()
	exec(`update usage_clock set counted_until = $1`, now.Add(-time.Hour))
	for _, organisation := range []int64{own, other} {
		exec(`insert into usage_days (organisation_id, day, channel, messages, delivered, failed) values ($1, $2, 'sms', 1000, 900, 66)`, organisation, now.AddDate(0, 0, -3))
		exec(`insert into usage_days (organisation_id, day, channel, messages, delivered, failed) values ($1, $2, 'rcs', 5000, 0, 5000)`, organisation, now.AddDate(0, 0, -9))
		exec(`insert into refused_calls (organisation_id, key_prefix, channel, method, path, status, code, request_id, repeats, at)
			values ($1, 'hg_test_abcd', 'messaging', 'POST', '/v3/1/messages', 400, 131008, 'r', 12, now()), ($1, 'hg_test_abcd', 'sms', 'GET', '/genericapi/dlr', 200, 337, 'r', 3, now())`, organisation)
		exec(`insert into uploaded_bytes (organisation_id, bytes) values ($1, 3 << 20)`, organisation)
		for range 2 {
			id := uuid.Must(uuid.NewV7())
			exec(`insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, state, created_at) values ($1, $2, 'messaging', 1, '919812345678', 'text', '{}', 'failed', now())`, id, organisation)
			exec(`insert into message_events (message_id, organisation_id, state, occurred_at, failure) values ($1, $2, 'failed', now(), '{"code":131026,"title":"Message undeliverable"}')`, id, organisation)
		}
	}
	exec(`insert into insight_days (what, day, product, version, name, detail, count) values ('failure', $1, '', '', 'sms', '337', 40)`, now)

	a := reader.Get("/account")
	part := a.Find(".traffic")
	text := strings.Join(strings.Fields(part.Text()), "")
	for _, want := range []string{"Messages 1,002", "Failed 68 (6.8 %)", "Refused requests 15", "Files uploaded today (UTC) 3.0 MiB of", "Message undeliverable131026 Messaging 2", "131008last", "Messaging 12"} {
		if !strings.Contains(text, strings.ReplaceAll(want, " ", "")) {
			t.Errorf("the overview lacks %q: %s", want, text)
		}
	}
	if bars := part.Find("svg rect").Length(); bars != 2+4 {
		t.Errorf("the charts have %d bars", bars)
	}
	if part.Find(".figures > div").Length() != part.Find(".figures dt a").Length() {
		t.Error("a figure has no link")
	}
	for _, link := range part.Find("a").EachIter() {
		href := link.AttrOr("href", "")
		if strings.HasPrefix(href, "/docs/") {
			continue // nothing is published here
		}
		if to := reader.Get(href); to.Status != 200 {
			t.Errorf("%s gives %d", href, to.Status)
		}
	}
	for _, link := range part.Find("a[href*='refused-requests?']").EachIter() {
		if n := reader.Get(link.AttrOr("href", "")).Find("tbody tr:has(.identifier)").Length(); n != 1 {
			t.Errorf("%s shows %d rows", link.AttrOr("href", ""), n)
		}
	}

	boss := site.SignInAdmin(t, identity.SuperAdmin)
	a = boss.Get("/admin")
	text = strings.Join(strings.Fields(a.Find(".traffic").Text()), "")
	for _, want := range []string{"Messages 2,000", "Refused requests 30", "337 SMS 40", "Messaging 24"} {
		if !strings.Contains(text, strings.ReplaceAll(want, " ", "")) {
			t.Errorf("the overview of all lacks %q: %s", want, text)
		}
	}
	for _, link := range a.Find(".traffic a, .card a").EachIter() {
		if href := link.AttrOr("href", ""); !strings.HasPrefix(href, "/docs/") && boss.Get(href).Status != 200 {
			t.Errorf("%s gives %d", href, boss.Get(href).Status)
		}
	}
	if site.SignInAdmin(t, identity.Editor).Get("/admin").Find(".traffic").Length() != 0 {
		t.Error("an Editor sees the traffic of partners")
	}
}
