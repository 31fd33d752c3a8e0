package jobs_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heliograph/app/channels"
	"heliograph/app/keyring"
	"heliograph/app/operation/setting"
	"heliograph/app/outbound"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/jobs"
	"heliograph/storage/storagetest"
	"heliograph/views/email"
)

// office is a place that sends messages to people, with workers to come.
type office struct {
	pool     *pgxpool.Pool
	deps     jobs.Deps
	settings *setting.Settings
	messages *notification.Service
	inserter *river.Client[pgx.Tx]
	log      *lockedBuffer
	timed    bool // the worker also runs jobs by the clock, each when it starts
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

type clientGuard struct{ client *outbound.Client }

func (g clientGuard) CheckURL(_ context.Context, url string) error {
	_, err := g.client.CheckURL(url)
	return err
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{pool: dbtest.Pool(t), log: &lockedBuffer{}}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	client := outbound.New(outbound.Options{AllowLoopback: true, Timeout: 2 * time.Second})
	o.settings = setting.New(setting.Options{DB: o.pool, Listener: db.NewListener(o.pool), Keyring: keys, Guard: clientGuard{client}, PlainSMTP: true})
	folder := storagetest.Folder(t)
	o.deps = jobs.Deps{
		Pool: o.pool, Keyring: keys, Channels: channels.Declared(), Carrier: outbound.NewVirtual(nil), Poster: client, Store: folder, Anchors: folder, Product: "msgapp",
		Settings: o.settings, Courier: outbound.NewCourier(outbound.CourierOptions{Client: client, AllowLoopback: true}),
	}
	inserter, err := jobs.New(o.deps, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	o.inserter = inserter
	o.messages = notification.New(notification.Options{DB: o.pool, Keyring: keys, Settings: o.settings, Jobs: inserter})
	return o
}

// work starts a worker that runs until the end of the test or until it is
// stopped.
func (o *office) work(t *testing.T) *river.Client[pgx.Tx] {
	t.Helper()
	create := jobs.NewUntimed
	if o.timed {
		create = jobs.New
	}
	client, err := create(o.deps, jobs.Queues(), slog.New(slog.NewTextHandler(o.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := client.Start(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); <-client.Stopped() })
	return client
}

func (o *office) saveSMS(t *testing.T, c setting.SMSChange) {
	t.Helper()
	if c.Mode == "" {
		c.Mode = models.ModeActual
	}
	if c.Budget == "" {
		c.Budget = "1000"
	}
	c.SenderID, c.EntityID, c.TemplateID, c.APIKey, c.Allowed = "HELIOG", "1101", "1107", "planted-api-key-9", "IN"
	if err := o.settings.SaveSMS(t.Context(), c, "admin:1"); err != nil {
		t.Fatal(err)
	}
}

func code(n string) notification.SMS {
	return notification.SMS{To: "+919812345678", Code: n, Purpose: "registration", Topic: "otp:challenge-" + n[len(n)-1:], ExpiresAt: time.Now().Add(10 * time.Minute)}
}

func (o *office) send(t *testing.T, messages ...notification.SMS) error {
	t.Helper()
	return db.InTx(t.Context(), o.pool, func(tx pgx.Tx) error {
		for _, m := range messages {
			if err := o.messages.SendSMS(t.Context(), tx, m); err != nil {
				return err
			}
		}
		return nil
	})
}

func (o *office) sendEmail(t *testing.T, to string) {
	t.Helper()
	err := db.InTx(t.Context(), o.pool, func(tx pgx.Tx) error {
		return o.messages.SendEmail(t.Context(), tx, notification.Email{
			To: to, Message: email.PasswordLink("https://example.com/reset/tok3n-of-one-use", "", time.Hour), Purpose: "reset", ExpiresAt: time.Now().Add(time.Hour),
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// settled waits until no message is queued and returns each as "kind state attempts
// readable", in the order of their making.
func (o *office) settled(t *testing.T) (states []string) {
	t.Helper()
	for deadline := time.Now().Add(40 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		rows, err := o.pool.Query(t.Context(), `select state, kind || ' ' || state || ' ' || attempts || case when body is null then '' else ' readable' end from notifications order by id`)
		if err != nil {
			t.Fatal(err)
		}
		queued, state, line := false, "", ""
		states = nil
		_, err = pgx.ForEachRow(rows, []any{&state, &line}, func() error {
			queued = queued || state == "queued"
			states = append(states, line)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !queued && len(states) > 0 {
			return states
		}
		if time.Now().After(deadline) {
			t.Fatalf("after 40 s: %v\n%s", states, o.log.text())
		}
	}
}

func (o *office) answers(t *testing.T) string {
	t.Helper()
	rows, err := o.pool.Query(t.Context(), `select answer from notification_attempts order by notification_id, number`)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(answers, "\n")
}

// hides fails when the database or the log holds a secret.
func (o *office) hides(t *testing.T, secrets ...string) {
	t.Helper()
	dump, log := dbtest.Dump(t, o.pool), o.log.text()
	for _, s := range secrets {
		if strings.Contains(dump, s) || strings.Contains(dump, hex.EncodeToString([]byte(s))) {
			t.Errorf("the database holds %q", s)
		}
		if strings.Contains(log, s) {
			t.Errorf("the log holds %q:\n%s", s, log)
		}
	}
}

// gateway is an SMS provider; answer says what it answers to its nth call.
type gateway struct {
	url   string
	mu    sync.Mutex
	calls []url.Values
	ids   []string
	at    []time.Time
}

func newGateway(t *testing.T, answer func(n int, w http.ResponseWriter, r *http.Request)) *gateway {
	t.Helper()
	g := &gateway{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		form, err := url.ParseQuery(string(body))
		if err != nil {
			t.Errorf("the form: %v", err)
		}
		g.mu.Lock()
		g.calls, g.ids, g.at = append(g.calls, form), append(g.ids, r.Header.Get("Idempotency-Key")), append(g.at, time.Now())
		n := len(g.calls)
		g.mu.Unlock()
		answer(n, w, r)
	}))
	t.Cleanup(server.Close)
	g.url = server.URL + "/sms"
	return g
}

func (g *gateway) called() ([]url.Values, []string, []time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls, g.ids, g.at
}
