package admin_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/page"
	"heliograph/app/web/webtest"
)

func TestHome(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	c := site.SignInAdmin(t, identity.SuperAdmin)
	for _, sql := range []string{
		`insert into organisations (name, status) values ('Lighthouse', 'active')`,
		`insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload) values ('01000000-0000-7000-8000-000000000000', 1, 'sms', 1, '91', 'text', '{}')`,
		`insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload)
		 select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid, 1, 'sms', 1, '91', 'text', '{}'`,
		`insert into river.river_job (args, kind, max_attempts, queue, state, scheduled_at) values ('{}', 'x', 1, 'send', 'available', now() - interval '1 hour')`,
	} {
		if _, err := site.DB.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	a := c.Get("/admin")
	facts := map[string]string{}
	a.Find("dt").Each(func(_ int, s *goquery.Selection) {
		facts[strings.TrimSpace(s.Text())] = strings.TrimSpace(s.Next().Text())
	})
	for key, want := range map[string]string{"Accepted today (UTC)": "1", "Active": "1", "Failing now": "0", "send": "1 waiting, the oldest for 60 minutes", "Last release": "Not yet", "SMS delivery": "Virtual"} {
		if facts[key] != want {
			t.Errorf("%s is %q, want %q", key, facts[key], want)
		}
	}
	if a.Status != 200 || a.Queries > 16 {
		t.Errorf("the page gives %d and takes %d queries, want at most 16", a.Status, a.Queries)
	}
	if token, _ := a.Find("form[action='/admin/logout'] input[name='" + page.TokenField + "']").Attr("value"); token == "" {
		t.Error("the sign-out form has no token")
	}
}

func TestHomeSaysWhatNeedsAttention(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, nil)
	viewer, boss := site.SignInAdmin(t, identity.Viewer), site.SignInAdmin(t, identity.SuperAdmin)
	if a := boss.Get("/admin"); a.Find(".concerns").Length() != 0 || a.Find(".state-line .badge.good").Text() != "All is well" {
		t.Errorf("when all is well: %s", a.Find("main").Text())
	}
	exec(t, site, jobRows, queueRows, `update river.river_queue set paused_at = now() where name = 'mail'`,
		`insert into organisations (id, name) overriding system value values (1000001, 'Ferry'), (1000002, 'Harbour')`,
		`insert into webhooks (organisation_id, channel, subject, url, headers, failing_since, disabled_at) values
			(1000001, 'messaging', '1', 'https://example.com', '', now(), null), (1000002, 'messaging', '2', 'https://example.com', '', now(), now()), (1000001, 'messaging', '3', '', '', now(), now())`,
		`insert into registry (id, kind, organisation_id) values (100000000000001, 'business', 1000001), (100000000000002, 'business_account', 1000001),
			(100000000000003, 'phone_number', 1000001), (100000000000004, 'phone_number', 1000001)`,
		`insert into businesses (id, organisation_id, name) values (100000000000001, 1000001, 'Ferry')`,
		`insert into business_accounts (id, organisation_id, business_id, name, currency, timezone_id, message_template_namespace)
			values (100000000000002, 1000001, 100000000000001, 'Ferry', 'INR', '71', '00000000_0000_0000_0000_000000000000')`,
		`insert into phone_numbers (id, organisation_id, business_account_id, number, verified_name, webhook_secret) values
			(100000000000003, 1000001, 100000000000002, '+919812345678', 'Ferry', ''), (100000000000004, 1000001, 100000000000002, '+919812345679', 'Ferry', '')`,
		`with c as (insert into carriers (name, kind) values ('upstream', 'http') returning id)
			insert into carrier_routes (channel, sender, carrier_id) select 'messaging', '100000000000004', id from c`,
		`insert into audit_anchors (at, seq, key, retained) values (now() - interval '4 hours', 9, 'audits/x', false)`,
		`insert into audit_checks (seq, hash, broken_seq, reason) values (9, sha256('x'), 4, 'the entry is missing')`,
		`insert into river.river_job (id, kind, queue, args, max_attempts, state, attempt) values (9, 'send_sms', 'otp', '{}', 32767, 'retryable', 5)`,
		`insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload, created_at)
			values ('0199c2d4-5a70-7000-8000-000000000001', 1000001, 'messaging', 1, '91', 'text', '{}', now() - interval '20 minutes')`,
		`insert into unsettled_messages select id from messages`,
		`insert into deliveries (id, webhook_id, organisation_id, event, body, attempts, created_at) select 7, id, organisation_id, 'x', '', 1, now() from webhooks where subject = '1'`,
		`insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url, status) values (7, 1, now(), 1, 'https://example.com', 503)`,
		`insert into notifications (id, kind, purpose, recipient, attempts, expires_at) values ('0199c2d4-5a70-7000-8000-000000000009', 'email', 'invitation', 'asha@example.com', 3, now() + interval '1 day')`,
		`insert into notification_attempts (notification_id, number, started_at, latency_ms, provider, outcome, answer)
			values ('0199c2d4-5a70-7000-8000-000000000009', 3, now(), 1, 'mail.example.com', 'unavailable', 'connection refused')`,
		`insert into sms_budgets (day, used) values ((now() at time zone 'UTC')::date, 1000000)`)
	kinds := func(c *webtest.Client) (list []string, links int) {
		a := c.Get("/admin")
		return a.Find(".concerns .badge").Map(func(_ int, s *goquery.Selection) string { return s.Text() }), a.Find(".concerns a").Length()
	}
	want := []string{"Audit", "SMS", "Jobs", "Carriers", "Webhooks", "Delivery", "Jobs", "Messages", "Webhooks", "Jobs", "Jobs", "Audit", "Organisations"}
	for c, wantLinks := range map[*webtest.Client]int{viewer: 4, boss: 13} {
		got, links := kinds(c)
		if diff := cmp.Diff(want, got); diff != "" || links != wantLinks {
			t.Errorf("%d links, want %d (-want +got):\n%s", links, wantLinks, diff)
		}
	}
	for _, link := range boss.Get("/admin").Find(".concerns a").EachIter() {
		if a := boss.Get(link.AttrOr("href", "")); a.Status != 200 {
			t.Errorf("%s gives %d", link.AttrOr("href", ""), a.Status)
		}
	}
	if text := boss.Get("/admin").Find(".concerns").Text(); !strings.Contains(text, "1 live number has no carrier") {
		t.Errorf("of two live numbers one has a carrier: %s", text)
	} else if !strings.Contains(text, "The webhook of Ferry at example.com has failed for") || !strings.Contains(text, "HTTP 503") || !strings.Contains(text, "1 email or code waits after several attempts. The provider says: connection refused") {
		t.Errorf("the concerns do not say why: %s", text)
	}
	if rows := column(viewer.Get("/admin/organisations/1000001"), "Last answer"); len(rows) != 1 || rows[0] != "HTTP 503" {
		t.Errorf("the last answer of a webhook is %q", rows)
	}
	for how, want := range map[string]string{"failing": "Ferry", "disabled": "Harbour"} {
		if got := column(viewer.Get("/admin/organisations?webhooks="+how), "Organisation"); len(got) != 1 || got[0] != want {
			t.Errorf("webhooks that are %s are of %v, want %s", how, got, want)
		}
	}
	if a := viewer.Get("/admin/organisations/1000002"); a.Find("td .badge.bad:contains('Disabled')").Length() != 1 || !strings.Contains(a.Find("main").Text(), "example.com") || strings.Contains(a.Body, "https://example.com") {
		t.Errorf("the organisation's webhooks: %s", a.Find("main").Text())
	}
}

