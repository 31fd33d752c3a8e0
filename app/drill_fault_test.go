//go:build drill && linux

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/db"
	"heliograph/storage/storagetest"
)

// faultDrill is a fleet under a light load that meets one fault after another.
type faultDrill struct {
	*fleet
	partner *partner
	web     *process
	worker  *process
	gate    *gate
}

// TestFaultDrill has everything that the program depends on fail in turn, while
// messages are sent: after each fault every accepted message has its end and every
// callback has arrived. Waiting jobs are made due when the fault is over, so that
// pauses of hours pass at once.
//
//	go test -tags drill -run FaultDrill -timeout 60m -v ./app
func TestFaultDrill(t *testing.T) {
	f := newFleet(t)
	s3 := storagetest.S3(t)
	g := newGate(t, s3.Endpoint)
	f.environ = append(f.environ, "STORAGE_FOLDER=", "STORAGE_ENDPOINT="+g.address, "STORAGE_BUCKET="+s3.Bucket, "STORAGE_TLS=false",
		"STORAGE_ACCESS_KEY="+s3.AccessKey, "STORAGE_SECRET_KEY="+s3.SecretKey)
	d := &faultDrill{fleet: f, gate: g, partner: newPartner(t, f)}
	d.web, d.worker = f.start("web"), f.start("worker", "DATABASE_URL="+patientFor(t, f.cluster.URL, lockPatience))
	d.partner.setWebhook(t, d.web.url)
	for _, fault := range []struct {
		name  string
		begin func(t *testing.T) (end func())
		hold  time.Duration // 0 is until jobs have failed more often than manyAttempts
	}{
		{"disk full", d.fillDisk, 0},
		{"tables locked", d.lockTables, 0},
		{"no connections", d.takeConnections, 20 * time.Second},
		{"wrong key", d.startWithWrongKey, 10 * time.Second},
		{"storage gone", d.storageIs(gateClosed), 20 * time.Second},
		{"storage hung", d.storageIs(gateHung), 20 * time.Second},
		{"storage slow", d.slowStorage, 20 * time.Second},
		{"receiver fails one in five", d.receiverIs(failFifth()), 30 * time.Second},
		{"receiver hangs", d.receiverIs(hang), 30 * time.Second},
		{"receiver streams without end", d.receiverIs(streamForever), 30 * time.Second},
		{"worker stopped", d.stopWorker, time.Minute},
	} {
		t.Run(fault.name, func(t *testing.T) {
			repeated := d.repeated()
			l := &load{partner: d.partner, name: fault.name + " ", clients: 8, rate: 10, retry: true, recipient: mixed, pick: func() string { return d.web.url }}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			done := make(chan struct{})
			go func() { l.run(ctx); close(done) }()
			time.Sleep(2 * time.Second)
			end := fault.begin(t)
			if fault.hold == 0 {
				d.exhaust(t)
			} else {
				time.Sleep(fault.hold)
			}
			end()
			over := time.Now()
			time.Sleep(3 * time.Second)
			cancel()
			<-done
			waitUntil(t, 4*time.Minute, "every callback arrived", func() bool { d.rush(t); return len(l.missing()) == 0 })
			waitUntil(t, time.Minute, "every job is done", func() bool { d.rush(t); return f.unfinished() == 0 })
			took := time.Since(over)
			d.count(t, l, d.checkEnds(t, l), repeated)
			t.Logf("all callbacks %v after the fault", took.Round(time.Second))
		})
	}
	f.checkLogs()
}

const (
	// manyAttempts is how often jobs are tried by default in the library of the queue
	// before they are given up.
	manyAttempts = 25
	// lockPatience is how long the worker waits for a lock. By itself a job waits 20 s.
	lockPatience = time.Second
)

// patientFor is the address of a database for a process that waits so long for locks.
func patientFor(t *testing.T, address string, wait time.Duration) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	query := u.Query()
	query.Set("lock_timeout", fmt.Sprint(wait.Milliseconds()))
	u.RawQuery = query.Encode()
	return u.String()
}

// exhaust waits until a job of a message has failed more often than manyAttempts. It
// makes waiting jobs due, which would pause for ever longer.
func (d *faultDrill) exhaust(t *testing.T) {
	t.Helper()
	began, most := time.Now(), 0
	waitUntil(t, 10*time.Minute, "a job has failed often enough", func() bool {
		d.rush(t)
		const count = `select coalesce(max(cardinality(errors)), 0) from river.river_job where finalized_at is null and ` + ofMessages
		if err := d.pool.QueryRow(t.Context(), count).Scan(&most); err != nil {
			t.Fatal(err)
		}
		return most > manyAttempts
	})
	t.Logf("a job has failed %d times within %v", most, time.Since(began).Round(time.Second))
}

