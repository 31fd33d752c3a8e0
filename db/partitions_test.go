package db_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db"
	"heliograph/db/dbtest"
)

// beforePartitions is the version of the schema before its tables were partitioned.
const beforePartitions = 221

// fill puts rows of the version before into every table that is partitioned.
const fill = `
	insert into organisations (id, name, status) overriding system value values (1, 'First', 'active');
	insert into webhooks (id, organisation_id, channel, subject, url, headers) overriding system value values (1, 1, 'sms', '1', 'https://example.com', 'x');
	insert into messages (id, organisation_id, channel, sender, recipient, kind, payload, state, created_at)
		select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(at::text), 1, 19))::uuid, 1, 'sms', '1', '919812345678', 'text', '{}', 'failed', at
		from generate_series(now() - interval '200 days', now(), interval '30 minutes') at;
	insert into message_events (message_id, state, occurred_at) select id, 'failed', created_at from messages;
	insert into leg_events (message_id, leg, state, occurred_at) select id, 2, 'sent', created_at from messages;
	insert into carriages (message_id, leg, part, channel, carrier, state) select id, 1, 1, 'sms', 'virtual', 'failed' from messages;
	insert into inbound_messages (id, organisation_id, channel, contact, kind, payload) select id, 1, 'sms', '919812345678', 'text', '{}' from messages;
	insert into deliveries (webhook_id, organisation_id, message_id, event, body, state, created_at) select 1, 1, id, 'x', 'x', 'delivered', created_at from messages order by id;
	insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url) select id, 1, created_at, 1, 'https://example.com' from deliveries`

const countAll = `
	select concat_ws(' ', (select count(*) from messages), (select count(*) from message_events where organisation_id = 1), (select count(*) from leg_events),
		(select count(*) from carriages), (select count(*) from inbound_messages), (select count(*) from deliveries), (select count(*) from delivery_attempts))`

// sendOnce does what the version before did for a message, with its statements.
func sendOnce(ctx context.Context, pool *pgxpool.Pool) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	for range 2 { // what comes twice is stored once
		_, err = pool.Exec(ctx, `
			with given as (select $1::uuid as id where not exists (select from messages where id = $1)), stored as (
				insert into messages (id, organisation_id, channel, sender, recipient, kind, payload) select id, 1, 'sms', '1', '919812345678', 'text', '{}' from given returning id
			)
			select array(select id from stored)`, id)
		if err != nil {
			return fmt.Errorf("accepting: %w", err)
		}
		_, err = pool.Exec(ctx, `
			with m as (update messages m set state = s.state from unnest($1::uuid[], $2::text[]) as s (id, state) where m.id = s.id returning m.id, m.state)
			insert into message_events (message_id, state, occurred_at) select id, state, now() from m on conflict do nothing`, []uuid.UUID{id}, []string{"failed"})
		if err != nil {
			return fmt.Errorf("moving: %w", err)
		}
		_, err = pool.Exec(ctx, `
			insert into carriages as c (message_id, leg, part, channel, carrier, state) values ($1, 1, 1, 'sms', 'virtual', 'dialling')
			on conflict (message_id, leg, part) do update set attempts = c.attempts + 1 where c.state = 'waiting'`, id)
		if err != nil {
			return fmt.Errorf("carrying: %w", err)
		}
	}
	for _, sql := range []string{
		`insert into leg_events (message_id, leg, state, occurred_at) values ($1, 2, 'sent', now()) on conflict do nothing`,
		`insert into inbound_messages (id, organisation_id, channel, contact, kind, payload) values ($1, 1, 'sms', '919812345678', 'text', '{}')`,
		`with d as (
			insert into deliveries (webhook_id, organisation_id, message_id, event, body) select w.id, w.organisation_id, $1, 'x', 'x' from webhooks w returning id
		)
		select id from d`,
	} {
		if _, err := pool.Exec(ctx, sql, id); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		var number int64
		if err := tx.QueryRow(ctx, `select id from deliveries where message_id = $1 for update`, id).Scan(&number); err != nil {
			return fmt.Errorf("reading the callback: %w", err)
		}
		_, err := tx.Exec(ctx, `
			with stored as (insert into delivery_attempts (delivery_id, number, started_at, latency_ms, url) values ($1, 1, now(), 1, 'x') on conflict do nothing)
			update deliveries set state = 'delivered', attempts = attempts + 1 where id = $1`, number)
		return err
	})
}

// Tables that are full and in use are partitioned where they are. The version before
// goes on meanwhile and afterwards, and finds what it stored.
func TestTablesInUseArePartitioned(t *testing.T) {
	t.Parallel()
	pool := open(t, dbtest.Empty(t))
	if err := db.MigrateTo(t.Context(), pool, beforePartitions); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), fill); err != nil {
		t.Fatal(err)
	}
	const rows = 9601
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var sending sync.WaitGroup
	sent := make([]int, 3)
	for i := range sent {
		sending.Go(func() {
			for ; ctx.Err() == nil; sent[i]++ {
				if err := sendOnce(context.Background(), pool); err != nil {
					t.Errorf("after %d messages: %v", sent[i], err)
					return
				}
			}
		})
	}
	migrating := open(t, pool.Config().ConnString())
	for range 2 { // the second finds nothing to do
		if err := db.Migrate(t.Context(), migrating); err != nil {
			t.Fatal(err)
		}
	}
	if err := sendOnce(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	stop()
	sending.Wait()
	n := rows + sent[0] + sent[1] + sent[2] + 1
	want := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%d ", n), 7), " ")
	check := func(name, want string) {
		t.Helper()
		var got string
		if err := pool.QueryRow(t.Context(), countAll).Scan(&got); err != nil || got != want {
			t.Errorf("%s there are %s rows, want %s, %v", name, got, want, err)
		}
	}
	check("after the migration", want)
	var kinds, names, bare string
	err := pool.QueryRow(t.Context(), `
		select (select string_agg(relkind::text, '') from pg_class where relname = any($1)),
		       (select count(*) from pg_class where relname in ('messages_by_time', 'deliveries_waiting', 'message_events_failed', 'messages_pkey') and relkind = 'I')::text,
		       (select count(*) from pg_constraint where conname = 'closing' or conrelid = any($1::regclass[]) and not convalidated)::text`,
		[]string{"messages", "message_events", "leg_events", "carriages", "inbound_messages", "deliveries", "delivery_attempts"}).Scan(&kinds, &names, &bare)
	if err != nil || kinds != "ppppppp" || names != "4" || bare != "0" {
		t.Errorf("the tables are %q, %s of 4 indexes have their names, %s checks are not valid, %v", kinds, names, bare, err)
	}
	// Retention of the version before, which counts on foreign keys.
	for _, sql := range []string{
		`delete from messages where id in (select id from messages m where organisation_id = 1 and created_at < now() - interval '90 days' order by created_at limit 2000)`,
		`delete from deliveries where id in (select id from deliveries where organisation_id = 1 and created_at < now() - interval '90 days' and state <> 'pending' order by created_at limit 1000)`,
	} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	check("after the retention", fmt.Sprintf("%d %[1]d %[1]d %[1]d %d %d %[3]d", n-2000, n, n-1000))
	if sent[0] == 0 || sent[1] == 0 || sent[2] == 0 {
		t.Errorf("%v messages were sent meanwhile", sent)
	}
}
