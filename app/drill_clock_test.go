//go:build drill && linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// skewed is put in place of the line of package time that reads the clock.
const skewed = `	sec, nsec, mono := runtimeNow()
	if by, ok := syscall.Getenv("DRILL_CLOCK"); ok {
		seconds, _ := atoi(by)
		sec += int64(seconds)
	}
`

// buildSkewed builds the program with a package time in which the clock is DRILL_CLOCK
// seconds ahead. The fleet starts it by the usual path.
func (f *fleet) buildSkewed() {
	f.t.Helper()
	root, err := exec.CommandContext(f.t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		f.t.Fatal(err)
	}
	original := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	source, err := os.ReadFile(original)
	if err != nil {
		f.t.Fatal(err)
	}
	changed := bytes.Replace(source, []byte("	sec, nsec, mono := runtimeNow()\n"), []byte(skewed), 1)
	changed = bytes.Replace(changed, []byte("	\"math/bits\"\n"), []byte("	\"math/bits\"\n	\"syscall\"\n"), 1)
	if bytes.Count(changed, []byte("syscall")) != 2 {
		f.t.Fatal("this version of Go reads its clock in another way")
	}
	file, overlay := filepath.Join(f.dir, "time.go"), filepath.Join(f.dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: file}})
	if err != nil {
		f.t.Fatal(err)
	}
	for path, text := range map[string][]byte{file: changed, overlay: list} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			f.t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(f.t.Context(), "go", "build", "-overlay", overlay, "-o", f.binary(), ".").CombinedOutput(); err != nil {
		f.t.Fatalf("building the program with another clock: %v\n%s", err, out)
	}
}

// TestClockDrill runs a web process and a worker with clocks that are an hour ahead, and
// then an hour behind, beside a worker that is right. Every message has its end and
// every callback arrives as soon as with right clocks. The wrong worker takes no job
// and says why; so it is when it runs alone, and its jobs wait.
//
//	go test -tags drill -run ClockDrill -v ./app
func TestClockDrill(t *testing.T) {
	f := newFleet(t)
	f.run("seed")
	f.buildSkewed()
	p := newPartner(t, f)
	right := f.start("web")
	p.setWebhook(t, right.url)
	for _, clock := range []struct{ name, seconds string }{{"right", "0"}, {"an hour ahead", "3600"}, {"an hour behind", "-3600"}} {
		t.Run(clock.name, func(t *testing.T) {
			wrong := clock.seconds != "0"
			launch := func(command string) *process {
				proc, err := f.launch(command, freeAddress(), "DRILL_CLOCK="+clock.seconds)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { proc.end(syscall.SIGTERM) })
				waitUntil(t, time.Minute, "the process answers", func() bool { return statusOf(proc.url+"/livez") == 200 })
				return proc
			}
			web, worker := launch("web"), launch("worker")
			if ready := worker.ready(5 * time.Second); ready == wrong {
				t.Errorf("a worker that is %s says that it is ready: %t", clock.name, ready)
			}
			loads := 0
			send := func(seconds time.Duration) *load {
				loads++
				l := &load{partner: p, name: fmt.Sprintf("%s %d ", clock.name, loads), clients: 4, rate: 20, recipient: mixed, pick: func() string { return web.url }}
				ctx, cancel := context.WithTimeout(t.Context(), seconds)
				defer cancel()
				l.run(ctx)
				return l
			}
			if wrong {
				l := send(5 * time.Second)
				time.Sleep(10 * time.Second)
				expected := 0
				for _, sent := range l.accepted {
					expected += len(endings[sent.recipient])
				}
				if expected == 0 || len(l.missing()) != expected {
					t.Errorf("a worker that is %s carried some of %d messages alone", clock.name, len(l.accepted))
				}
				defer func() {
					if missing := l.missing(); len(missing) > 0 {
						t.Errorf("%d messages that waited have no end", len(missing))
					}
				}()
			}
			other := f.start("worker")
			began := time.Now()
			l := send(15 * time.Second)
			waitUntil(t, 2*time.Minute, "every callback arrived", func() bool { return len(l.missing()) == 0 })
			waitUntil(t, time.Minute, "every job is done", func() bool { return f.unfinished() == 0 })
			for _, failure := range l.failures {
				t.Errorf("a send came to no acceptance: %s", failure)
			}
			t.Logf("%d accepted, all callbacks %v after the first was sent", len(l.accepted), time.Since(began).Round(100*time.Millisecond))
			other.end(syscall.SIGTERM)
		})
	}
}