// checkEnds fails the test for accepted messages without an end or a live job, and
// returns how many messages have no end.
func (d *faultDrill) checkEnds(t *testing.T, l *load) (open int) {
	t.Helper()
	for _, failure := range l.failures {
		t.Errorf("a send came to no acceptance: %s", failure)
	}
	stored := d.messageIDs()
	for id := range l.accepted {
		if !stored[id] {
			t.Errorf("message %s was accepted and is not stored", id)
		}
	}
	var pending int
	if err := d.pool.QueryRow(t.Context(), `select (select count(*) from messages where state = 'accepted'), (select count(*) from deliveries where state = 'pending')`).Scan(&open, &pending); err != nil {
		t.Fatal(err)
	}
	if open+pending > 0 || d.countJobs(`state in ('discarded', 'cancelled')`) > 0 {
		t.Errorf("%d messages and %d callbacks have no end, %d jobs were given up", open, pending, d.countJobs(`state in ('discarded', 'cancelled')`))
	}
	return open
}

// repeated is how many callbacks came again so far.
func (d *faultDrill) repeated() int {
	d.partner.mu.Lock()
	defer d.partner.mu.Unlock()
	return d.partner.repeated
}

// count prints how the messages of a fault ended, of which open have no end, and
// before which so many callbacks had come again.
func (d *faultDrill) count(t *testing.T, l *load, open, before int) {
	t.Helper()
	callbacks, again := -len(l.missing()), 0
	for _, send := range l.accepted {
		callbacks += len(endings[send.recipient])
	}
	for id, n := range d.handOvers() {
		if _, ours := l.accepted[id]; ours && n > 1 {
			again++
		}
	}
	t.Logf("%d accepted, %d requests repeated by clients, %d ended; %d callbacks came, %d again; %d messages were handed over again",
		len(l.accepted), l.retries, len(l.accepted)-open, callbacks, d.repeated()-before, again)
}

// rush makes jobs due that wait for another attempt.
func (d *faultDrill) rush(t *testing.T) {
	t.Helper()
	d.exec(t, `update river.river_job set scheduled_at = now(), state = 'available'
		where kind in ('carry_message', 'carry_messages', 'report_message', 'report_messages', 'relay_callback', 'release_callbacks') and state in ('scheduled', 'retryable')`)
	d.exec(t, `update webhooks set open_until = now() where open_until > now()`)
}

// fillDisk makes the database refuse what workers write, as a full disk does.
func (d *faultDrill) fillDisk(t *testing.T) func() {
	d.exec(t, `create or replace function full_disk() returns trigger language plpgsql as $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`)
	d.exec(t, `create trigger full_disk before insert on message_events for each row execute function full_disk()`)
	d.exec(t, `create trigger full_disk before insert on delivery_attempts for each row execute function full_disk()`)
	return func() {
		d.exec(t, `drop trigger full_disk on message_events`)
		d.exec(t, `drop trigger full_disk on delivery_attempts`)
	}
}

// lockTables holds the locks that a careless migration would take, on a connection
// that may be idle for as long as it likes.
func (d *faultDrill) lockTables(t *testing.T) func() {
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, d.cluster.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(ctx) })
	lock := func() error {
		_, err := conn.Exec(ctx, `begin; lock table deliveries, message_events in access exclusive mode`)
		return err
	}
	for err = lock(); db.IsLockTimeout(err); err = lock() { // a worker holds one of them and waits for the other
		if _, err := conn.Exec(ctx, `rollback`); err != nil {
			t.Fatal(err)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := conn.Exec(ctx, `rollback`); err != nil {
			t.Errorf("the locks were not held to the end: %v", err)
		}
	}
}

// takeConnections ends the connections of the program and holds all that there are.
func (d *faultDrill) takeConnections(t *testing.T) func() {
	var held []*pgx.Conn
	full := false
	config, err := pgx.ParseConfig(d.cluster.URL)
	if err != nil {
		t.Fatal(err)
	}
	config.RuntimeParams["application_name"] = "drill"
	for range 3 {
		d.exec(t, `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name not like '%drill' and backend_type = 'client backend'`)
		for {
			conn, err := pgx.ConnectConfig(t.Context(), config)
			if err != nil {
				full = true
				break
			}
			held = append(held, conn)
		}
	}
	if !full {
		t.Error("the database has connections left")
	}
	t.Logf("%d connections are held", len(held))
	return func() {
		for _, conn := range held {
			_ = conn.Close(context.WithoutCancel(t.Context()))
		}
	}
}

// startWithWrongKey starts a worker that cannot open what is stored.
func (d *faultDrill) startWithWrongKey(t *testing.T) func() {
	p, err := d.launch("worker", freeAddress(), "ENCRYPTION_KEYS=drill:"+strings.Repeat("B", 42)+"A=")
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.exited:
	case <-time.After(30 * time.Second):
		t.Error("a worker with another key runs")
		p.end(syscall.SIGKILL)
	}
	if !strings.Contains(p.written(), "another key") {
		t.Errorf("a worker with another key says %s", lastLines(p.written()))
	}
	return func() {}
}

