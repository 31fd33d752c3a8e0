package jobs_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"heliograph/app/channels/pipeline"
	"heliograph/app/outbound"
	"heliograph/db/models"
	"heliograph/jobs"
)

// accept accepts messages to recipients together.
func (b *bundle) accept(t *testing.T, recipients ...string) {
	t.Helper()
	group := pipeline.Group{}
	for _, to := range recipients {
		group.Messages = append(group.Messages, models.Message{
			ID: uuid.Must(uuid.NewV7()), OrganisationID: b.number.OrganisationID, Channel: "messaging", Sender: strconv.FormatInt(b.number.ID, 10),
			Recipient: to, Kind: "text", Payload: []byte(`{}`), Category: "service", CreatedAt: time.Now(),
		})
	}
	if _, err := pipeline.NewAcceptor(b.pool, nil).Accept(t.Context(), group); err != nil {
		t.Fatal(err)
	}
}

// busy is a carrier that refuses one recipient for now, and keeps another waiting
// until the test ends it.
type busy struct {
	*outbound.Virtual
	mu       sync.Mutex
	attempts []int
	release  chan struct{}
}

func (b *busy) Send(ctx context.Context, m outbound.Message) (outbound.Receipt, error) {
	switch m.Recipient {
	case "919812340777":
		b.mu.Lock()
		b.attempts = append(b.attempts, m.Attempt)
		first := len(b.attempts) == 1
		b.mu.Unlock()
		if first {
			return outbound.Receipt{}, &outbound.CarrierError{Code: 4, Title: "Queue is full", Temporary: true}
		}
	case "919812340888":
		<-b.release
	}
	return b.Virtual.Send(ctx, m)
}

// Messages that were accepted together share a job. One that its carrier puts off
// goes on by itself, and one with a slow carrier keeps no other waiting.
func TestMessagesAreCarriedTogether(t *testing.T) {
	t.Parallel()
	carrier := &busy{Virtual: outbound.NewVirtual(nil), release: make(chan struct{})}
	b := prepare(t, func(d *jobs.Deps) { d.Carrier = carrier })
	recipients := []string{"919812340777", "919812340888", "919812340001"}
	for i := range 22 {
		recipients = append(recipients, fmt.Sprint(919812341000+i))
	}
	b.accept(t, recipients...)
	text := func(query string) (text string) {
		t.Helper()
		if err := b.pool.QueryRow(t.Context(), query).Scan(&text); err != nil {
			t.Fatal(err)
		}
		return text
	}
	if got := text(`select string_agg(kind || jsonb_array_length(args->'message_ids'), ' ' order by id) from river.river_job`); got != "carry_messages20 carry_messages5" {
		t.Fatalf("the jobs are %q, want one of 20 and one of 5", got)
	}
	b.work(t, slog.New(slog.DiscardHandler))
	await := func(what, query, want string) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); text(query) != want; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: %s, want %s", what, text(query), want)
			}
		}
	}
	await("beside a slow one", `select count(*)::text from messages where state in ('read', 'failed', 'delivered', 'sent')`, "23")
	close(carrier.release)
	b.hasten(t, func() bool {
		return text(`select count(*)::text from messages where state = 'accepted'`) == "0"
	})
	if !slices.Equal(carrier.attempts, []int{1, 2}) {
		t.Errorf("the message that was put off was tried as %v, want 1 and 2", carrier.attempts)
	}
	if got := text(`select count(*)::text from river.river_job where kind like 'carry%' and state <> 'completed'`); got != "0" {
		t.Errorf("%s jobs are left", got)
	}
	if got := text(`select coalesce(string_agg(failure->>'code', ' '), '') from messages where state = 'failed'`); got != "131026" {
		t.Errorf("failures are %q", got)
	}
}

// What the virtual carrier reports of messages that go the same way shares jobs too.
func TestMessagesAreReportedTogether(t *testing.T) {
	t.Parallel()
	b := prepare(t, func(d *jobs.Deps) { d.Carrier = outbound.NewVirtual(nil) })
	recipients := []string{"919812340003", "919812340004"} // sent, and sent and delivered
	for i := range 23 {
		recipients = append(recipients, fmt.Sprint(919812341000+i))
	}
	b.accept(t, recipients...)
	b.work(t, slog.New(slog.DiscardHandler))
	count := func(query string) (n int) {
		t.Helper()
		if err := b.pool.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for deadline := time.Now().Add(20 * time.Second); count(`select count(*) from messages where state = 'read'`) < 23; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the messages were not read in time")
		}
	}
	if n := count(`select count(*) from messages where right(recipient, 4) || state in ('0003sent', '0004delivered')`); n != 2 {
		t.Errorf("%d of two messages ended before the others", n)
	}
	alone, together := count(`select count(*) from river.river_job where kind = 'report_message'`), count(`select count(*) from river.river_job where kind = 'report_messages'`)
	reported := count(`select coalesce(sum(jsonb_array_length(args->'message_ids')), 0)::int from river.river_job where kind = 'report_messages'`)
	if together == 0 || alone+reported != 24+23 {
		t.Errorf("%d jobs report one message and %d report %d, want 47 steps", alone, together, reported)
	}
}

// No message goes to a recipient who must not be contacted. One who wrote STOP
// still gets the codes that he asks for.
func TestSuppressedRecipientsGetNothing(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	var mu sync.Mutex
	b := prepare(t, func(d *jobs.Deps) {
		d.Carrier = outbound.NewVirtual(writer(func(p []byte) { mu.Lock(); log.Write(p); mu.Unlock() }))
	})
	if _, err := b.pool.Exec(t.Context(), `
		insert into suppressions (organisation_id, recipient, channel, reason, actor) values
		($1, '919812342001', '', 'list', 'x'), (0, '919812342002', '', 'list', 'x'), ($1, '919812342003', 'messaging', 'stop', 'x'),
		($1, '919812342004', 'sms', 'list', 'x'), ($1 + 1, '919812342004', '', 'list', 'x')`, b.number.OrganisationID); err != nil {
		t.Fatal(err)
	}
	b.accept(t, "919812342001", "919812342002", "919812342003", "919812342004")
	if _, err := b.pool.Exec(t.Context(), `
		with m as (
			insert into messages (id, organisation_id, channel, sender, recipient, kind, payload, category)
			select gen_random_uuid(), $1, 'messaging', $2, '919812342003', 'template', '{}', 'authentication' returning id
		) insert into river.river_job (args, kind, queue, max_attempts) select jsonb_build_object('message_id', id), 'carry_message', 'send', 25 from m`,
		b.number.OrganisationID, strconv.FormatInt(b.number.ID, 10)); err != nil {
		t.Fatal(err)
	}
	b.work(t, slog.New(slog.DiscardHandler))
	var got string
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		var left int
		err := b.pool.QueryRow(t.Context(), `
			select count(*) filter (where state in ('accepted', 'sent', 'delivered')), string_agg(right(recipient, 1) || state || coalesce(failure->>'code', ''), ' ' order by recipient, category desc)
			from messages`).Scan(&left, &got)
		if err != nil {
			t.Fatal(err)
		}
		if left == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the messages are %s", got)
		}
	}
	if got != "1failed131050 2failed131050 3failed131050 3read 4read" {
		t.Errorf("the messages are %s", got)
	}
	mu.Lock()
	defer mu.Unlock()
	if n := strings.Count(log.String(), "\n"); n != 2 {
		t.Errorf("%d messages were handed over, want 2", n)
	}
}

type writer func(p []byte)

func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }
