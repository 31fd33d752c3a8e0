package jobs

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/operation/setting"
	"heliograph/db"
	"heliograph/db/dbtest"
)

const (
	day  = 24 * time.Hour
	hash = `decode(lpad(to_hex($1::int), 64, '0'), 'hex')`
)

// outlived are the kinds of rows that housekeeping deletes.
var outlived = []struct {
	what   string
	insert string        // $1 is 1 or 2, $2 the age
	age    time.Duration // that is kept
	count  string
}{
	{
		"links of administrators", `insert into admin_links (hash, admin_user_id, purpose, created_at, expires_at)
			select ` + hash + `, id, 'reset', now() - '30 days'::interval, now() - $2::interval from admin_users`,
		7 * day, `select count(*) from admin_links`,
	},
	{
		"links of users", `insert into user_links (hash, user_id, created_at, expires_at)
			select ` + hash + `, id, now() - '30 days'::interval, now() - $2::interval from organisation_users`,
		7 * day, `select count(*) from user_links`,
	},
	{
		"feedback of readers", `insert into feedback (page, helpful, reader, created_at) values ('/productguide/sms/error-codes', true, ` + hash + `, now() - $2::interval)`,
		365 * day, `select count(*) from feedback`,
	},
	{
		"catalogue batches", `insert into catalogue_batches (handle, catalogue_id, errors, created_at) values ('handle-of-the-batch-' || $1::int, 1000000000000004, '[]', now() - $2::interval)`,
		7 * day, `select count(*) from catalogue_batches`,
	},
	{
		"replies to keys", `insert into idempotency_keys (organisation_id, key, route, fingerprint, status, response, created_at) values (1, $1::int::text, '', ` + hash + `, 200, '', now() - $2::interval)`,
		72 * time.Hour, `select count(*) from idempotency_keys`,
	},
	{
		"challenges", `insert into otp_challenges (id, purpose, created_at, expires_at) select gen_random_uuid(), 'recovery', now() - '9 days'::interval, now() - $2::interval where $1::int > 0`,
		day, `select count(*) from otp_challenges`,
	},
	{
		"ids of carriers", `insert into carrier_ids (carrier, provider_id, message_id, leg, part, created_at) values ('upstream', $1::int::text, gen_random_uuid(), 1, 1, now() - $2::interval)`,
		8 * day, `select count(*) from carrier_ids`,
	},
	{
		"ids of carriers of kind graph", `with c as (insert into carriers (name, kind) values ('graph-1', 'graph') on conflict do nothing)
			insert into carrier_ids (carrier, provider_id, message_id, leg, part, created_at) values ('graph-1', $1::int::text, gen_random_uuid(), 1, 1, now() - $2::interval)`,
		31 * day, `select count(*) from carrier_ids where carrier = 'graph-1'`,
	},
	{
		"ids of received messages", `insert into upstream_messages (carrier, upstream_id, message_id, received_at) values ('upstream', $1::int::text, gen_random_uuid(), now() - $2::interval)`,
		31 * day, `select count(*) from upstream_messages`,
	},
	{
		"ids of uploaded files", `insert into upstream_media (carrier, media_id, upstream_id, uploaded_at) values ('upstream', $1::int, '1', now() - $2::interval)`,
		30 * day, `select count(*) from upstream_media`,
	},
	{
		"posts that cannot be read", `insert into upstream_posts (carrier, body, received_at) select 'upstream', '{}', now() - $2::interval where $1::int > 0`,
		7 * day, `select count(*) from upstream_posts`,
	},
	{
		"minutes of carriers", `insert into carrier_minutes (carrier, minute) values ('upstream' || $1::int, now() - $2::interval)`,
		2 * day, `select count(*) from carrier_minutes`,
	},
	{"limits", `insert into rate_limits values ($1::int::text, now() - $2::interval)`, day, `select count(*) from rate_limits`},
	{
		"sessions that expired", `insert into sessions (id_hash, surface, admin_user_id, session_version, expires_at) select ` + hash + `, 'admin', id, 1, now() - $2::interval from admin_users`,
		7 * day, `select count(*) from sessions where surface = 'admin'`,
	},
	{
		"sessions that were ended", `insert into sessions (id_hash, surface, organisation_user_id, session_version, expires_at, revoked_at)
			select ` + `decode(lpad(to_hex($1::int + 8), 64, '0'), 'hex')` + `, 'account', id, 1, now() + '1 day'::interval, now() - $2::interval from organisation_users`,
		7 * day, `select count(*) from sessions where surface = 'account'`,
	},
	{
		"invitations", `insert into invitations (organisation_id, email, role, token_hash, expires_at) select id, 'i' || $1::int || '@example.com', 'viewer', ` + hash + `, now() - $2::interval from organisations`,
		30 * day, `select count(*) from invitations`,
	},
	{
		"preview links", `with i as (insert into items (kind, slug) values ('product', 'p' || $1::int) returning id)
			insert into preview_links (item_id, token_hash, created_by, expires_at) select i.id, ` + hash + `, u.id, now() - $2::interval from i, admin_users u`,
		30 * day, `select count(*) from preview_links`,
	},
	{"blocks of numbers", `insert into otp_blocks (prefix, sent, verified, until) values ('+91981' || $1::int, 9, 0, now() - $2::interval)`, day, `select count(*) from otp_blocks`},
	{
		"codes of organisations", `insert into sms_otps (id, organisation_id, phone, header, message, digits, life_seconds, hash, expires_at)
			select 'otp_' || repeat(chr(64 + $1::int), 26), id, '+91981234567' || $1::int, 'LOGINS', '{otp}', 6, 600, sha256(''), now() - $2::interval from organisations`,
		day, `select count(*) from sms_otps`,
	},
	{
		"blocks of numbers of organisations",
		`insert into sms_otp_blocks (organisation_id, prefix, sent, verified, until) select id, '+91981' || $1::int, 9, 0, now() - $2::interval from organisations`,
		day, `select count(*) from sms_otp_blocks`,
	},
	{
		"records of messages", `insert into notifications (id, kind, purpose, recipient, state, created_at, expires_at, finished_at)
			select gen_random_uuid(), 'email', 'old', 'a@example.com', 'sent', now() - $2::interval, now(), now() where $1::int > 0`,
		30 * day, `select count(*) from notifications where purpose = 'old'`,
	},
	{
		"what messages say", `insert into notifications (id, kind, purpose, recipient, state, body, created_at, expires_at, finished_at)
			select gen_random_uuid(), 'email', 'readable', 'a@example.com', 'sent', 'x', now() - $2::interval, now(), now() where $1::int > 0`,
		day, `select count(*) from notifications where purpose = 'readable' and body is not null`,
	},
}

