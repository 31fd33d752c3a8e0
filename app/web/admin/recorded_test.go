package admin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"heliograph/app/people/identity"
	"heliograph/app/web"
	"heliograph/app/web/webtest"
)

// recorded is a change to make on every mutating route of the administration.
type recorded struct {
	path   string
	form   url.Values
	before []string // SQL that makes it possible
}

// tryRow has the carrier take every message.
func tryRow() string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	return "update carriers set url = '" + server.URL + "'"
}

// suppressionRow puts a number on the list of all organisations.
const suppressionRow = `insert into suppressions (organisation_id, recipient, reason, actor) values (0, '919812345678', 'list', 'admin:1')`

// filterRow saves a filter of the administrator who signed in.
const filterRow = `insert into list_filters (id, admin_user_id, list, name, query) overriding system value select 1, max(id), 'drafts', 'Mine', 'whose=mine' from admin_users`

// parkedPath is the page of a message that waits for a person, and parkedRows are its
// rows.
const parkedPath = "/admin/parked-messages/0193a1b2-0000-7000-8000-000000000009"

var parkedRows = []string{
	`insert into organisations (id, name, status, sandbox) overriding system value values (1000009, 'Live lamps', 'active', false)`,
	`insert into messages (id, organisation_id, channel, sender, recipient, kind, payload, state)
		values ('0193a1b2-0000-7000-8000-000000000009', 1000009, 'messaging', '100000000000001', '919812345678', 'text', '{}', 'accepted')`,
	`insert into carriages (message_id, leg, part, channel, carrier, state) values ('0193a1b2-0000-7000-8000-000000000009', 1, 1, 'messaging', 'upstream', 'dialling')`,
	`insert into parked_parts (message_id, leg, part, carrier, hand_over) values ('0193a1b2-0000-7000-8000-000000000009', 1, 1, 'upstream', 1)`,
}

// templatePath is the page of a template that waits for a review, and templateRows are
// its rows.
const templatePath = "/admin/message-templates/100000000000013"

var templateRows = []string{
	`insert into organisations (id, name, status, sandbox) overriding system value values (1000010, 'Live ferries', 'active', false)`,
	`insert into registry (id, kind, organisation_id) values (100000000000011, 'business', 1000010), (100000000000012, 'business_account', 1000010), (100000000000013, 'template', 1000010)`,
	`insert into businesses (id, organisation_id, name) values (100000000000011, 1000010, 'Ferry')`,
	`insert into business_accounts (id, organisation_id, business_id, name, currency, timezone_id, message_template_namespace)
		values (100000000000012, 1000010, 100000000000011, 'Ferry', 'INR', '71', '00000000_0000_0000_0000_000000000009')`,
	`insert into message_templates (id, organisation_id, business_account_id, name, language, category, status, components)
		values (100000000000013, 1000010, 100000000000012, 'news', 'en_US', 'UTILITY', 'PENDING', '[{"type":"BODY","text":"Hello there"}]')`,
}

// changes are by name of the route.
func changes() map[string]recorded {
	return map[string]recorded{
		"admin.email_settings":      {"/admin/email-settings", emailSettings(), nil},
		"admin.email_settings.test": {"/admin/email-settings/test", url.Values{"to": {"asha@example.com"}}, nil},
		"admin.sms_settings":        {"/admin/sms-settings", smsSettings("http://127.0.0.1:9/"), nil},
		"admin.sms_settings.test":   {"/admin/sms-settings/test", url.Values{"to": {"+919812345678"}}, nil},

		"admin.jobs.cancel":           {"/admin/jobs/1/cancel", nil, []string{jobRows}},
		"admin.jobs.retry":            {"/admin/jobs/2/retry", nil, []string{jobRows}},
		"admin.jobs.retry_many":       {"/admin/jobs/retry", url.Values{"kind": {"carry_message"}}, []string{`insert into river.river_job (id, args, kind, max_attempts, attempt, queue, state, scheduled_at, errors) values (4, '{}', 'carry_message', 25, 3, 'send', 'retryable', now() + interval '1 hour', array['{"attempt": 3, "at": "2026-11-21T05:19:07Z", "error": "refused", "trace": ""}'::jsonb])`}},
		"admin.contacts.bulk":         {"/admin/contacts/bulk", url.Values{"id": {"0193a1b2-0000-7000-8000-000000000001"}, "action": {"assign"}}, []string{enquiryRow}},
		"admin.contacts.erasure":      {"/admin/contacts/erasure", url.Values{"email": {"mira@example.com"}, "confirmed": {"true"}}, []string{enquiryRow}},
		"admin.contact_settings.save": {"/admin/contacts/settings", url.Values{"keep_days": {"30"}, "keep_spam_days": {"7"}, "challenge": {"off"}}, nil},
		"admin.contact_secret":        {"/admin/contacts/settings/secret", nil, nil},
		"admin.contact.status":        {enquiryPath + "/status", url.Values{"status": {"won"}}, []string{enquiryRow}},
		"admin.contact.assignee":      {enquiryPath + "/assignee", url.Values{"assignee": {"0"}}, []string{enquiryRow}},
		"admin.contact.note":          {enquiryPath + "/notes", url.Values{"note": {"Called back."}}, []string{enquiryRow}},
		"admin.contact.retry":         {enquiryPath + "/retry", url.Values{"kind": {"email"}}, []string{enquiryRow, failedRow}},

		"admin.filters.save":    {"/admin/filters", url.Values{"list": {"drafts"}, "query": {"state=approved"}, "name": {"Ready"}}, nil},
		"admin.filters.rename":  {"/admin/filters/1", url.Values{"name-1": {"Ready"}}, []string{filterRow}},
		"admin.filters.removal": {"/admin/filters/1/removal", nil, []string{filterRow}},

		"admin.logout":                          {"/admin/logout", nil, nil},
		"admin.organisations.add":               {"/admin/organisations/new", url.Values{"name": {"Harbour lamps"}, "owner": {"Mira Rao"}, "email": {"mira@example.com"}}, nil},
		"admin.organisations.activation":        {"/admin/organisations/1000001/activation", url.Values{"active": {"false"}, "reason": {"unpaid"}}, []string{organisationRow}},
		"admin.organisations.assets.accounts":   {"/admin/organisations/1000001/assets/accounts", url.Values{"account_name": {"Repairs"}}, []string{organisationRow}},
		"admin.organisations.assets.catalogues": {"/admin/organisations/1000001/assets/catalogues", url.Values{"catalogue_name": {"Winter lamps"}}, []string{organisationRow}},
		"admin.organisations.sms.set":           {"/admin/organisations/1000001/sms", url.Values{"state": {"suspended"}, "class": {"otp"}}, []string{organisationRow}},
		"admin.organisations.sms.numbers":       {"/admin/organisations/1000001/sms/numbers", url.Values{"numbers": {"56767"}}, []string{organisationRow}},
		"admin.organisations.users.link":        {"/admin/organisations/1000001/users/1000001/link", nil, []string{organisationRow, memberRow}},
		"admin.password":                        {"/admin/change-password", url.Values{"current": {webtest.Password}, "password": {webtest.Password + " again"}, "confirmation": {webtest.Password + " again"}}, nil},
		"admin.review_emails":                   {"/admin/change-password/emails", url.Values{"review_emails": {"off"}}, nil},
		"admin.retention":                       {"/admin/retention", url.Values{"bodies": {"10"}, "logs": {"20"}}, nil},
		"admin.erasure":                         {"/admin/retention/erasure", url.Values{"recipient": {"+919812345678"}, "reason": {"asked"}, "confirmed": {"true"}}, nil},
		"admin.queues.pause":                    {"/admin/jobs/queues/mail/pause", nil, []string{queueRows}},
		"admin.queues.resume":                   {"/admin/jobs/queues/mail/resume", nil, []string{queueRows, `update river.river_queue set paused_at = now()`}},

		"admin.sessions.end":        {"/admin/sessions/" + otherSession + "/end", nil, []string{sessionRow}},
		"admin.sessions.end_others": {"/admin/sessions/end-others", nil, []string{sessionRow}},

		"admin.message_template.decide": {templatePath, url.Values{"decision": {"approve"}, "revision": {"1"}}, templateRows},
		"admin.parked_message.decide":   {parkedPath, url.Values{"decision": {"arrived"}}, parkedRows},

		"admin.carriers.add":            {"/admin/carriers", url.Values{"name": {"operator"}, "kind": {"kannel"}, "url": {"http://127.0.0.1:9/"}}, nil},
		"admin.carriers.disabling":      {"/admin/carriers/operator/disabling", nil, []string{carrierRow}},
		"admin.carriers.enabling":       {"/admin/carriers/operator/enabling", nil, []string{carrierRow}},
		"admin.carriers.renewal":        {"/admin/carriers/operator/renewal", nil, []string{carrierRow}},
		"admin.carriers.removal":        {"/admin/carriers/operator/removal", nil, []string{carrierRow}},
		"admin.carriers.routes.removal": {"/admin/carriers/routes/sms-0-PARCEL/removal", nil, []string{carrierRow}},
		"admin.carriers.routes.set":     {"/admin/carriers/routes", url.Values{"channel": {"sms"}, "carrier": {"operator"}}, []string{carrierRow}},
		"admin.carriers.set":            {"/admin/carriers/operator", url.Values{"url": {"http://127.0.0.1:9/other"}}, []string{carrierRow}},
		"admin.carriers.test":           {"/admin/carriers/operator/test", url.Values{"sender": {"PARCEL"}, "recipient": {"+919812345678"}, "text": {"Hello"}}, []string{carrierRow, tryRow()}},

		"admin.suppressions.add":     {"/admin/do-not-contact", url.Values{"recipient": {"+919812345678"}}, nil},
		"admin.suppressions.import":  {"/admin/do-not-contact/import", nil, nil},
		"admin.suppressions.removal": {"/admin/do-not-contact/919812345678-/removal", nil, []string{suppressionRow}},

		"admin.synonyms.add":     {"/admin/synonyms", url.Values{"term": {"signal lamp"}, "means": {"heliograph"}}, nil},
		"admin.synonyms.removal": {"/admin/synonyms/1000001/removal", nil, []string{synonymRow}},

		"admin.users.activation": {"/admin/users/1000001/activation", url.Values{"active": {"false"}}, []string{userRow}},
		"admin.users.deletion":   {"/admin/users/1000001/deletion", nil, []string{userRow}},
		"admin.users.invite":     {"/admin/users/invite", url.Values{"name": {"Mira"}, "email": {"mira@example.com"}, "role": {"editor"}, "product": {"1000002"}}, []string{productRow}},
		"admin.users.link":       {"/admin/users/1000001/link", nil, []string{userRow}},
		"admin.users.products":   {"/admin/users/1000001/products", url.Values{"product": {"1000002"}}, []string{userRow, productRow}},
		"admin.users.sessions":   {"/admin/users/1000001/sessions/end", nil, []string{userRow, sessionRow}},
		"admin.users.role":       {"/admin/users/1000001/role", url.Values{"role": {"editor"}}, []string{userRow}},
	}
}

