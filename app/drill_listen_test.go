//go:build drill && linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/webhookrange"
	"heliograph/app/outbound"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/jobs"
)

const (
	drilledEvents = 1_000
	drilledKills  = 10
)

// anyAddress lets a drill set every webhook.
type anyAddress struct{}

func (anyAddress) CheckWebhook(context.Context, string, map[string]string) error { return nil }

func (anyAddress) Challenge(context.Context, string, string, map[string]string, string) error {
	return nil
}

// TestListenDrill stores 1,000 callbacks for a webhook range while web and worker are killed
// ten times in turn. Each comes to the range and to a program that listens: once, or
// marked as repeated. A program of another organisation gets none.
//
//	go test -tags drill -run ListenDrill -v ./app
func TestListenDrill(t *testing.T) {
	f := newFleet(t)
	ctx := t.Context()
	people, err := createAccess(ctx, &platform{pool: f.pool, keyring: f.keyring}, "")
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := createAccess(ctx, &platform{pool: f.pool, keyring: f.keyring}, "-other")
	if err != nil {
		t.Fatal(err)
	}
	address, ops := freeAddress(), freeAddress()
	public := "PUBLIC_URL=http://" + address
	running := map[string]*process{}
	start := func(command, at string) {
		p, err := f.launch(command, at, public)
		if err != nil {
			t.Error(err)
			return
		}
		running[command] = p
		if !p.ready(time.Minute) {
			t.Errorf("%s is not ready:\n%s", command, p.written())
		}
	}
	start("web", address)
	start("worker", ops)
	defer func() {
		for _, p := range running {
			p.end(syscall.SIGKILL)
		}
	}()

	ranges := webhookrange.New(webhookrange.Options{Channels: channels.Declared(), DB: f.pool, Keyring: f.keyring, PublicURL: "http://" + address})
	var organisation int64
	if err := f.pool.QueryRow(ctx, `select organisation_id from organisation_users where email = $1`, people.Organisation.Email).Scan(&organisation); err != nil {
		t.Fatal(err)
	}
	if err := ranges.Open(ctx, organisation, "drill"); err != nil {
		t.Fatal(err)
	}
	open, err := ranges.Get(ctx, organisation)
	if err != nil {
		t.Fatal(err)
	}
	inserter, err := jobs.New(jobs.Deps{}, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	webhooks := messaging.NewWebhooks(messaging.WebhookOptions{DB: f.pool, Keyring: f.keyring, Jobs: inserter, Guard: anyAddress{}, Product: "msgapp"})
	number, err := webhooks.FindWebhook(ctx, organisation, people.Organisation.PhoneNumberID)
	if err != nil {
		t.Fatal(err)
	}
	if err := webhooks.SetWebhook(ctx, number.Number, messaging.Webhook{URL: open.Address}, "drill"); err != nil {
		t.Fatal(err)
	}
	webhook, err := queries.WebhookGet(ctx, f.pool, messaging.Channel, people.Organisation.PhoneNumberID)
	if err != nil {
		t.Fatal(err)
	}

	var mu sync.Mutex
	got := map[string]int{}
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		mu.Lock()
		defer mu.Unlock()
		got[r.Header.Get("Webhook-Id")]++
	}))
	defer receiver.Close()
	listening, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	var own, foreign bytes.Buffer
	listenAs := func(key string, out io.Writer) {
		l := &listenCall{portal: "http://" + address, key: key, out: out, pause: 100 * time.Millisecond, portalCalls: outbound.NewPortal(45 * time.Second), localCalls: outbound.NewPortal(15 * time.Second), path: filepath.Join(t.TempDir(), "state.json")}
		if err := l.complete("", receiver.URL); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if err := l.run(listening); err != nil {
				t.Error(err)
			}
		})
	}
	listenAs(people.Organisation.APIKey, &own)
	listenAs(stranger.Organisation.APIKey, &foreign)
	time.Sleep(2 * time.Second) // it begins now, and the events come after it
	for i := range drilledEvents {
		if i%(drilledEvents/drilledKills) == drilledEvents/drilledKills/2 {
			command, at := "web", address
			if i/(drilledEvents/drilledKills)%2 == 1 {
				command, at = "worker", ops
			}
			running[command].end(syscall.SIGKILL)
			start(command, at)
		}
		err := db.InTx(ctx, f.pool, func(tx pgx.Tx) error {
			_, err := relay.Store(ctx, tx, inserter, relay.Event{WebhookID: webhook.ID, Kind: "message.sent", Body: map[string]any{"object": "msgapp_business_account", "n": i}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	count := func(sql string) (n int) {
		if err := f.pool.QueryRow(ctx, sql).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		mu.Lock()
		heard := len(got)
		mu.Unlock()
		if heard >= drilledEvents && count(`select count(*) from deliveries where state = 'pending'`) == 0 {
			break
		}
	}
	stop()
	wg.Wait()
	mu.Lock()
	defer mu.Unlock()
	more := 0
	for _, n := range got {
		more += n - 1
	}
	if marked := strings.Count(own.String(), "(repeated)"); len(got) != drilledEvents || more > marked {
		t.Errorf("the program got %d callbacks, %d more than once, %d of them marked\n%.3000s", len(got), more, marked, own.String())
	}
	if strings.Contains(foreign.String(), "message.sent") {
		t.Errorf("another organisation got\n%.2000s", foreign.String())
	}
	taken, distinct := count(`select taken from webhook_ranges`), count(`select count(*) from webhook_range_ids`)
	if distinct != drilledEvents {
		t.Errorf("the range took %d different callbacks", distinct)
	}
	unmarked := count(`select count(*) from (select count(*) filter (where first_number is null) as firsts from webhook_range_requests where delivery_id is not null group by delivery_id) x where firsts > 1`)
	if unmarked != 0 || count(`select count(*) from webhook_range_requests`) != webhookrange.MaxRequests {
		t.Errorf("%d callbacks are shown twice and not marked", unmarked)
	}
	fmt.Printf("%d callbacks, %d kills: the range took %d requests, %d of them repeated; the program sent %d, %d of them repeated\n", drilledEvents, drilledKills, taken, taken-distinct, len(got)+more, more)
}
