//go:build drill && linux

package main

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

var (
	drillBefore = flag.String("drill.before", "", "the commit whose program the mixed-version drill runs beside the new one; empty for the one before the newest migration")
	drillMixed  = flag.Duration("drill.mixed", 90*time.Second, "how long the mixed-version drill sends")
)

// buildBefore builds the program of an earlier commit and returns a fleet that runs
// it on the same database, and the name of the commit.
func (f *fleet) buildBefore() (*fleet, string) {
	f.t.Helper()
	old := &fleet{t: f.t, dir: f.t.TempDir(), cluster: f.cluster, pool: f.pool, keyring: f.keyring, environ: f.environ, carried: f.carried}
	old.program = filepath.Join(old.dir, "heliograph")
	command := func(dir, script string) string {
		cmd := exec.CommandContext(f.t.Context(), "bash", "-o", "pipefail", "-ec", script)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			f.t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	commit := *drillBefore
	if commit == "" {
		commit = command("..", "git log -1 --diff-filter=A --format=%h -- db/migrations") + "^"
	}
	source := filepath.Join(old.dir, "source")
	if err := os.Mkdir(source, 0o700); err != nil {
		f.t.Fatal(err)
	}
	command("..", "git archive "+commit+" | tar -x -C "+source)
	command(source, "go build -o "+old.binary()+" ./app")
	return old, command("..", "git log -1 --format='%h %s' "+commit)
}

// TestMixedVersionsDrill runs processes of an earlier commit beside new ones under load,
// on the schema of the new one, as an upgrade does. Either leads the jobs for a while.
// Nothing is lost or given up, and a job of a kind that neither knows is left alone.
func TestMixedVersionsDrill(t *testing.T) {
	f := newFleet(t)
	old, commit := f.buildBefore()
	p := newPartner(t, f)
	oldWeb, web := old.start("web"), f.start("web")
	oldWorker := old.start("worker") // the first one leads
	worker := f.start("worker")
	p.setWebhook(t, web.url)
	x := newSMSSender(t, f, p)
	(&faultDrill{fleet: f}).exec(t, `
		insert into river.river_job (args, kind, max_attempts, queue, state) values ('{}', 'kind_of_tomorrow', 25, 'default', 'available')`)

	var turn atomic.Int64
	webs := []*process{oldWeb, web}
	l := &load{partner: p, clients: 16, rate: 60, retry: true, recipient: mixed, pick: func() string { return webs[turn.Add(1)%2].url }}
	ctx, stop := context.WithTimeout(t.Context(), *drillMixed)
	defer stop()
	done := make(chan struct{})
	go func() { l.run(ctx); close(done) }()
	for n := 0; ctx.Err() == nil; n++ {
		x.submit(t, webs[n%2].url, 20, 1, time.Time{})
		x.submit(t, webs[n%2].url, 10, 3, time.Time{})
		switch n {
		case 5: // the new one leads
			oldWorker = old.restart(oldWorker, "worker")
		case 10: // the old one leads again
			worker = f.restart(worker, "worker")
		case 15: // what the old one had under way is done by either
			oldWorker.end(syscall.SIGKILL)
			oldWorker = old.start("worker")
		}
		time.Sleep(*drillMixed / 25)
	}
	<-done
	waitUntil(t, 5*time.Minute, "every SMS is reported", func() bool { x.rush(t); return x.open() == 0 })
	waitUntil(t, 5*time.Minute, "every callback arrived", func() bool { x.rush(t); return len(l.missing()) == 0 })
	waitUntil(t, time.Minute, "every job is done", func() bool { x.rush(t); return f.unfinished() == 0 })
	x.check(t, "DELIVRD")
	for _, failure := range l.failures {
		t.Errorf("a send was not accepted: %s", failure)
	}
	carried := f.handOvers()
	for id := range l.accepted {
		if carried[id] == 0 {
			t.Errorf("message %s was accepted and never carried", id)
		}
	}
	if n := f.countJobs(`kind = 'kind_of_tomorrow' and state = 'available' and attempt = 0`); n != 1 {
		t.Errorf("%d jobs of an unknown kind were left alone, want 1", n)
	}
	before, now := attempts(t, oldWorker), attempts(t, worker)
	if before == 0 || now == 0 {
		t.Errorf("the workers made %d attempts with the earlier program and %d with the new one", before, now)
	}
	f.checkLogs()
	old.checkLogs()
	for _, cause := range f.column(`
		select count(*) || ' of ' || kind || ': ' || left(errors[1]->>'error', 200) from river.river_job
		where cardinality(errors) > 0 group by kind, left(errors[1]->>'error', 200) order by count(*) desc limit 5`) {
		t.Logf("attempts that erred and were made again: %s", cause)
	}
	t.Logf("%s beside the new program: %d messages and %d SMS accepted, %d handed over again, %d callbacks repeated, %d jobs erred, 0 lost, 0 discarded; since their last start the workers made %d attempts with the earlier program and %d with the new one",
		commit, len(l.accepted), len(x.parts), repeats(carried), p.repeated, f.countJobs(`cardinality(errors) > 0`), before, now)
}

// attempts returns how many attempts at jobs a worker has made, by its metrics.
func attempts(t *testing.T, worker *process) (n int) {
	t.Helper()
	for line := range strings.Lines(bodyOf(worker.url + "/metrics")) {
		if strings.HasPrefix(line, "heliograph_jobs_total{") {
			fields := strings.Fields(line)
			count, err := strconv.ParseFloat(fields[len(fields)-1], 64)
			if err != nil {
				t.Fatalf("the metric %q: %v", line, err)
			}
			n += int(count)
		}
	}
	return n
}
