//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/keyring"
	"heliograph/db"
	"heliograph/db/dev"
)

// fleet is a database, and processes of the program on it. Drills and benchmarks run
// alone, not in parallel: they measure, or kill.
type fleet struct {
	t       testing.TB
	dir     string
	program string // path of the binary
	cluster *dev.Cluster
	pool    *pgxpool.Pool
	keyring *keyring.Keyring
	environ []string
	carried string // the virtual carrier's log
}

// newFleet builds the program and brings up an empty, migrated database that is durable.
// All that is started ends with the test.
func newFleet(t testing.TB) *fleet {
	t.Helper()
	f := &fleet{t: t, dir: t.TempDir()}
	f.program = filepath.Join(f.dir, "heliograph")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", f.binary(), ".").CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	f.openDatabase()
	f.configure(f.cluster.URL)
	f.run("migrate")
	f.connect(f.cluster.URL)
	return f
}

// newSmallFleet is for tests that neither measure nor kill. The program is this test
// binary, so that nothing is built, and the database at url is among the databases of
// other tests.
func newSmallFleet(t testing.TB, url string) *fleet {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := &fleet{t: t, dir: t.TempDir(), program: self}
	f.configure(url)
	f.environ = append(f.environ, programVar+"=1")
	f.connect(url)
	return f
}

// configure chooses the settings of the processes, on the database at url.
func (f *fleet) configure(url string) {
	f.t.Helper()
	f.carried = filepath.Join(f.dir, "carried")
	key := "drill:" + strings.Repeat("A", 43) + "="
	var err error
	if f.keyring, err = keyring.New([]string{key}); err != nil {
		f.t.Fatal(err)
	}
	f.environ = append(os.Environ(),
		"HELIOGRAPH_ENV=development", "DATABASE_URL="+url, "ENCRYPTION_KEYS="+key,
		"STORAGE_FOLDER="+filepath.Join(f.dir, "files"), "ALLOW_LOOPBACK_WEBHOOKS=true", "CARRIER_LOG="+f.carried)
}

func (f *fleet) connect(url string) {
	f.t.Helper()
	var err error
	if f.pool, err = db.Open(f.t.Context(), url, db.Options{MaxConns: 4, Application: "drill"}); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(f.pool.Close)
}

func (f *fleet) binary() string { return f.program }

// openDatabase starts the cluster, or continues it on the port that it had.
func (f *fleet) openDatabase() {
	f.t.Helper()
	cluster, err := dev.Start(f.t.Context(), filepath.Join(f.dir, "postgres"), dev.Options{})
	if err != nil {
		f.t.Fatal(err)
	}
	f.cluster = cluster
	f.t.Cleanup(sync.OnceFunc(func() { cluster.Stop() })) //nolint:errcheck // the folder goes too
}

// run runs a one-off command.
func (f *fleet) run(args ...string) {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), f.binary(), args...)
	cmd.Env = f.environ
	if out, err := cmd.CombinedOutput(); err != nil {
		f.t.Fatalf("heliograph %v: %v\n%s", args, err, out)
	}
}

// column returns the texts that a query finds.
func (f *fleet) column(sql string, args ...any) []string {
	f.t.Helper()
	rows, err := f.pool.Query(f.t.Context(), sql, args...)
	if err != nil {
		f.t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		f.t.Fatal(err)
	}
	return list
}

// process is one run of a web or worker process.
type process struct {
	url    string // where /readyz is, and everything else of a web process
	log    string // path of what it wrote
	cmd    *exec.Cmd
	exited chan struct{} // closed when it is gone
}

// launch starts a web or worker process on an address of the loopback. It does
// not wait until the process is ready.
func (f *fleet) launch(command, address string, environ ...string) (*process, error) {
	log, err := os.CreateTemp(f.dir, command+"-*.log")
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p := &process{url: "http://" + address, log: log.Name(), exited: make(chan struct{})}
	p.cmd = exec.Command(f.binary(), command) //nolint:noctx // ends by signal
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.Env = append(append([]string{}, f.environ...), environ...)
	if command == "web" {
		p.cmd.Env = append(p.cmd.Env, "LISTEN="+address, "PUBLIC_URL="+p.url)
	} else {
		p.cmd.Env = append(p.cmd.Env, "OPS_LISTEN="+address)
	}
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := fork(p.cmd); err != nil {
		return nil, err
	}
	go func() {
		p.cmd.Wait() //nolint:errcheck // how it ended is in its log
		close(p.exited)
	}()
	return p, nil
}

// start launches a process on a free address, waits until it is ready and ends
// it with the test.
func (f *fleet) start(command string, environ ...string) *process {
	f.t.Helper()
	p, err := f.launch(command, freeAddress(), environ...)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { p.end(syscall.SIGKILL) })
	if !p.ready(30 * time.Second) {
		f.t.Fatalf("the %s process is not ready after 30 s:\n%s", command, p.written())
	}
	return p
}

// ready waits until the process says that it is.
func (p *process) ready(limit time.Duration) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if statusOf(p.url+"/readyz") == http.StatusOK {
			return true
		}
	}
	return false
}

// end sends a signal and waits until the process is gone.
func (p *process) end(sig syscall.Signal) {
	select {
	case <-p.exited: // its id may be another's by now
		return
	default:
		p.cmd.Process.Signal(sig) //nolint:errcheck // gone is what we want
	}
	<-p.exited
}

func (p *process) written() string {
	text, _ := os.ReadFile(p.log)
	return string(text)
}

// unfinished counts the jobs of messages that are still to be done; -1 says
// that the database does not answer.
func (f *fleet) unfinished() int {
	ctx, cancel := context.WithTimeout(f.t.Context(), 10*time.Second)
	defer cancel()
	var n int
	err := f.pool.QueryRow(ctx, `
		select count(*) from river.river_job
		where `+ofMessages+` and state not in ('completed', 'cancelled', 'discarded')`).Scan(&n)
	if err != nil {
		return -1
	}
	return n
}

// ofMessages holds for the jobs that take a message from acceptance to its last
// callback. What happens by the clock has hours, and is no part of it.
const ofMessages = `kind in ('carry_message', 'carry_messages', 'report_message', 'report_messages', 'relay_callback')`

// countJobs counts the jobs that a condition holds for.
func (f *fleet) countJobs(where string) (n int) {
	f.t.Helper()
	if err := f.pool.QueryRow(f.t.Context(), "select count(*) from river.river_job where "+where).Scan(&n); err != nil {
		f.t.Fatal(err)
	}
	return n
}

// fork starts a child that the kernel ends when this process dies. That signal
// is tied to the thread that forks, so one thread forks for everybody and
// never ends.
var fork = func() func(*exec.Cmd) error {
	asked, answered := make(chan *exec.Cmd), make(chan error)
	go func() {
		runtime.LockOSThread()
		for cmd := range asked {
			answered <- cmd.Start()
		}
	}()
	var mu sync.Mutex
	return func(cmd *exec.Cmd) error {
		mu.Lock()
		defer mu.Unlock()
		asked <- cmd
		return <-answered
	}
}()

// freeAddress draws a port below those that the kernel gives to outgoing
// connections, so that a process that is started again finds its own free.
func freeAddress() string {
	for {
		address := fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(10_000))
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			return address
		}
	}
}

var prober = &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

// statusOf is the status of a GET, 0 when no answer came.
func statusOf(url string) int {
	res, err := prober.Get(url) //nolint:noctx // bounded by the client
	if err != nil {
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// endpointPage is the page of an endpoint that the seed publishes.
const endpointPage = "/docs/business-messaging/3.0/send-message"
