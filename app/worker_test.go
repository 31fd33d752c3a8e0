//go:build linux

package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heliograph/app/config"
	"heliograph/db/dbtest"
	"heliograph/jobs/args"
)

// A worker leaves jobs alone while its clock is wrong, and goes on when the clock is
// right again.
func TestWorkerWaitsForItsClock(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	address := pool.Config().ConnString()
	if strings.Contains(address, "?") {
		address += "&"
	} else {
		address += "?"
	}
	c, err := config.Load([]string{"DATABASE_URL=" + address + "search_path=public,pg_catalog", "STORAGE_FOLDER=" + t.TempDir(), "ENCRYPTION_KEYS=k1:" + strings.Repeat("A", 43) + "="}, config.Everything)
	if err != nil {
		t.Fatal(err)
	}
	p, err := openPlatform(t.Context(), c, "worker", 10)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	w, err := newWorker(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	set := func(back string) {
		t.Helper()
		if _, err := pool.Exec(t.Context(), `create or replace function public.clock_timestamp() returns timestamptz language sql as $$ select pg_catalog.clock_timestamp() - interval '`+back+`' $$`); err != nil {
			t.Fatal(err)
		}
		for want := back == "0"; p.clock.IsRight() != want; time.Sleep(10 * time.Millisecond) {
			if err := p.clock.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	set("1 hour")
	go func() { ended <- w.run(ctx) }()
	job := insertJob(t, w, pool)
	time.Sleep(2 * time.Second)
	if state := jobState(t, pool, job); state != "available" {
		t.Errorf("a worker whose clock is an hour ahead leaves its job %s", state)
	}
	set("0")
	waitUntil(t, time.Minute, "the worker starts when its clock is right", func() bool { return jobState(t, pool, job) == "completed" })
	set("-1 hour")
	waitUntil(t, time.Minute, "the worker stops when its clock is wrong", func() bool {
		select {
		case <-w.client.Stopped():
			return true
		default:
			return false
		}
	})
	job = insertJob(t, w, pool)
	time.Sleep(2 * time.Second)
	if state := jobState(t, pool, job); state != "available" {
		t.Errorf("a worker whose clock is an hour behind leaves its job %s", state)
	}
	set("0")
	waitUntil(t, time.Minute, "the worker goes on", func() bool { return jobState(t, pool, job) == "completed" })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func insertJob(t *testing.T, w *workerProcess, pool *pgxpool.Pool) int64 {
	t.Helper()
	tx, err := pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stored, err := w.client.InsertTx(t.Context(), tx, args.CountUsage{}, &river.InsertOpts{UniqueOpts: river.UniqueOpts{}})
	if err == nil {
		err = tx.Commit(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return stored.Job.ID
}

func jobState(t *testing.T, pool *pgxpool.Pool, id int64) (state string) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), `select state from river.river_job where id = $1`, id).Scan(&state); err != nil {
		t.Fatal(err)
	}
	return state
}
