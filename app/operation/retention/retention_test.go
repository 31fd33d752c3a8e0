package retention_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/retention"
	"heliograph/db/dbtest"
)

const day = 24 * time.Hour

// site is a database with two organisations that have a number and a webhook each.
type site struct {
	t  *testing.T
	tx pgx.Tx
}

func newSite(t *testing.T) site {
	t.Helper()
	s := site{t, dbtest.Tx(t)}
	s.exec(`insert into organisations (id, name, status) overriding system value values (1, 'First', 'active'), (2, 'Second', 'active')`)
	s.exec(`insert into webhooks (id, organisation_id, channel, subject, url, headers) overriding system value
		select n, n, 'sms', n::text, 'https://example.com', 'x' from generate_series(1, 2) n`)
	return s
}

func (s site) exec(sql string, args ...any) {
	s.t.Helper()
	if _, err := s.tx.Exec(s.t.Context(), sql, args...); err != nil {
		s.t.Fatalf("%s: %v", sql, err)
	}
}

// message stores a message of an organisation and its callback.
func (s site) message(organisation int, recipient, state string, age time.Duration) {
	s.t.Helper()
	s.exec(`with m as (
			insert into messages (id, organisation_id, channel, sender, sender_id, recipient, kind, payload, reference, state, created_at)
			values ((left(id_at(now() - $4::interval)::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, $1, 'sms', 'ABC', 0, $2, 'text', '{"msg":"secret"}', 'mine', $3, now() - $4::interval) returning id, organisation_id, created_at
		), d as (
			insert into deliveries (webhook_id, organisation_id, message_id, event, body, state, created_at)
			select organisation_id, organisation_id, id, 'x', 'secret', case when $3 = 'accepted' then 'pending' else 'delivered' end, created_at from m returning id
		)
		insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url, response) select id, 1, now(), 1, 'https://example.com', 'secret' from d`,
		organisation, recipient, state, age)
}

// counts describes what is there: entries and entries with contents.
func (s site) counts(organisation int) (text string) {
	s.t.Helper()
	err := s.tx.QueryRow(s.t.Context(), `
		select format('%s messages, %s with content; %s callbacks, %s with content, %s responses',
			(select count(*) from messages where organisation_id = $1), (select count(*) from messages where organisation_id = $1 and payload::text <> '{}'),
			(select count(*) from deliveries where organisation_id = $1), (select count(*) from deliveries where organisation_id = $1 and body <> ''),
			(select count(*) from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.organisation_id = $1 and a.response <> ''))`, organisation).Scan(&text)
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

func (s site) expect(organisation int, want string) {
	s.t.Helper()
	if got := s.counts(organisation); got != want {
		s.t.Errorf("organisation %d has %s; want %s", organisation, got, want)
	}
}

// Contents go after 30 days and logs after 90, unless an organisation was promised
// other times. What is on its way stays.
func TestSweepKeepsWhatWasPromised(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for organisation := 1; organisation <= 2; organisation++ {
		for _, age := range []time.Duration{time.Hour, 29 * day, 31 * day, 50 * day, 91 * day, 200 * day} {
			s.message(organisation, "919812345678", "delivered", age)
		}
		s.message(organisation, "919812345678", "accepted", 200*day)
	}
	if err := (retention.Times{Bodies: 7, Logs: 365}).Save(t.Context(), s.tx, 2, "test"); err != nil {
		t.Fatal(err)
	}
	for run := range 2 { // the second finds nothing more to do
		deleted, err := retention.Sweep(t.Context(), s.tx, time.Now())
		if err != nil || (deleted == 4) != (run == 0) {
			t.Errorf("run %d deleted %d entries, %v", run, deleted, err)
		}
		s.expect(1, "5 messages, 3 with content; 5 callbacks, 3 with content, 3 responses")
		s.expect(2, "7 messages, 2 with content; 7 callbacks, 2 with content, 2 responses")
	}
	if _, err := retention.Sweep(t.Context(), s.tx, time.Now().Add(2*day)); err != nil {
		t.Fatal(err)
	}
	s.expect(1, "5 messages, 2 with content; 5 callbacks, 2 with content, 2 responses")
}

// What an organisation received goes too where it never sent a message.
func TestSweepDeletesWhatWasReceivedFirst(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, age := range []time.Duration{day, 50 * day} {
		s.exec(`insert into inbound_messages (id, organisation_id, phone_number_id, channel, recipient, contact, kind, payload, received_at)
			values ((left(id_at(now() - $1::interval)::text, 13) || substr(gen_random_uuid()::text, 14))::uuid, 1, 0, 'sms', 'ABC', '919812345678', 'text', '{"text":"secret"}', now() - $1::interval)`, age)
	}
	if _, err := retention.Sweep(t.Context(), s.tx, time.Now()); err != nil {
		t.Fatal(err)
	}
	var left []string
	err := s.tx.QueryRow(t.Context(), `select array_agg(payload::text order by id) from inbound_messages`).Scan(&left)
	if err != nil || !slices.Equal(left, []string{"{}", `{"text":"secret"}`}) {
		t.Errorf("payloads are %q, %v", left, err)
	}
}

func TestTimesAreChecked(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, times := range []retention.Times{{Bodies: 0, Logs: 90}, {Bodies: 1, Logs: 2}, {Bodies: 91, Logs: 90}, {Bodies: 1, Logs: 4000}} {
		if err := times.Save(t.Context(), s.tx, retention.Everyone, "test"); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", times, err)
		}
	}
	if err := (retention.Times{Bodies: 1, Logs: 3}).Save(t.Context(), s.tx, 99, "test"); !fault.Is(err, fault.NotFound) {
		t.Errorf("an unknown organisation: %v", err)
	}
	if err := (retention.Times{Bodies: 1, Logs: 3}).Save(t.Context(), s.tx, retention.Everyone, "test"); err != nil {
		t.Fatal(err)
	}
	if got, err := retention.Load(t.Context(), s.tx, 1); err != nil || got != (retention.Times{Bodies: 1, Logs: 3}) {
		t.Errorf("%+v, %v", got, err)
	}
	var action string
	if err := s.tx.QueryRow(t.Context(), `select action from audit_entries order by seq desc limit 1`).Scan(&action); err != nil || action != "retention.change" {
		t.Errorf("the audit has %q, %v", action, err)
	}
}

