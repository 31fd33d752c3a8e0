//go:build drill && linux

package main

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// killDrill keeps two web and two worker processes running, as a supervisor
// does, and kills them.
type killDrill struct {
	fleet         *fleet
	webs, workers []*member
	kills         []kill // in order
	ownEnds       atomic.Int64

	asking sync.WaitGroup // questions about what dead workers held
	mu     sync.Mutex
	held   []heldJob
}

// member is a process that is started again whenever it ends.
type member struct {
	command, address string
	current          atomic.Pointer[process]
}

func (m *member) url() string { return "http://" + m.address }

// kill is one of a web process, a worker or PostgreSQL.
type kill struct {
	what string
	at   time.Time
}

// kindsKilled counts the kills by what was killed.
func (d *killDrill) kindsKilled() map[string]int {
	kinds := map[string]int{}
	for _, k := range d.kills {
		kinds[k.what]++
	}
	return kinds
}

// causes counts the hand-overs that were made again by what was killed first after the
// earlier one.
func (d *killDrill) causes(handOvers map[string][]time.Time) map[string]int {
	causes := map[string]int{}
	for _, times := range handOvers {
		for i, again := range times[1:] {
			cause := "nothing"
			for _, k := range d.kills {
				if k.at.After(times[i]) && k.at.Before(again) {
					cause = k.what
					break
				}
			}
			causes[cause]++
		}
	}
	return causes
}

// heldJob is a job that a worker had under way when it was killed.
type heldJob struct {
	id      int64
	kind    string
	attempt int
	begun   time.Time // this attempt
	killed  time.Time
}

func newKillDrill(t *testing.T, f *fleet) *killDrill {
	t.Helper()
	d := &killDrill{fleet: f}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var wg sync.WaitGroup
	t.Cleanup(func() { stop(); wg.Wait() })
	for _, command := range []string{"web", "web", "worker", "worker"} {
		m := &member{command: command, address: freeAddress()}
		if command == "web" {
			d.webs = append(d.webs, m)
		} else {
			d.workers = append(d.workers, m)
		}
		wg.Go(func() { d.supervise(ctx, m) })
	}
	return d
}

// supervise starts a member, and starts it again half a second after its end.
func (d *killDrill) supervise(ctx context.Context, m *member) {
	for ctx.Err() == nil {
		p, err := d.fleet.launch(m.command, m.address)
		if err != nil {
			d.fleet.t.Errorf("starting a %s process: %v", m.command, err)
			return
		}
		m.current.Store(p)
		select {
		case <-p.exited:
			if !p.killed() {
				d.ownEnds.Add(1)
			}
		case <-ctx.Done():
			p.end(syscall.SIGKILL)
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// killed reports whether a process that is gone was killed.
func (p *process) killed() bool {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

func (d *killDrill) allReady() bool {
	for _, m := range append(d.webs, d.workers...) {
		if statusOf(m.url()+"/readyz") != 200 {
			return false
		}
	}
	return true
}

// killNext waits a while and kills something that runs: PostgreSQL one time in
// five, else a web process or a worker.
func (d *killDrill) killNext() {
	time.Sleep(time.Duration((0.5 + rand.Float64()) * float64(*drillPause)))
	switch n := rand.IntN(5); {
	case n == 0:
		d.killPostgres()
	case n < 3:
		d.killMember(d.webs[rand.IntN(2)])
	default:
		d.killMember(d.workers[rand.IntN(2)])
	}
}

// killPostgres kills the postmaster; its backends notice and end. The cluster
// waits for them and starts the server again.
func (d *killDrill) killPostgres() {
	if d.fleet.unfinished() < 0 {
		return // down already
	}
	text, err := os.ReadFile(filepath.Join(d.fleet.dir, "postgres", "data", "postmaster.pid"))
	if err != nil {
		return
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err == nil && syscall.Kill(pid, syscall.SIGKILL) == nil {
		d.kills = append(d.kills, kill{"postgres", time.Now()})
	}
}

// killMember kills a process that is at work, and asks what a worker held.
func (d *killDrill) killMember(m *member) {
	p := m.current.Load()
	if statusOf(p.url+"/readyz") != 200 {
		return
	}
	at := time.Now()
	p.end(syscall.SIGKILL)
	d.kills = append(d.kills, kill{m.command, at})
	if m.command == "worker" {
		d.asking.Go(func() { d.ask(p, at) })
	}
}

// ask notes the jobs that a dead worker held for partners and people, as soon as the
// database answers. Those of the default queue come back by their schedule.
func (d *killDrill) ask(p *process, killed time.Time) {
	client := clientID(p.written())
	for end := time.Now().Add(time.Minute); client != "" && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		rows, err := d.fleet.pool.Query(ctx, `
			select id, kind, attempt, attempted_at from river.river_job
			where state = 'running' and queue <> 'default' and attempted_by[array_upper(attempted_by, 1)] = $1`, client)
		if err == nil {
			var jobs []heldJob
			jobs, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (heldJob, error) {
				job := heldJob{killed: killed}
				return job, row.Scan(&job.id, &job.kind, &job.attempt, &job.begun)
			})
			if err == nil {
				d.mu.Lock()
				d.held = append(d.held, jobs...)
				d.mu.Unlock()
			}
		}
		cancel()
		if err == nil {
			return
		}
	}
	d.fleet.t.Errorf("what the worker %q held was not found out", client)
}

// clientID is the name under which a worker takes jobs, as its log tells.
func clientID(log string) string {
	_, rest, _ := strings.Cut(log, `"client_id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

// rerunGaps are the times from a kill to the next attempt at each job that the
// dead worker held, and the kind of the job that waited longest.
func (d *killDrill) rerunGaps() (gaps []time.Duration, slowest string) {
	d.asking.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	type try struct {
		job     int64
		attempt int
	}
	begun := map[try]time.Time{}
	var longest time.Duration
	for _, j := range d.held {
		begun[try{j.id, j.attempt}] = j.begun
	}
	for _, j := range d.held {
		var attempt int
		var last time.Time
		var failed *time.Time
		err := d.fleet.pool.QueryRow(context.Background(), `
			select attempt, attempted_at,
				(select (e->>'at')::timestamptz from unnest(errors) e where (e->>'attempt')::int = $2 order by 1 limit 1)
			from river.river_job where id = $1`, j.id, j.attempt+1).Scan(&attempt, &last, &failed)
		if err != nil {
			d.fleet.t.Errorf("job %d is gone: %v", j.id, err)
			continue
		}
		again, known := begun[try{j.id, j.attempt + 1}]
		switch {
		case attempt == j.attempt:
			continue // its last commit arrived after the kill
		case known:
		case attempt > j.attempt+1 && failed != nil:
			again = *failed // it failed without a kill, and began before
		default:
			again = last
		}
		gap := again.Sub(j.killed)
		if gap > longest {
			longest, slowest = gap, j.kind
		}
		gaps = append(gaps, gap)
	}
	return gaps, slowest
}
