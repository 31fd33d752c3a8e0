//go:build drill && linux

package main

import (
	"context"
	"flag"
	"strings"
	"syscall"
	"testing"
	"time"

	"heliograph/app/porttest"
)

var drillRounds = flag.Int("drill.rounds", 5, "how many times the rolling drill restarts each process")

// rollingRate is the load of the rolling drill, in messages a second.
const rollingRate = 100

// TestRollingRestartDrill restarts two web and two worker processes in turn
// under load, as a deployment does, behind nginx with the README's configuration:
// no request fails and no job is tried twice.
func TestRollingRestartDrill(t *testing.T) {
	f := newFleet(t)
	p := newPartner(t, f)
	webs := [2]*process{f.start("web", drainSlowly), f.start("web", drainSlowly)}
	workers := [2]*process{f.start("worker"), f.start("worker")}
	p.setWebhook(t, webs[0].url)
	port := porttest.FreePort(t)
	startNginx(t, nginxSite(t, strings.TrimPrefix(webs[0].url, "http://"), strings.TrimPrefix(webs[1].url, "http://"), port), port)
	l := &load{partner: p, clients: 32, rate: rollingRate, pick: func() string { return "http://127.0.0.1:" + port }}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { l.run(ctx); close(done) }()
	began := time.Now()
	restarts := 0
	for range *drillRounds {
		for i := range 2 {
			webs[i] = f.restart(webs[i], "web", drainSlowly)
			workers[i] = f.restart(workers[i], "worker")
			restarts += 2
		}
	}
	stop()
	<-done
	took := time.Since(began)
	waitUntil(t, time.Minute, "every job is done", func() bool { return f.unfinished() == 0 })

	for _, failure := range l.failures {
		t.Errorf("a request failed: %s", failure)
	}
	if missing := l.missing(); len(missing) > 0 {
		t.Errorf("%d callbacks did not come, such as %v", len(missing), missing[0])
	}
	errored := f.countJobs(`cardinality(errors) > 0`)
	again := f.countJobs(`attempt > 1`)
	if errored > 0 || again > 0 {
		t.Errorf("%d jobs erred and %d took a second attempt: %s", errored, again, f.jobErrors())
	}
	for id, n := range f.handOvers() {
		if n != 1 {
			t.Errorf("message %s was handed over %d times", id, n)
		}
	}
	f.checkLogs()
	t.Logf("%d restarts in %v: %d requests, %d failed; %d jobs, %d erred, %d tried twice; %d callbacks, %d repeated",
		restarts, took.Round(time.Second), l.begun, len(l.failures), f.countJobs("true"), errored, again, len(p.received), p.repeated)
}

// jobErrors words the errors that jobs have had, at most ten of them.
func (f *fleet) jobErrors() string {
	f.t.Helper()
	const list = `select coalesce(string_agg(kind || ': ' || (errors[1]->>'error'), '; '), '')
		from (select kind, errors from river.river_job where cardinality(errors) > 0 limit 10) failed`
	var words string
	if err := f.pool.QueryRow(f.t.Context(), list).Scan(&words); err != nil {
		f.t.Fatal(err)
	}
	return words
}

// drainSlowly is what the README sets for processes behind nginx.
const drainSlowly = "DRAIN_DELAY=5s"

// restart ends a process as a deployment does and starts it again on its
// address.
func (f *fleet) restart(p *process, command string, environ ...string) *process {
	f.t.Helper()
	began := time.Now()
	p.end(syscall.SIGTERM)
	if took := time.Since(began); took > 35*time.Second {
		f.t.Errorf("a %s process took %v to leave", command, took)
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		f.t.Errorf("a %s process left with %d:\n%s", command, code, p.written())
	}
	next, err := f.launch(command, strings.TrimPrefix(p.url, "http://"), environ...)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { next.end(syscall.SIGKILL) })
	if !next.ready(2 * time.Minute) { // nothing depends on how soon, but a busy machine is slow
		f.t.Fatalf("the %s process is not ready after two minutes:\n%s", command, next.written())
	}
	return next
}