// In production virtual delivery reaches nobody, so the overview says so.
func TestVirtualDeliveryIsAConcernInProduction(t *testing.T) {
	t.Parallel()
	for _, production := range []bool{false, true} {
		site := webtest.New(t, func(d *web.Deps) {
			if production {
				d.Config.Environment = "production"
				d.Config.PublicURL = "https://docs.example.com"
			}
		})
		text := site.SignInAdmin(t, identity.SuperAdmin).Get("/admin").Find(".concerns").Text()
		for _, want := range []string{"SMS are in virtual mode", "Emails are in virtual mode"} {
			if strings.Contains(text, want) != production {
				t.Errorf("production %t: the concerns are %q", production, text)
			}
		}
	}
}

// away is file storage that does not answer.
type away struct{}

func (away) Available() bool { return false }

func TestStorageThatIsAwayIsAConcern(t *testing.T) {
	t.Parallel()
	site := webtest.New(t, func(d *web.Deps) { d.Storage = away{} })
	if text := site.SignInAdmin(t, identity.SuperAdmin).Get("/admin").Find(".concerns").Text(); !strings.Contains(text, "The file storage does not answer") {
		t.Errorf("the concerns are %q", text)
	}
}

// Those who write find their drafts, what waits for them and what readers said; those who
// read find what is new. The figures of the system are for Super Admins.
func TestHomeByRole(t *testing.T) {
	t.Parallel()
	p := newPress(t, nil)
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Go [on](nowhere)."))
	set := p.set()
	p.check(set)
	exec(t, p.Site, `insert into feedback (page, helpful, comment, reader) values ('/docs/letters/1.0', false, 'Which stamps?', 'x')`)
	text := func(c *webtest.Client, title string) string {
		return strings.Join(strings.Fields(c.Get("/admin").Find(".card:has(h2:contains('"+title+"'))").Text()), " ")
	}
	if got := text(p.ada, "My drafts"); !strings.Contains(got, "Draft") || !strings.Contains(got, "1 finding blocks it") || !strings.Contains(got, "Letters, changed") {
		t.Errorf("ada's drafts are %q", got)
	}
	if got := text(p.ada, "What readers said"); !strings.Contains(got, "“Which stamps?”") {
		t.Errorf("readers said %q", got)
	}
	exec(t, p.Site, `insert into insight_views (grain, start, page, reader, kind, product, version, count) values
		('day', date_trunc('day', now(), 'UTC'), '/docs/letters/1.0', 'person', 'version', 'letters', '1.0', 12), ('day', date_trunc('day', now(), 'UTC') - interval '8 days', '/docs/letters/1.0', 'person', 'version', 'letters', '1.0', 3),
		('day', date_trunc('day', now(), 'UTC'), '/docs/parcels/1.0', 'person', 'version', 'parcels', '1.0', 40)`)
	if got := text(p.ada, "Read this week"); !strings.Contains(got, "/docs/letters/1.0") || !strings.Contains(got, "12 views, 3 in the week before") || strings.Contains(got, "parcels") || !strings.Contains(got, "All pages that were read") {
		t.Errorf("read this week: %q", got)
	}
	p.ada.Get("/admin").Find(".card a").Each(func(_ int, link *goquery.Selection) {
		if at := link.AttrOr("href", ""); strings.HasPrefix(at, "/admin/") && p.ada.Get(strings.SplitN(at, "#", 2)[0]).Status != 200 {
			t.Errorf("the link %s does not open a page", at)
		}
	})
	if got := text(p.vic, "Read this week"); got != "" {
		t.Errorf("a Viewer gets %q", got)
	}
	if got := text(p.ben, "My drafts"); !strings.Contains(got, "You have no open changes.") {
		t.Errorf("ben's drafts are %q", got)
	}
	p.ok(p.ada, p.save(p.ada, p.guide, "text", "Write two letters."))
	p.check(set)
	p.ok(p.ada, p.submit(set))
	if got := p.ben.Get("/admin").Find(".card:has(h2:contains('Waiting for my review')) a[href='" + set + "']").Length(); got != 1 {
		t.Errorf("%d change sets wait for ben", got)
	}
	if got := text(p.vic, "Drafts to read"); !strings.Contains(got, "In review") {
		t.Errorf("a Viewer can read %q", got)
	}
	for name, c := range map[string]*webtest.Client{"ada": p.ada, "vic": p.vic} {
		if c.Get("/admin").Find("h2:contains('System')").Length() != 0 {
			t.Errorf("%s sees the figures of the system", name)
		}
	}
	if p.sue.Get("/admin").Find("h2:contains('System')").Length() != 1 {
		t.Error("the Super Admin does not see the figures of the system")
	}
	p.sue.Get("/admin").Find(".cards dd").Each(func(_ int, figure *goquery.Selection) {
		if figure.Find("a").Length() != 1 {
			t.Errorf("%s %s is no link", figure.Prev().Text(), figure.Text())
		}
	})
}
