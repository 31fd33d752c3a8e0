package messaging_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/jobs/args"
	"heliograph/storage"
	"heliograph/storage/storagetest"
)

// bundle is a running service with one sandbox organisation.
type bundle struct {
	pool    *pgxpool.Pool
	options messaging.Options
	service *messaging.Service
	jobs    *river.Client[pgx.Tx]
	sandbox assets.Sandbox
	number  models.PhoneNumber
}

// openGuard lets every webhook through: what it refuses is tested with the
// client that refuses it.
type openGuard struct{}

func (openGuard) CheckWebhook(context.Context, string, map[string]string) error { return nil }

func (openGuard) Challenge(context.Context, string, string, map[string]string, string) error {
	return nil
}

func setup(t *testing.T) *bundle {
	t.Helper()
	return setupWith(t, storagetest.Folder(t))
}

func setupWith(t *testing.T, store storage.Store) *bundle {
	t.Helper()
	pool := dbtest.Pool(t)
	ctx := t.Context()
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: db.RiverSchema, MaxAttempts: args.Forever})
	if err != nil {
		t.Fatal(err)
	}
	listener := db.NewListener(pool)
	b := &bundle{pool: pool, jobs: client}
	b.options = messaging.Options{
		Pool: pool, Listener: listener, Keyring: keys, Jobs: client, Store: store, Guard: openGuard{}, Words: []string{"msgapp", "whatsapp"},
	}
	b.service = messaging.New(b.options)
	dbtest.Listen(t, listener)
	b.sandbox = b.provision(t, keys, "Sandbox")
	b.number, err = b.service.Numbers.Number(ctx, b.organisation(t, "Sandbox"), fmt.Sprint(b.sandbox.PhoneNumberID))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bundle) provision(t *testing.T, keys *keyring.Keyring, name string) (s assets.Sandbox) {
	t.Helper()
	err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
		var id int64
		if err := tx.QueryRow(t.Context(), `insert into organisations (name, status, sandbox) values ($1, 'active', true) returning id`, name).Scan(&id); err != nil {
			return err
		}
		var err error
		s, err = messaging.Provision(t.Context(), tx, keys, id, name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (b *bundle) organisation(t *testing.T, name string) (id int64) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), `select id from organisations where name = $1`, name).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func (b *bundle) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), sql, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

const hello = `{"messaging_product":"msgapp","to":"+91 98123-45678","type":"template","template":{"name":"hello_world","language":{"code":"en_US"}}}`

func TestSendIsDurableBeforeItsReply(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(hello), "")
	if err != nil {
		t.Fatal(err)
	}
	var got messaging.SendReply
	if err := json.Unmarshal(reply.Body, &got); err != nil {
		t.Fatal(err)
	}
	if got.MessagingProduct != "msgapp" || got.Contacts[0].Input != "+91 98123-45678" || got.Contacts[0].WaID != "919812345678" || got.Messages[0].MessageStatus != "accepted" {
		t.Errorf("reply = %s", reply.Body)
	}
	id, ok := messaging.ParseMessageID(got.Messages[0].ID)
	if !ok {
		t.Fatalf("message id %q is not one of ours", got.Messages[0].ID)
	}
	if n := b.count(t, `select count(*) from messages where id = $1 and state = 'accepted' and recipient = '919812345678'`, id); n != 1 {
		t.Errorf("%d message rows, want 1", n)
	}
	if n := b.count(t, `select count(*) from river.river_job where kind = 'carry_message' and args->>'message_id' = $1`, id.String()); n != 1 {
		t.Errorf("%d jobs, want 1", n)
	}
}

func TestIdempotencyKeyGivesOneMessage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const callers = 200
	bodies := make([]string, callers)
	replayed := make([]bool, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(hello), "order-7")
			if err != nil {
				t.Error(err)
			}
			bodies[i], replayed[i] = string(reply.Body), reply.Replayed
		})
	}
	wg.Wait()
	fresh := 0
	for i := range callers {
		if bodies[i] != bodies[0] {
			t.Fatalf("two replies to one key: %s and %s", bodies[0], bodies[i])
		}
		if !replayed[i] {
			fresh++
		}
	}
	if fresh != 1 {
		t.Errorf("%d replies say that they are the first, want 1", fresh)
	}
	if n := b.count(t, `select count(*) from messages`); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	other := strings.Replace(hello, "98123", "98124", 1)
	if _, err := b.service.Sender.Send(t.Context(), b.number, []byte(other), "order-7"); fault.As(err) == nil || fault.As(err).Code != "100" {
		t.Errorf("the key with another body: %v, want code 100", err)
	}
	for _, key := range []string{"\xff\xfe", strings.Repeat("k", 256)} {
		if _, err := b.service.Sender.Send(t.Context(), b.number, []byte(hello), key); fault.As(err) == nil || fault.As(err).Code != "100" {
			t.Errorf("the key %.4q of %d bytes: %v, want code 100", key, len(key), err)
		}
	}
	if _, err := b.service.Sender.Send(t.Context(), b.number, []byte(hello), strings.Repeat("k", 256)); !fault.Is(err, fault.Invalid) {
		t.Errorf("a key of 256 characters: %v, want Invalid", err)
	}
}

func TestNumberKeepsTenantsApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := fmt.Sprint(b.sandbox.PhoneNumberID)
	for _, tt := range []struct {
		organisation int64
		id           string
		kind         fault.Kind
	}{
		{b.number.OrganisationID + 1, id, fault.Forbidden},
		{b.number.OrganisationID, "1234567890123456", fault.NotFound},
		{b.number.OrganisationID, "0" + id[1:], fault.NotFound},
		{b.number.OrganisationID, "x' or 1=1", fault.NotFound},
		{b.number.OrganisationID, strings.Repeat("9", 40), fault.NotFound},
	} {
		if _, err := b.service.Numbers.Number(t.Context(), tt.organisation, tt.id); !fault.Is(err, tt.kind) {
			t.Errorf("Number(%d, %s) = %v, want kind %d", tt.organisation, tt.id, err, tt.kind)
		}
	}
}

func TestReportsMoveForwardOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{URL: "https://example.com/hook"}, "test"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ reports, moved, final string }{
		{"sent delivered read", "sent delivered read", "read"},
		{"sent sent delivered delivered", "sent delivered", "delivered"},
		{"sent read delivered", "sent read", "read"},
		{"read sent failed", "read", "read"},
		{"failed sent delivered", "failed", "failed"},
		{"sent delivered failed", "sent delivered", "delivered"},
	} {
		reply, err := b.service.Sender.Send(t.Context(), b.number, []byte(hello), "")
		if err != nil {
			t.Fatal(err)
		}
		var sent messaging.SendReply
		if err := json.Unmarshal(reply.Body, &sent); err != nil {
			t.Fatal(err)
		}
		id, _ := messaging.ParseMessageID(sent.Messages[0].ID)
		var moved []string
		for _, state := range strings.Fields(tt.reports) {
			err := db.InTx(t.Context(), b.pool, func(tx pgx.Tx) error {
				done, err := channels.Report(t.Context(), tx, b.jobs, pipeline.Step{MessageID: id, State: state, At: time.Now()})
				if len(done) == 1 {
					moved = append(moved, state)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := strings.Join(moved, " "); got != tt.moved {
			t.Errorf("%s: moved %s, want %s", tt.reports, got, tt.moved)
		}
		if n := b.count(t, `select count(*) from messages where id = $1 and state = $2`, id, tt.final); n != 1 {
			t.Errorf("%s: did not end as %s", tt.reports, tt.final)
		}
		if n, want := b.count(t, `select count(*) from deliveries where message_id = $1`, id), len(moved); n != want {
			t.Errorf("%s: %d callbacks, want %d", tt.reports, n, want)
		}
	}
}

func TestWebhookIsSealedAndCleared(t *testing.T) {
	t.Parallel()
	b := setup(t)
	set := messaging.Webhook{URL: "https://example.com/hook", Headers: map[string]string{"X-Secret": "planted-canary"}}
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, set, "test"); err != nil {
		t.Fatal(err)
	}
	got, err := b.service.Webhooks.Webhook(t.Context(), b.number)
	if err != nil || got.URL != set.URL || got.Headers["X-Secret"] != "planted-canary" {
		t.Errorf("Webhook = %+v, %v", got, err)
	}
	if n := b.count(t, `select count(*) from webhooks where encode(headers, 'escape') like '%canary%'`); n != 0 {
		t.Error("headers are stored in clear")
	}
	if err := b.service.Webhooks.SetWebhook(t.Context(), b.number, messaging.Webhook{}, "test"); err != nil {
		t.Fatal(err)
	}
	if got, err := b.service.Webhooks.Webhook(t.Context(), b.number); err != nil || got.URL != "" || len(got.Headers) != 0 {
		t.Errorf("cleared webhook = %+v, %v", got, err)
	}
}