// documentation reports whether the change of a route needs more than rows to begin
// with; TestEveryStepOfEditingIsRecorded and TestResendNotification make those.
func documentation(name string) bool {
	return strings.HasPrefix(name, "admin.products.") || strings.HasPrefix(name, "admin.items.") || strings.HasPrefix(name, "admin.drafts.")
}

// ownTest reports whether the test of a route says that its change is recorded,
// since it takes more than rows to make one.
func ownTest(name string) bool {
	switch webtest.FormOf(name) {
	case "tutor":
		return true // practice leaves no trace: what is erased must not stay in the audit
	case "console", "headers", "importing", "media", "sdk", "theme":
		return true // the package that sends the form, or its rule, tests the record
	}
	return name == "admin.notifications.resend" || name == "admin.organisations.assets.numbers" || name == "admin.organisations.assets.removal" || name == "admin.bot.move" || name == "admin.bot.template"
}

// Every change that an administrator makes is one entry of the audit, by who
// made it. The table is read from the router, so that a new route must be
// added above.
func TestEveryChangeIsRecordedOnce(t *testing.T) {
	t.Parallel()
	known := changes()
	for _, route := range webtest.New(t, nil).Server.Routes() {
		if route.Method == "GET" || documentation(route.Name) || ownTest(route.Name) || route.Access != web.Viewer && route.Access != web.Editor && route.Access != web.SuperAdmin {
			continue
		}
		t.Run(route.Name, func(t *testing.T) {
			t.Parallel()
			change, ok := known[route.Name]
			if !ok {
				t.Fatal("say above how to make this change")
			}
			site := webtest.New(t, nil)
			c := site.SignInAdmin(t, identity.SuperAdmin)
			exec(t, site, change.before...)
			count := func() (n int, last string) {
				err := site.DB.QueryRow(t.Context(), `select count(*), (array_agg(actor order by seq desc))[1] from audit_entries`).Scan(&n, &last)
				if err != nil {
					t.Fatal(err)
				}
				return n, last
			}
			before, _ := count()
			var a *webtest.Answer
			if strings.HasSuffix(change.path, "/import") {
				a = c.Upload(change.path, "file", "919812345678\n")
			} else {
				a = c.Post(change.path, change.form)
			}
			after, actor := count()
			if a.Status != 303 || after != before+1 || !strings.HasPrefix(actor, "admin:") {
				t.Errorf("the answer is %d, and the audit has %d more entries, the last by %s: %s", a.Status, after-before, actor, a.Find("main").Text())
			}
		})
	}
}
