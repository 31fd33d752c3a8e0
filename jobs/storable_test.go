package jobs_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/jobs"
)

// oddJob fails with a text from outside, or is done.
type oddJob struct {
	Fails bool `json:"fails"`
}

// Kind returns the kind.
func (oddJob) Kind() string { return "odd" }

// oddWorker works them.
type oddWorker struct{ river.WorkerDefaults[oddJob] }

// Work fails as asked.
func (oddWorker) Work(_ context.Context, job *river.Job[oddJob]) error {
	if job.Args.Fails {
		return errors.Join(io.ErrUnexpectedEOF, errors.New("the upstream says \x00 and \xff"))
	}
	return nil
}

// A job that fails with bytes that cannot be stored is stored as failed, and so are the
// jobs that end beside it.
func TestErrorsOfJobsCanBeStored(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	workers := river.NewWorkers()
	river.AddWorker(workers, &oddWorker{})
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Schema: db.RiverSchema, Workers: workers, Queues: map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 10}},
		Middleware: []rivertype.Middleware{jobs.Storable()}, Logger: slog.New(slog.DiscardHandler), MaxAttempts: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, fails := range []bool{true, false, false} {
		if _, err := client.Insert(t.Context(), oddJob{fails}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := client.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer client.Stop(context.WithoutCancel(t.Context())) //nolint:errcheck // the test is over
	var failed, done int
	for deadline := time.Now().Add(60 * time.Second); failed != 1 || done != 2; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d jobs are stored as failed and %d as done", failed, done)
		}
		const count = `select count(*) filter (where cardinality(errors) > 0), count(*) filter (where state = 'completed') from river.river_job where kind = 'odd'`
		if err := pool.QueryRow(t.Context(), count).Scan(&failed, &done); err != nil {
			t.Fatal(err)
		}
	}
}
