package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// devRun is the program in a process of its own, as dev runs it.
type devRun struct {
	access

	data string
	cmd  *exec.Cmd
	errs bytes.Buffer
}

// launchDev starts the program on a data folder and waits until it serves.
func launchDev(data string, flags ...string) (*devRun, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	d := &devRun{data: data, cmd: exec.Command(self, append([]string{"dev", "--port", "0", "--data", data}, flags...)...)}
	d.cmd.Env = append(os.Environ(), programVar+"=1", "LOG_LEVEL=error", "RATE_RCS_MANAGEMENT=6000") // tests send more than a reader
	d.cmd.Stderr = &d.errs
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	var said []byte
	for !bytes.Contains(said, []byte("Ctrl-C stops everything")) {
		buffer := make([]byte, 4096)
		n, err := out.Read(buffer)
		if said = append(said, buffer[:n]...); err != nil {
			d.cmd.Wait() //nolint:errcheck // said below
			return nil, fmt.Errorf("dev ended early:\n%s%s", said, d.errs.String())
		}
	}
	text, err := os.ReadFile(filepath.Join(data, "dev.json"))
	if err == nil {
		err = json.Unmarshal(text, &d.access)
	}
	if err != nil {
		d.cmd.Process.Kill() //nolint:errcheck // usually gone
	}
	return d, err
}

// stop ends the program by a signal, and sees that it ends well and leaves nothing running.
func (d *devRun) stop(sig syscall.Signal) error {
	if err := d.cmd.Process.Signal(sig); err != nil {
		return err
	}
	if err := d.cmd.Wait(); err != nil {
		return fmt.Errorf("dev ended with %w after %v:\n%s", err, sig, d.errs.String())
	}
	if _, err := os.Stat(filepath.Join(d.data, "postgres", "data", "postmaster.pid")); !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("PostgreSQL was left running: %w", err)
	}
	return nil
}

// startDev runs a program for one test until stop sends the signal, and returns what it
// wrote to dev.json.
func startDev(t *testing.T, data string, flags ...string) (a access, stop func(sig syscall.Signal)) {
	t.Helper()
	d, err := launchDev(data, flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.cmd.Process.Kill() }) //nolint:errcheck // usually gone
	return d.access, func(sig syscall.Signal) {
		t.Helper()
		if err := d.stop(sig); err != nil {
			t.Error(err)
		}
	}
}

// sharedDev is the program of the tests that need none of their own. The first one starts
// it, and TestMain stops it.
var sharedDev devShare

type devShare struct {
	once   sync.Once
	run    *devRun
	err    error
	folder string
	// organisation is held by a test that changes the webhook of the sandbox organisation, or
	// counts what arrives there.
	organisation sync.Mutex
}

// get returns the program.
func (s *devShare) get(t *testing.T) *devRun {
	t.Helper()
	s.once.Do(func() {
		if s.folder, s.err = os.MkdirTemp("", "heliograph-dev"); s.err == nil {
			s.run, s.err = launchDev(filepath.Join(s.folder, "data"))
		}
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.run
}

// alone returns the program to a test that has its organisation to itself until it ends.
func (s *devShare) alone(t *testing.T) *devRun {
	t.Helper()
	s.organisation.Lock()
	t.Cleanup(s.organisation.Unlock)
	return s.get(t)
}

// at returns the program to a test that has the organisation to itself, and leads from
// .data in a folder to its data, as the lines of the README and of guides expect.
func (s *devShare) at(t *testing.T, place string) *devRun {
	t.Helper()
	d := s.alone(t)
	if err := os.Symlink(d.data, filepath.Join(place, ".data")); err != nil {
		t.Fatal(err)
	}
	return d
}

// close stops the program, if one was started.
func (s *devShare) close() error {
	if s.folder == "" {
		return nil
	}
	defer os.RemoveAll(s.folder) //nolint:errcheck // a temporary folder
	if s.run == nil {
		return nil
	}
	return s.run.stop(syscall.SIGINT)
}

// sendMessage sends one message in the sandbox.
func sendMessage(t *testing.T, a access) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+"/v3/"+a.Organisation.PhoneNumberID+"/messages",
		strings.NewReader(`{"messaging_product":"msgapp","to":"919812345678","type":"template","template":{"name":"hello_world","language":{"code":"en_US"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", a.Organisation.APIKey)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("a message is answered by %d", response.StatusCode)
	}
}

// dev runs, stops and finds its data again. Commands work on what it keeps, beside it and
// after it, and what they make is there at the next start.
func TestDevRunsStopsAndFindsItsDataAgain(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	first, stop := startDev(t, data)
	if got := status(t, first.URL+"/health"); got != http.StatusOK {
		t.Errorf("/health answers %d", got)
	}
	info, err := os.Stat(filepath.Join(data, "dev.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("dev.json has the mode %v, %v", info.Mode(), err)
	}
	sendFirstSMS(t, first)
	run := func(args, want string) {
		t.Helper()
		status, out, errs := invoke(t, nil, append(strings.Fields(args), "--data", data)...)
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, want %q in:\n%s%s", args, status, want, out, errs)
		}
	}
	run("admin create --email asha@example.com --name Asha", "signs in at "+first.URL+"/admin")
	run("audit verify", "entries hold")
	stop(syscall.SIGINT)

	run("org create --name Lighthouse --email ravi@example.com", "API key")
	run("org add-account --organisation 1 --name Repairs", "account")
	run("org add-number --organisation 1 --name Repairs", "Added under the id")
	run("org add-catalogue --organisation 1 --name Lamps", "Lamps")
	run("org assets --organisation 1", "+9100")
	run("migrate", "The schema is at this version.")
	run("seed", "The documentation is published.")
	run("routes", "/health")
	run("audit verify", "entries hold")
	if status, _, errs := invoke(t, nil, "admin", "create", "--email", "asha@example.com", "--name", "Asha", "--data", data); status != 1 || !strings.Contains(errs, "already exists") {
		t.Errorf("the administrator that was made beside dev is made again: status %d, %s", status, errs)
	}

	var relayed atomic.Int32
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Webhook-Signature") != "" {
			relayed.Add(1)
		}
	}))
	defer receiver.Close()
	second, stop := startDev(t, data, "--to", receiver.URL)
	first.URL, first.Mock = second.URL, second.Mock // the port is free to change
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the second start has other credentials:\n%s", diff)
	}
	// Messages are sent until the relay has begun, since it leaves out what came before.
	for deadline := time.Now().Add(time.Minute); relayed.Load() == 0; time.Sleep(200 * time.Millisecond) {
		sendMessage(t, second)
		if time.Now().After(deadline) {
			t.Fatal("dev --to relays no callback")
		}
	}
	var l listenCall
	if err := l.complete(data, receiver.URL); err != nil || l.portal != second.URL || l.key != second.Organisation.APIKey {
		t.Errorf("listen beside dev goes to %q, %v", l.portal, err)
	}
	stop(syscall.SIGTERM)

	third, stop := startDev(t, data, "--fresh")
	if third.Organisation.APIKey == first.Organisation.APIKey {
		t.Error("--fresh kept the data")
	}
	stop(syscall.SIGTERM)
}