// storageIs has the storage fail. Uploads are refused in time.
func (d *faultDrill) storageIs(state int32) func(*testing.T) func() {
	return func(t *testing.T) func() {
		d.gate.set(state)
		began := time.Now()
		_, status, err := d.partner.post(t.Context(), d.web.url+"/v3/business/"+d.partner.PhoneNumberID+"/message_qrdls", "", []byte(`{"prefilled_message":"Hello","generate_qr_image":"PNG"}`))
		if took := time.Since(began); err != nil || status < 500 || took > 15*time.Second {
			t.Errorf("without storage a QR code answers %d after %v: %v", status, took, err)
		}
		return func() { d.gate.set(gateOpen) }
	}
}

// slowStorage has every packet to and from the storage take a while. Uploads work or
// are refused in time, and what needs no file is as fast as before.
func (d *faultDrill) slowStorage(t *testing.T) func() {
	d.gate.set(gateSlow)
	for range 3 {
		began := time.Now()
		_, status, err := d.partner.post(t.Context(), d.web.url+"/v3/business/"+d.partner.PhoneNumberID+"/message_qrdls", "", []byte(`{"prefilled_message":"Hello","generate_qr_image":"PNG"}`))
		if took := time.Since(began); err != nil || status != http.StatusOK && status < 500 || took > 15*time.Second {
			t.Errorf("with slow storage a QR code answers %d after %v: %v", status, took, err)
		} else {
			t.Logf("with slow storage a QR code answers %d after %v", status, took.Round(10*time.Millisecond))
		}
	}
	return func() { d.gate.set(gateOpen) }
}

func (d *faultDrill) receiverIs(spoil func(w http.ResponseWriter, r *http.Request) bool) func(*testing.T) func() {
	return func(*testing.T) func() {
		d.partner.failing.Store(&spoil)
		return func() { d.partner.failing.Store(nil) }
	}
}

func (d *faultDrill) stopWorker(t *testing.T) func() {
	if err := d.worker.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	return func() { _ = d.worker.cmd.Process.Signal(syscall.SIGCONT) }
}

func failFifth() func(w http.ResponseWriter, _ *http.Request) bool {
	var calls atomic.Int64
	return func(w http.ResponseWriter, _ *http.Request) bool {
		if calls.Add(1)%5 != 0 {
			return false
		}
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
}

func hang(_ http.ResponseWriter, r *http.Request) bool {
	_, _ = io.Copy(io.Discard, r.Body) // a server sees that its client left only after the body
	<-r.Context().Done()
	return true
}

func streamForever(w http.ResponseWriter, r *http.Request) bool {
	w.WriteHeader(http.StatusServiceUnavailable)
	for tick := time.NewTicker(10 * time.Millisecond); r.Context().Err() == nil; <-tick.C {
		if _, err := io.WriteString(w, strings.Repeat("x", 1<<10)); err != nil {
			break
		}
		_ = http.NewResponseController(w).Flush()
	}
	return true
}

const (
	gateOpen int32 = iota
	gateClosed
	gateHung
	gateSlow
)

// slowness is how long a slow gate holds each packet back.
const slowness = 700 * time.Millisecond

// gate is a way to a server that can be closed, or accept and say nothing.
type gate struct {
	address, target string
	state           atomic.Int32
	conns           chan net.Conn
}

func newGate(t *testing.T, target string) *gate {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	g := &gate{address: l.Addr().String(), target: target, conns: make(chan net.Conn, 1000)}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go g.serve(conn)
		}
	}()
	return g
}

// set changes the state and ends the connections of the state before.
func (g *gate) set(state int32) {
	g.state.Store(state)
	for {
		select {
		case conn := <-g.conns:
			conn.Close()
		default:
			return
		}
	}
}

func (g *gate) serve(conn net.Conn) {
	g.conns <- conn
	defer conn.Close()
	switch g.state.Load() {
	case gateClosed:
		return
	case gateHung:
		_, _ = io.Copy(io.Discard, conn)
		return
	}
	server, err := net.Dial("tcp", g.target) //nolint:noctx // ends with the connection
	if err != nil {
		return
	}
	defer server.Close()
	if g.state.Load() == gateSlow {
		go func() { _, _ = io.Copy(server, slowly{conn}); server.Close() }()
		_, _ = io.Copy(conn, slowly{server})
		return
	}
	go func() { _, _ = io.Copy(server, conn); server.Close() }()
	_, _ = io.Copy(conn, server)
}

// slowly reads after a while, and little at once.
type slowly struct{ io.Reader }

func (s slowly) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p[:min(len(p), 16<<10)])
	time.Sleep(slowness)
	return n, err
}
