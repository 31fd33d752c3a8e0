package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/jobs/args"
)

// work does a job of one kind.
type work[T river.JobArgs] func(context.Context, *river.Job[T]) error

// worker is the worker of one kind of jobs.
type worker[T river.JobArgs] struct {
	river.WorkerDefaults[T]
	work    work[T]
	timeout func(*river.Job[T]) time.Duration // zero stands for the client's JobTimeout
}

// Timeout is how long an attempt may take.
func (w *worker[T]) Timeout(job *river.Job[T]) time.Duration { return w.timeout(job) }

// Work does the job.
func (w *worker[T]) Work(ctx context.Context, job *river.Job[T]) error { return w.work(ctx, job) }

// add adds the worker of one kind of jobs, with the timeout of the client.
func add[T river.JobArgs](w *river.Workers, do work[T]) { addSlow(w, 0, do) }

// addSlow is add for jobs that may take longer than others.
func addSlow[T river.JobArgs](w *river.Workers, timeout time.Duration, do work[T]) {
	river.AddWorker(w, &worker[T]{work: do, timeout: func(*river.Job[T]) time.Duration { return timeout }})
}

// ruled has a rule do the job and end it with its effect.
func ruled[T river.JobArgs](rule func(context.Context, args.Run, T) error) work[T] {
	return func(ctx context.Context, job *river.Job[T]) error { return rule(ctx, runOf(ctx, job), job.Args) }
}

// inserting does a job that inserts further ones.
func inserting[T river.JobArgs](do func(context.Context, *river.Client[pgx.Tx], *river.Job[T]) error) work[T] {
	return func(ctx context.Context, job *river.Job[T]) error {
		client, err := clientOf(ctx)
		if err != nil {
			return err
		}
		return do(ctx, client, job)
	}
}
