//go:build linux

package main

import (
	"context"
	"log/slog"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/db"
)

// BenchmarkCallback measures the time from the reply to a send until the first
// callback about it, and until the last, at 200 messages a second. Some messages go
// first, and the database takes statistics of them, as its autovacuum does within a
// minute: until then it plans for empty tables.
func BenchmarkCallback(b *testing.B) {
	f := newFleet(b)
	p := newPartner(b, f)
	web := f.start("web")
	f.start("worker")
	p.setWebhook(b, web.url)
	send := func(l *load, d time.Duration) {
		l.partner, l.clients, l.pick = p, 64, func() string { return web.url }
		ctx, stop := context.WithTimeout(b.Context(), d)
		defer stop()
		l.run(ctx)
		waitUntil(b, 2*time.Minute, "every callback has come", func() bool { return len(l.missing()) == 0 })
		if len(l.failures) > 0 {
			b.Fatalf("%d requests failed, such as %s", len(l.failures), l.failures[0])
		}
	}
	send(&load{name: "first-", rate: 100}, 10*time.Second)
	if _, err := f.pool.Exec(b.Context(), `vacuum analyze`); err != nil {
		b.Fatal(err)
	}
	l := &load{rate: 200}
	send(l, 20*time.Second)
	var first, last []time.Duration
	for id, send := range l.accepted {
		first = append(first, p.received[callback{id, "sent"}].Sub(send.at))
		last = append(last, p.received[callback{id, "read"}].Sub(send.at))
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(len(l.accepted))/20, "sends/s")
	b.ReportMetric(ms(percentile(first, 50)), "p50-ms")
	b.ReportMetric(ms(percentile(first, 99)), "p99-ms")
	b.ReportMetric(ms(percentile(last, 50)), "last-p50-ms")
	b.ReportMetric(ms(percentile(last, 99)), "last-p99-ms")
}

// backlog is how many messages, and jobs that do nothing, are waiting. The start of
// the worker is measured with them, so they take many times as long.
const backlog = 80_000

// BenchmarkBacklog measures how fast one worker process hands a backlog of
// messages over, against the jobs that do nothing which the job queue works
// off by itself on the same database.
func BenchmarkBacklog(b *testing.B) {
	f := newFleet(b)
	p := newPartner(b, f)
	web := f.start("web")
	f.fill(b, p, web)
	web.end(syscall.SIGTERM)
	began := time.Now()
	worker := f.start("worker")
	waitUntil(b, 5*time.Minute, "every message is handed over", func() bool {
		return f.countJobs(`kind in ('carry_message', 'carry_messages') and state <> 'completed'`) == 0
	})
	carrying := time.Since(began)
	waitUntil(b, 5*time.Minute, "every job is done", func() bool { return f.unfinished() == 0 })
	worker.end(syscall.SIGTERM)

	idle := f.workIdleJobs(b)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(f.countMessages(b))/carrying.Seconds(), "messages/s")
	b.ReportMetric(backlog/idle.Seconds(), "idle-jobs/s")
	b.ReportMetric(float64(f.countMessages(b))/backlog*idle.Seconds()/carrying.Seconds(), "ratio")
}

// fill has messages accepted until the backlog is complete.
func (f *fleet) fill(b *testing.B, p *partner, web *process) {
	b.Helper()
	send := request{
		method: http.MethodPost, url: web.url + "/v3/" + p.PhoneNumberID + "/messages",
		header: map[string]string{"apikey": p.APIKey, "Content-Type": "application/json"},
		body:   string(p.messageBody(ordinary, "order-1")),
	}
	for f.countMessages(b) < backlog {
		hammer(b, 64, send)
	}
}

// countMessages counts the messages, of which several may share a job.
func (f *fleet) countMessages(b *testing.B) (n int) {
	b.Helper()
	if err := f.pool.QueryRow(b.Context(), `select count(*) from messages`).Scan(&n); err != nil {
		b.Fatal(err)
	}
	return n
}

// idleJob is a job that does nothing.
type idleJob struct{}

func (idleJob) Kind() string { return "idle" }

// workIdleJobs is how long the job queue takes for a backlog of jobs that do
// nothing, in this process and with the settings of its own benchmark.
func (f *fleet) workIdleJobs(b *testing.B) time.Duration {
	b.Helper()
	ctx := b.Context()
	pool, err := db.Open(ctx, f.cluster.URL, db.Options{MaxConns: 30, Application: "idle"})
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(context.Context, *river.Job[idleJob]) error { return nil }))
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Schema: db.RiverSchema, Workers: workers, Logger: slog.New(slog.DiscardHandler), FetchCooldown: time.Millisecond,
		Queues: map[string]river.QueueConfig{"idle": {MaxWorkers: 2000}},
	})
	if err != nil {
		b.Fatal(err)
	}
	err = db.InTx(ctx, pool, func(tx pgx.Tx) error {
		params := make([]river.InsertManyParams, backlog)
		for i := range params {
			params[i] = river.InsertManyParams{Args: idleJob{}, InsertOpts: &river.InsertOpts{Queue: "idle"}}
		}
		_, err := client.InsertManyFastTx(ctx, tx, params)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	began := time.Now()
	if err := client.Start(running); err != nil {
		b.Fatal(err)
	}
	waitUntil(b, 5*time.Minute, "the idle jobs are done", func() bool {
		return f.countJobs(`kind = 'idle' and state <> 'completed'`) == 0
	})
	took := time.Since(began)
	stop()
	<-client.Stopped()
	return took
}