// newSettings returns the settings as nobody has changed them.
func newSettings(pool *pgxpool.Pool) *setting.Settings {
	return setting.New(setting.Options{DB: pool, Listener: db.NewListener(nil)})
}

// Of each kind of row one has outlived its time by a minute and one has not.
func TestHousekeepKeepsWhatIsStillOfUse(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	exec := func(sql string, values ...any) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), sql, values...); err != nil {
			t.Fatal(err)
		}
	}
	exec(`insert into organisations (name, status) values ('Sandbox', 'active')`)
	exec(`insert into admin_users (email, name, password_hash, role, active) values ('a@example.com', 'A', '', 'viewer', true)`)
	exec(`insert into organisation_users (organisation_id, email, password_hash, role, active) select id, 'u@example.com', '', 'owner', true from organisations`)
	exec(`with r as (insert into registry (id, kind, organisation_id) select n, k, id from organisations, (values (1000000000000001, 'business'), (1000000000000004, 'catalogue')) v (n, k) returning 1)
		select count(*) from r`)
	exec(`insert into businesses (id, organisation_id, name) select 1000000000000001, id, 'Sandbox' from organisations`)
	exec(`insert into catalogues (id, organisation_id, business_id, name) select 1000000000000004, id, 1000000000000001, 'Sandbox' from organisations`)

	for _, c := range outlived {
		exec(c.insert, 1, c.age+time.Minute)
		exec(c.insert, 2, c.age-time.Minute)
		if err := housekeep(t.Context(), Deps{Pool: pool, Settings: newSettings(pool)}); err != nil {
			t.Fatal(err)
		}
		var left int
		if err := pool.QueryRow(t.Context(), c.count).Scan(&left); err != nil || left != 1 {
			t.Errorf("%s: %d are left, %v; want the one that is younger than %s", c.what, left, err, c.age)
		}
	}
}

// Registrations without a code are kept for good unless a time is set.
func TestHousekeepForgetsRegistrationsWhenAsked(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	if _, err := pool.Exec(t.Context(), `
		with o as (insert into organisations (name, status, verified_at, updated_at) values
			('Old', 'inactive', null, now() - '8 days'::interval), ('New', 'inactive', null, now() - '6 days'::interval),
			('Live', 'active', now(), now() - '8 days'::interval), ('Left', 'inactive', now(), now() - '8 days'::interval) returning id, name)
		insert into organisation_users (organisation_id, email, password_hash, role, active)
		select id, lower(name) || '@example.com', '', 'owner', false from o`); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		keep time.Duration
		want string
	}{{0, "Left Live New Old"}, {7 * 24 * time.Hour, "Left Live New"}} {
		if err := housekeep(t.Context(), Deps{Pool: pool, Settings: newSettings(pool), KeepUnverified: step.keep}); err != nil {
			t.Fatal(err)
		}
		var left string
		if err := pool.QueryRow(t.Context(), `select string_agg(name, ' ' order by name) from organisations`).Scan(&left); err != nil || left != step.want {
			t.Errorf("kept for %s: %s are left, %v; want %s", step.keep, left, err, step.want)
		}
	}
}

// A task that fails is named, and stops none of the others. Each has a name of its own,
// and the job has time for all of them to be slow.
func TestHousekeepRunsEachTaskOnItsOwn(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	for _, sql := range []string{`insert into rate_limits values ('old', now() - '2 days'::interval)`, `alter table user_links rename to gone`} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	deps := Deps{Pool: pool, Settings: newSettings(pool)}
	if err := housekeep(t.Context(), deps); err == nil || !strings.HasPrefix(err.Error(), "deleting links of users: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("err = %v, want the one task that failed by its name", err)
	}
	var left int
	if err := pool.QueryRow(t.Context(), `select count(*) from rate_limits`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d old limits are left, %v; want the later tasks done", left, err)
	}
	names := map[string]bool{}
	for _, task := range tasks(deps) {
		if names[task.What] {
			t.Errorf("two tasks are called %q", task.What)
		}
		names[task.What] = true
	}
	if len(names) < 30 {
		t.Errorf("there are only %d tasks", len(names))
	}
	if worst := time.Duration(len(names)) * taskTime; worst >= housekeepTime {
		t.Errorf("%d slow tasks take %s, longer than the %s of the job", len(names), worst, housekeepTime)
	}
}
