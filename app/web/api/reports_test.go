package api_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/sms"
	"heliograph/app/config"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/web"
	"heliograph/app/web/api"
	"heliograph/db"
	"heliograph/db/dbtest"
)

const reportsAtOnce = 2

// serveCarriers serves the addresses of carriers alone. signals may be nil.
func serveCarriers(t *testing.T, pool *pgxpool.Pool, keys *keyring.Keyring, signals *db.Signals) *web.Server {
	t.Helper()
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{Schema: db.RiverSchema})
	if err != nil {
		t.Fatal(err)
	}
	surface := api.NewReports(&pipeline.Receiver{DB: pool, Keyring: keys, Jobs: client, Channels: channels.Declared(), Signals: signals}, nil, nil, reportsAtOnce)
	settings, err := config.Load(nil, config.Nothing)
	if err != nil {
		t.Fatal(err)
	}
	server, err := web.New(web.Deps{
		Config: settings, Keyring: keys, DB: pool, Pool: pool, Registry: prometheus.NewRegistry(), Log: slog.New(slog.DiscardHandler),
		APIs: []web.API{surface.API()},
	})
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// A carrier reports at the address that it was given for a part, and at no other.
func TestCarrierReports(t *testing.T) {
	t.Parallel()
	c := newOTPClient(t)
	signals, heard := db.NewSignals(c.pool), make(chan string, 100)
	listener := db.NewListener(c.pool)
	listener.Subscribe(func(payload string) { heard <- payload })
	dbtest.Listen(t, listener)
	go signals.Run(t.Context())
	server := serveCarriers(t, c.pool, c.keyring, signals)
	report := func(method, path, form string) int {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(form))
		if form != "" {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, r)
		return w.Code
	}
	if _, o := c.otp(t, "clientotp", "sender", "LOGINS", "numbers", "919812345678", "dlttempid", "1107123456789012349"); o.Code != 200 {
		t.Fatalf("%+v", o)
	}
	m := c.message(t)
	address := func(carrier string, id uuid.UUID) string {
		return pipeline.NewReportAddress(c.keyring, carrier, sms.Channel, sms.MessageID(id)).Path()
	}
	state := func() (state string) {
		if err := c.pool.QueryRow(t.Context(), `select state from messages where id = $1`, m.ID).Scan(&state); err != nil {
			t.Fatal(err)
		}
		return state
	}
	own := address("operator", m.ID)
	signature := own[strings.LastIndexByte(own, '/'):]
	for path, want := range map[string]int{
		strings.Replace(own, "operator", "another", 1): 404, strings.TrimSuffix(own, signature) + "/forged": 404,
		strings.TrimSuffix(address("operator", uuid.New()), signature) + "x": 404, "/carriers/operator": 404, "/carriers": 404,
		strings.TrimSuffix(own, signature) + signature + "/more": 404,
	} {
		if got := report("GET", path+"?type=1", ""); got != want || state() != "accepted" {
			t.Errorf("%s gives %d, the message is %s", path, got, state())
		}
	}
	if got := report("HEAD", own+"?type=1", ""); got == 200 || state() != "accepted" {
		t.Errorf("HEAD gives %d, the message is %s", got, state())
	}
	for _, step := range []struct{ method, query, form, want string }{
		{"GET", "?type=8&receipt=ACK%2F", "", "enroute"},
		{"GET", "?type=77", "", "enroute"}, // says nothing
		{"POST", "", "status=DELIVRD", "delivered"},
		{"GET", "?type=2&receipt=stat:UNDELIV+err:000", "", "delivered"}, // the first final state holds
	} {
		if got := report(step.method, own+step.query, step.form); got != 200 || state() != step.want {
			t.Errorf("%s %s gives %d, the message is %s", step.method, step.query, got, state())
		}
	}
	if got := report(http.MethodGet, pipeline.NewReportAddress(c.keyring, "operator", "messaging", sms.MessageID(m.ID)).Path(), ""); got != 404 {
		t.Errorf("a channel without reports gives %d", got)
	}
	signal := fmt.Sprintf("live:messages:%d", m.OrganisationID)
	for deadline := time.After(10 * time.Second); ; {
		select {
		case payload := <-heard:
			if payload == signal {
				return
			}
		case <-deadline:
			t.Fatalf("open pages of the organisation hear nothing of its reports, want %s", signal)
		}
	}
}

// Reports that wait for each other leave connections to the database to others.
func TestReportsLeaveConnections(t *testing.T) {
	t.Parallel()
	c := newOTPClient(t)
	server := serveCarriers(t, c.pool, c.keyring, nil)
	if _, o := c.otp(t, "clientotp", "sender", "LOGINS", "numbers", "919812345678", "dlttempid", "1107123456789012349"); o.Code != 200 {
		t.Fatalf("%+v", o)
	}
	m := c.message(t)
	if n := c.pool.Config().MaxConns; n < reportsAtOnce+2 {
		t.Fatalf("the pool has %d connections", n)
	}
	tx, err := c.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `select from messages where id = $1 for update`, m.ID); err != nil {
		t.Fatal(err)
	}
	path := pipeline.NewReportAddress(c.keyring, "operator", sms.Channel, sms.MessageID(m.ID)).Path()
	var reports sync.WaitGroup
	for range 40 {
		reports.Go(func() {
			w := httptest.NewRecorder()
			server.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path+"?type=1", nil))
			if w.Code != http.StatusOK {
				t.Errorf("a report gives %d", w.Code)
			}
		})
	}
	apart, err := pgx.ConnectConfig(t.Context(), c.pool.Config().ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer apart.Close(context.WithoutCancel(t.Context()))
	for waiting, end := 0, time.Now().Add(time.Minute); waiting < reportsAtOnce; time.Sleep(10 * time.Millisecond) {
		err := apart.QueryRow(t.Context(), `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`).Scan(&waiting)
		if err != nil || time.Now().After(end) {
			t.Fatalf("%d reports wait: %v", waiting, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := c.pool.Exec(ctx, `select 1`); err != nil {
		t.Errorf("beside reports that wait: %v", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	reports.Wait()
	var state string
	if err := c.pool.QueryRow(t.Context(), `select state from messages where id = $1`, m.ID).Scan(&state); err != nil || state != "delivered" {
		t.Errorf("the message is %s, %v", state, err)
	}
}

// A process with a single connection takes reports too.
func TestReportsGoOverOneConnection(t *testing.T) {
	t.Parallel()
	surface := api.NewReports(&pipeline.Receiver{Channels: channels.Declared()}, nil, nil, 0)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, pipeline.ReportPrefix+"/operator/none/id/AAAA", nil)
	if err := surface.Handle(echo.New().NewContext(r, httptest.NewRecorder())); !fault.Is(err, fault.NotFound) {
		t.Errorf("a report gives %v", err)
	}
}
