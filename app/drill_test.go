//go:build drill && linux

package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
)

// The drills are not part of the everyday tests: they take minutes and the
// whole machine.
//
//	go test -tags drill -run 'Drill' -v -timeout 30m ./app
//
// -drill.kills, -drill.sends and -drill.pause make the kill drill smaller.
var (
	drillKills = flag.Int("drill.kills", 60, "how many processes the kill drill kills")
	drillSends = flag.Int("drill.sends", 20_000, "how many accepted sends the kill drill waits for")
	drillPause = flag.Duration("drill.pause", 8*time.Second, "the mean time between two kills")
)

// TestKillDrill kills web processes, workers and the whole of PostgreSQL with
// SIGKILL, at random and under a load of messages and SMS of one and three parts.
// Then it compares what the partner, the carrier and the database know: nothing that
// was accepted is lost, hardly anything is handed over twice, and what a dead worker
// held is soon done.
func TestKillDrill(t *testing.T) {
	f := newFleet(t)
	d := newKillDrill(t, f)
	p := newPartner(t, f)
	waitUntil(t, time.Minute, "the processes are ready", d.allReady)
	p.setWebhook(t, d.webs[0].url())
	var turn atomic.Int64
	l := &load{
		partner: p, clients: 16, retry: true, recipient: mixed,
		rate: max(20, int(1.2*float64(*drillSends)/(float64(*drillKills)*drillPause.Seconds()))),
		pick: func() string { return d.webs[turn.Add(1)%2].url() },
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	x := newSMSSender(t, f, p)
	go func() {
		var wg sync.WaitGroup
		wg.Go(func() { l.run(ctx) })
		wg.Go(func() { x.run(ctx, l.pick) })
		wg.Wait()
		close(done)
	}()
	began := time.Now()
	for (len(d.kills) < *drillKills || l.count() < *drillSends) && time.Since(began) < 20*time.Minute {
		d.killNext()
	}
	stop()
	<-done
	sending := time.Since(began)
	waitUntil(t, 5*time.Minute, "every job is done", func() bool { return f.unfinished() == 0 })
	d.judge(t, l, x)
	d.report(t, l, x, sending, time.Since(began)-sending)
}

// mixed sends one message in twenty to each of the recipients with messages that
// end differently.
func mixed(n int) string {
	switch n % 20 {
	case 5:
		return "+919812340001"
	case 10:
		return "+919812340003"
	case 15:
		return "+919812340004"
	}
	return ordinary
}

// judge fails the test for everything that was lost.
func (d *killDrill) judge(t *testing.T, l *load, x *smsSender) {
	t.Helper()
	for i, failure := range l.failures {
		if i < 10 {
			t.Errorf("a send came to no acceptance: %s", failure)
		}
	}
	stored := d.fleet.messageIDs()
	carried := d.fleet.handOvers()
	for id := range l.accepted {
		if !stored[id] {
			t.Errorf("message %s was accepted and is not stored", id)
		}
		if carried[id] == 0 {
			t.Errorf("message %s was accepted and never carried", id)
		}
	}
	if len(stored) != len(l.accepted) {
		t.Errorf("%d messages are stored for %d accepted sends", len(stored), len(l.accepted))
	}
	for id := range carried {
		if _, known := l.accepted[id]; !known && !x.sent(id) {
			t.Errorf("the carrier was given %s, which was never accepted", id)
		}
	}
	if want := len(l.accepted) + x.count(); len(carried) != want {
		t.Errorf("the carrier was given %d messages and parts, want %d", len(carried), want)
	}
	x.check(t, "DELIVRD")
	if missing := l.missing(); len(missing) > 0 {
		t.Errorf("%d callbacks did not come, such as %v", len(missing), missing[0])
	}
	if l.partner.unsigned > 0 {
		t.Errorf("%d callbacks had no good signature", l.partner.unsigned)
	}
	if extra := repeats(carried); extra*50 >= len(carried) {
		t.Errorf("%d of %d messages were handed over again: 2 %% or more", extra, len(carried))
	}
	gaps, kind := d.rerunGaps()
	if gap := slices.Max(append(gaps, 0)); gap > 90*time.Second {
		t.Errorf("a job of kind %s that a killed worker held was begun again after %v, want 90 s at most", kind, gap)
	}
	if n := d.fleet.countJobs(`state in ('discarded', 'cancelled')`); n > 0 {
		t.Errorf("%d jobs were given up", n)
	}
	d.fleet.checkLogs()
}

// count is how many sends were accepted so far.
func (l *load) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.accepted)
}

