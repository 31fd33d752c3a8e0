package webtest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"heliograph/app/operation/audit"
	"heliograph/db"
)

// Exec runs statements on the database of a site.
func Exec(t *testing.T, site *Site, statements ...string) {
	t.Helper()
	for _, sql := range statements {
		if _, err := site.DB.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// Record writes entries into the audit.
func Record(t *testing.T, site *Site, entries ...audit.Entry) {
	t.Helper()
	err := db.InTx(t.Context(), site.DB, func(tx pgx.Tx) error {
		for _, e := range entries {
			if err := audit.Record(t.Context(), tx, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Column returns the texts of one column of the list, from the top.
func Column(a *Answer, label string) []string {
	texts := []string{}
	for _, cell := range a.Find("td[data-label='" + label + "']").EachIter() {
		texts = append(texts, strings.Join(strings.Fields(cell.Text()), " "))
	}
	return texts
}

// JobRows are a job that waits, one that has failed for good and one that is done.
const JobRows = `insert into river.river_job (id, args, kind, max_attempts, attempt, queue, state, scheduled_at, finalized_at, attempted_at, errors) values
	(1, '{"secret": "canary"}', 'carry_message', 25, 0, 'send', 'available', now() - interval '1 hour', null, null, null),
	(2, '{"secret": "canary"}', 'send_email', 25, 25, 'mail', 'discarded', now(), now(), now(), array['{"attempt": 25, "at": "2026-11-21T05:19:07Z", "error": "<i>refused</i>", "trace": "canary"}'::jsonb]),
	(3, '{"secret": "canary"}', 'send_email', 25, 1, 'mail', 'completed', now(), now(), now(), null)`

// QueueRows are the queues mail and send.
const QueueRows = `insert into river.river_queue (name, created_at, updated_at) values ('mail', now(), now()), ('send', now(), now())`

// UserRow is an administrator, and ProductRow a product.
const (
	UserRow = `insert into admin_users (id, name, email, password_hash, role) overriding system value
		select 1000001, '<b>Ravi</b>', 'ravi@example.com', min(password_hash), 'viewer' from admin_users`
	// SessionRow signs every administrator in elsewhere. Only the first one's
	// session has the name OtherSession.
	SessionRow = `insert into sessions (id_hash, surface, admin_user_id, session_version, user_agent, expires_at)
		select case when id = (select min(id) from admin_users) then sha256('elsewhere') else sha256(email::bytea) end, 'admin', id, session_version, 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', now() + interval '1 hour' from admin_users`
	ProductRow = `insert into items (id, kind, slug) overriding system value values (1000002, 'product', 'voice-x')`
)

// OtherSession is how forms name the session that SessionRow makes.
var OtherSession = func() string {
	sum := sha256.Sum256([]byte("elsewhere"))
	return hex.EncodeToString(sum[:])
}()

// OwnID is the id of the one administrator there is.
func OwnID(t *testing.T, site *Site) (id int64) {
	t.Helper()
	if err := site.DB.QueryRow(t.Context(), `select min(id) from admin_users`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

// SynonymRow is a synonym of the search.
const SynonymRow = `insert into search_synonyms (id, term, means) overriding system value values (1000001, 'beacon', '<i>lighthouse</i>')`

// MemberRow is the owner of the organisation in OrganisationRow.
const MemberRow = `insert into organisation_users (id, organisation_id, name, email, password_hash, role, active) overriding system value values (1000001, 1000001, 'Asha', 'owner@example.com', '', 'owner', true)`

// OrganisationRow is an organisation in its sandbox.
const OrganisationRow = `insert into organisations (id, name, status, sandbox, verified_at) overriding system value values (1000001, '<b>Lighthouse</b> 50%', 'active', true, now())`

// EnquiryRow is an enquiry at EnquiryPath, and FailedRow a delivery of it that failed.
const (
	EnquiryRow = `insert into contact_enquiries (id, reference, organisation, name, email, phones, message, page, consent_version, fingerprint)
		values ('0193a1b2-0000-7000-8000-000000000001', 'K7QF-2M9X', '=Harbour', 'Mira', 'mira@example.com', '{+919812345678}', '<b>Prices</b>, please.', '/docs/sms', 'v', 'x')`
	FailedRow   = `insert into contact_deliveries (enquiry_id, kind, state, problem, finished_at) values ('0193a1b2-0000-7000-8000-000000000001', 'webhook', 'failed', 'The webhook answered 410 instead of 2xx.', now())`
	EnquiryPath = "/admin/contacts/0193a1b2-0000-7000-8000-000000000001"
)

// CarrierRow is a carrier with a route.
const CarrierRow = `
	with c as (insert into carriers (name, kind, url, settings) values ('operator', 'kannel', 'https://gateway.example.com/cgi-bin/sendsms', '{"username":"heliograph"}') returning id)
	insert into carrier_routes (channel, sender, carrier_id) select 'sms', 'PARCEL', id from c`

// SMSSettings is the form that sends SMS through the provider at an address.
func SMSSettings(address string) url.Values {
	return url.Values{
		"mode": {"actual"}, "url": {address}, "api_key": {"planted-sms-key"}, "sender_id": {"HELIOG"}, "entity_id": {"1101"}, "template_id": {"1107"},
		"allowed": {"in, +9715"}, "budget": {"50"}, "alert_email": {"asha@example.com"},
	}
}

// EmailSettings is the form that keeps emails in the inbox, with fields changed.
func EmailSettings(change ...string) url.Values {
	v := url.Values{"mode": {"virtual"}, "port": {"587"}, "tls": {"starttls"}}
	for i := 0; i < len(change); i += 2 {
		v.Set(change[i], change[i+1])
	}
	return v
}
