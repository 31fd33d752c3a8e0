package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/db/dbtest"
	"heliograph/db/models"
)

// newGroup returns a group of n messages of an organisation.
func newGroup(organisation int64, n int, key, body string) Group {
	g := Group{Key: Key{OrganisationID: organisation, Route: "batch", Body: []byte(body), Value: key}, Reply: fmt.Appendf(nil, "reply to %s", body)}
	for range n {
		g.Messages = append(g.Messages, newMessage(organisation))
	}
	return g
}

func addOrganisation(t *testing.T, pool *pgxpool.Pool, sandbox bool) (id int64) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), `insert into organisations (name, status, sandbox) values ('Lighthouse', 'active', $1) returning id`, sandbox).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func count(t *testing.T, pool *pgxpool.Pool, query string, args ...any) (n int) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A group is stored once under its key, however large and however often it is
// sent at the same time.
func TestGroupIsAcceptedOnceAndWhole(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	organisation := addOrganisation(t, pool, true)
	a := NewAcceptor(pool, nil)
	for _, size := range []int{1, 2, maxShared, maxShared + 1, maxGroup} {
		key := fmt.Sprint("key-", size)
		var replayed, failed int
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				reply, err := a.Accept(context.WithoutCancel(t.Context()), newGroup(organisation, size, key, "lamps"))
				mu.Lock()
				defer mu.Unlock()
				if err != nil || string(reply.Body) != "reply to lamps" {
					failed++
					t.Errorf("%d messages: %q, %v", size, reply.Body, err)
				}
				if reply.Replayed {
					replayed++
				}
			})
		}
		wg.Wait()
		if replayed != 3 {
			t.Errorf("%d messages: %d of four replies are marked as repeated, want 3", size, replayed)
		}
		if _, err := a.Accept(t.Context(), newGroup(organisation, size, key, "wicks")); !errors.Is(err, errKeyReused) {
			t.Errorf("%d messages: another request with the key gives %v, want the error of its key", size, err)
		}
		if n := count(t, pool, `select count(*) from messages`); n != size {
			t.Errorf("%d messages are stored, want %d", n, size)
		}
		carried := count(t, pool, `select sum(coalesce(jsonb_array_length(args->'message_ids'), 1)) from river.river_job where kind like 'carry_message%' and state = 'available'`)
		if jobs := count(t, pool, `select count(*) from river.river_job`); jobs != (size+19)/20 || carried != size {
			t.Errorf("%d jobs for %d messages are stored, want one for each 20 of %d", jobs, carried, size)
		}
		if _, err := pool.Exec(t.Context(), `delete from river.river_job`); err != nil {
			t.Fatal(err)
		}
		if _, err := pool.Exec(t.Context(), `delete from messages`); err != nil {
			t.Fatal(err)
		}
	}
}

func TestGroupOfAWrongSizeIsRefused(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	for _, size := range []int{0, maxGroup + 1} {
		if _, err := NewAcceptor(pool, nil).Accept(t.Context(), newGroup(1, size, "", "")); err == nil {
			t.Errorf("%d messages are accepted", size)
		}
	}
	for _, key := range []string{strings.Repeat("k", maxKey+1), "\xff"} {
		var wrong *KeyError
		if _, err := NewAcceptor(pool, nil).Accept(t.Context(), newGroup(1, 1, key, "")); !errors.As(err, &wrong) {
			t.Errorf("key %q gives %v, want the error of its key", key, err)
		}
	}
	if n := count(t, pool, `select count(*) from messages`); n != 0 {
		t.Errorf("%d messages of refused groups are stored", n)
	}
}

// The job of a scheduled message is due at its time, and so is its life.
func TestScheduledMessageIsDueLater(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	organisation := addOrganisation(t, pool, true)
	g := newGroup(organisation, 2, "", "")
	at := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	g.Messages[1].ScheduledAt = &at
	if _, err := NewAcceptor(pool, nil).Accept(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	var states []string
	err := pool.QueryRow(t.Context(), `
		select array_agg(j.state::text || ' ' || (j.scheduled_at = coalesce(m.scheduled_at, j.created_at)) || ' ' || (m.scheduled_at is not null) order by m.scheduled_at nulls first)
		from river.river_job j join messages m on m.id = (j.args->>'message_id')::uuid`).Scan(&states)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(states, ", "), "available true false, scheduled true true"; got != want {
		t.Errorf("jobs are %s, want %s", got, want)
	}
	c := &Channel{Life: time.Minute}
	for _, tt := range []struct {
		m    models.Message
		want time.Duration
	}{
		{models.Message{CreatedAt: at}, time.Minute},
		{models.Message{CreatedAt: at, TTL: 5}, 5 * time.Second},
		{models.Message{CreatedAt: at.Add(-time.Hour), TTL: 5, ScheduledAt: &at}, 5 * time.Second},
	} {
		if expiry, life := c.Expiry(tt.m); !expiry.Equal(at.Add(tt.want)) || life != tt.want {
			t.Errorf("%+v expires at %v after %v, want %v after it is due", tt.m, expiry, life, tt.want)
		}
	}
}

// Old code stores the number of a sender alone; both are read alike.
func TestSenderIsReadFromEitherColumn(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	organisation := addOrganisation(t, pool, true)
	old := uuid.Must(uuid.NewV7())
	_, err := pool.Exec(t.Context(), `
		insert into messages (id, organisation_id, channel, sender_id, recipient, kind, payload) values ($1, $2, 'messaging', 1234, '919812345678', 'text', '{}')`, old, organisation)
	if err != nil {
		t.Fatal(err)
	}
	g := newGroup(organisation, 2, "", "")
	g.Messages[0].Sender = "5678"
	g.Messages[1].Channel, g.Messages[1].Sender = "sms", "HELIOG"
	if _, err := NewAcceptor(pool, nil).Accept(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[uuid.UUID]string{old: "1234 1234", g.Messages[0].ID: "5678 5678", g.Messages[1].ID: "HELIOG 0"} {
		var got string
		if err := pool.QueryRow(t.Context(), `select coalesce(sender, sender_id::text) || ' ' || sender_id from messages where id = $1`, id).Scan(&got); err != nil || got != want {
			t.Errorf("sender and number are %q, %v; want %q", got, err, want)
		}
	}
}