// checkLogs reports what no process may ever write.
func (f *fleet) checkLogs() {
	f.t.Helper()
	logs, err := filepath.Glob(filepath.Join(f.dir, "*.log"))
	if err != nil {
		f.t.Fatal(err)
	}
	for _, log := range logs {
		text, err := os.ReadFile(log)
		if err != nil {
			f.t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if bytes.Contains(line, []byte("panic")) || bytes.Contains(line, []byte("fatal error")) {
				f.t.Errorf("%s: %s", filepath.Base(log), line)
				break
			}
		}
	}
}

// repeats is how many hand-overs there were beyond the first of each message.
func repeats(carried map[string]int) (extra int) {
	for _, n := range carried {
		extra += n - 1
	}
	return extra
}

// handOvers counts the calls of the carrier by message id.
func (f *fleet) handOvers() map[string]int {
	carried := map[string]int{}
	for id, times := range f.handOverTimes() {
		carried[id] = len(times)
	}
	return carried
}

// handOverTimes are the times of the calls of the carrier by message id, in order.
func (f *fleet) handOverTimes() map[string][]time.Time {
	text, err := os.ReadFile(f.carried)
	if err != nil {
		f.t.Fatal(err)
	}
	carried := map[string][]time.Time{}
	for line := range bytes.Lines(text) {
		at, id, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		when, err := time.Parse(time.RFC3339Nano, string(at))
		if err != nil {
			f.t.Errorf("the carrier's log has the line %q", line)
		}
		carried[string(id)] = append(carried[string(id)], when)
	}
	for _, times := range carried {
		slices.SortFunc(times, time.Time.Compare)
	}
	return carried
}

func (f *fleet) messageIDs() map[string]bool {
	rows, err := f.pool.Query(f.t.Context(), "select id from messages where channel = 'messaging'")
	if err != nil {
		f.t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		f.t.Fatal(err)
	}
	stored := map[string]bool{}
	for _, id := range ids {
		stored[messaging.MessageID(id)] = true
	}
	return stored
}

func (d *killDrill) report(t *testing.T, l *load, x *smsSender, sending, draining time.Duration) {
	t.Helper()
	carried := d.fleet.handOvers()
	gaps, _ := d.rerunGaps()
	var text bytes.Buffer
	table := tabwriter.NewWriter(&text, 0, 0, 3, ' ', 0)
	row := func(name, format string, values ...any) {
		fmt.Fprintf(table, "%s\t%s\n", name, fmt.Sprintf(format, values...))
	}
	row("kills", "%d, %v", len(d.kills), d.kindsKilled())
	row("accepted sends", "%d in %v, %d repeated by clients", len(l.accepted), sending.Round(time.Second), l.retries)
	row("accepted SMS", "%d of %d parts", len(x.parts), x.count())
	row("lost", "%d", len(l.accepted)+x.count()-len(carried))
	row("handed over again", "%d (%.2f %%), all under the same id", repeats(carried), 100*float64(repeats(carried))/float64(len(carried)))
	row("  after a kill of", "%v", d.causes(d.fleet.handOverTimes()))
	row("callbacks", "%d, %d repeated", len(l.partner.received), l.partner.repeated)
	row("jobs that a killed worker held", "%d", len(gaps))
	row("  begun again after", "%v at most, %v in the middle", slices.Max(append(gaps, 0)).Round(time.Millisecond), middle(gaps).Round(time.Millisecond))
	row("processes that ended by themselves", "%d (a start while PostgreSQL is down)", d.ownEnds.Load())
	row("drained in", "%v", draining.Round(time.Second))
	table.Flush()
	t.Logf("\n%s", text.String())
}

func middle(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(d))[len(d)/2]
}