// Who keeps logs for longer than half a year can wait longer for a partition to end.
func TestGrace(t *testing.T) {
	t.Parallel()
	for days, want := range map[int]time.Duration{90: 7 * day, 180: 7 * day, 181: 28 * day} {
		if got := (retention.Times{Bodies: 1, Logs: days}).Grace(); got != want {
			t.Errorf("%d days: %s, want %s", days, got, want)
		}
	}
}

// An erasure removes one number and what belongs to it, of one organisation or of
// all, and leaves what is on its way. Counting changes nothing.
func TestErasureOfARecipient(t *testing.T) {
	t.Parallel()
	for organisation, want := range map[int64]retention.Erased{1: {Messages: 2, Waiting: 1}, retention.Everyone: {Messages: 3, Waiting: 1}} {
		t.Run(fmt.Sprint(organisation), func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.message(1, "919812345678", "delivered", time.Hour)
			s.message(1, "919812345678", "delivered", 40*day)
			s.message(1, "919812345678", "accepted", time.Minute)
			s.message(1, "919812345679", "delivered", time.Hour)
			s.message(2, "919812345678", "delivered", time.Hour)
			e := retention.Erasure{OrganisationID: organisation, Recipient: "+91 98123 45678", Reason: "asked on paper", Actor: "test"}
			if got, err := e.Count(t.Context(), s.tx); err != nil || got != want {
				t.Errorf("counted %+v, %v; want %+v", got, err, want)
			}
			s.expect(1, "4 messages, 4 with content; 4 callbacks, 4 with content, 4 responses")
			if got, err := e.Run(t.Context(), s.tx); err != nil || got != want {
				t.Errorf("erased %+v, %v; want %+v", got, err, want)
			}
			s.expect(1, "4 messages, 2 with content; 4 callbacks, 2 with content, 2 responses")
			var left int
			var audited bool
			err := s.tx.QueryRow(t.Context(), `
				select (select count(*) from messages where recipient = '919812345678'),
				       exists (select from audit_entries where action = 'recipient.erase' and target = 'recipient:…678' and details::text not like '%91981%')`).Scan(&left, &audited)
			if err != nil || left != 4-want.Messages || !audited {
				t.Errorf("%d messages have the number, audited %v, %v", left, audited, err)
			}
		})
	}
	s := newSite(t)
	for _, e := range []retention.Erasure{{Recipient: "+919812345678"}, {Recipient: "asha", Reason: "x"}, {Recipient: "1234", Reason: "x"}, {Recipient: strings.Repeat("9", 21), Reason: "x"}, {Reason: "x"}} {
		if _, err := e.Run(context.Background(), s.tx); !fault.Is(err, fault.Invalid) {
			t.Errorf("%+v: %v", e, err)
		}
	}
	for _, number := range []string{"12345", strings.Repeat("9", 20)} { // a short code, and the longest
		if _, err := (retention.Erasure{Recipient: number, Reason: "x", Actor: "test"}).Run(t.Context(), s.tx); err != nil {
			t.Errorf("%s: %v", number, err)
		}
	}
}

// The ids that carriers give may hold a number, so that they are erased with it.
func TestErasureForgetsTheIDsOfCarriers(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.message(1, "919812345678", "delivered", time.Hour)
	s.message(1, "919812345679", "delivered", time.Hour)
	s.exec(`insert into carriages (message_id, leg, part, channel, carrier, provider_id, state) select id, 1, 1, 'messaging', 'cloud', 'wamid.' || recipient, 'delivered' from messages`)
	s.exec(`insert into carrier_ids (carrier, provider_id, message_id, leg, part) select carrier, provider_id, message_id, leg, part from carriages`)
	s.exec(`with m as (update messages set provider_id = 'wamid.own.' || recipient returning id, provider_id)
		insert into carrier_ids (carrier, provider_id, message_id, leg, part) select 'cloud', provider_id, id, 1, 1 from m`)
	for _, contact := range []string{"919812345678", "919812345679"} {
		s.exec(`with m as (insert into inbound_messages (id, organisation_id, phone_number_id, channel, recipient, contact, kind, payload)
				values (gen_random_uuid(), 1, 0, 'sms', 'ABC', $1, 'text', '{}') returning id)
			insert into upstream_messages (carrier, upstream_id, message_id) select 'cloud', 'wamid.in.' || $1, id from m`, contact)
	}
	e := retention.Erasure{OrganisationID: 1, Recipient: "+919812345678", Reason: "asked on paper", Actor: "test"}
	if _, err := e.Run(t.Context(), s.tx); err != nil {
		t.Fatal(err)
	}
	var left []string
	err := s.tx.QueryRow(t.Context(), `
		select array_agg(id order by id) from (select provider_id as id from carriages union all select provider_id from messages union all select provider_id from carrier_ids union all select upstream_id from upstream_messages) i
		where id <> ''`).Scan(&left)
	if want := []string{"wamid.919812345679", "wamid.919812345679", "wamid.in.919812345679", "wamid.own.919812345679", "wamid.own.919812345679"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left are %q, %v; want %q", left, err, want)
	}
}
