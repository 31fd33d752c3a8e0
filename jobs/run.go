package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/db"
	"heliograph/jobs/args"
)

// riverDriver names the driver to river.JobCompleteTx.
type riverDriver = riverpgxv5.Driver

var errNoClient = errors.New("the job runs without its client")

// runOf returns the run of a job for the rule that ends it.
func runOf[T river.JobArgs](ctx context.Context, job *river.Job[T]) args.Run {
	run := args.Run{JobID: job.ID, CreatedAt: job.CreatedAt, Attempt: job.Attempt, Snoozes: snoozes(job.Metadata)}
	if client, err := clientOf(ctx); err == nil {
		run.Inserter = client
	}
	return run
}

// clientOf returns the client that runs a job, to insert further ones.
func clientOf(ctx context.Context) (*river.Client[pgx.Tx], error) {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return nil, errNoClient
	}
	return client, nil
}

// completing returns what completes a job in the transaction of its effect.
func completing[T river.JobArgs](ctx context.Context, job *river.Job[T]) func(pgx.Tx) error {
	return func(tx pgx.Tx) error {
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	}
}

// once does something in one transaction with the completion of its job.
func once[T river.JobArgs](ctx context.Context, b db.Beginner, job *river.Job[T], do func(tx pgx.Tx) error) error {
	return db.InTx(ctx, b, func(tx pgx.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return completing(ctx, job)(tx)
	})
}

// orAgain puts a job off that is to run again after a pause. It counts as no attempt.
func orAgain(pause time.Duration, err error) error {
	if err == nil && pause > 0 {
		return river.JobSnooze(pause)
	}
	return err
}

// snoozes is how often a job was snoozed, which River counts in its metadata.
func snoozes(metadata []byte) int {
	var m struct{ Snoozes int }
	_ = json.Unmarshal(metadata, &m) // what cannot be read counts as none
	return max(m.Snoozes, 0)
}
