package jobs

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels/carry"
	"heliograph/jobs/args"
)

// riverDriver names the driver to river.JobCompleteTx.
type riverDriver = riverpgxv5.Driver

var errNoClient = errors.New("the job runs without its client")

// carrying returns what the hand-over of messages needs of the dependencies.
func (d Deps) carrying() carry.Options {
	return carry.Options{
		Pool: d.Pool, Signals: d.Signals, Keyring: d.Keyring, Channels: d.Channels, Carrier: d.Carrier, Routes: d.Routes, Files: d.Files, Quotas: d.Quotas,
		Gateways: d.Gateways, CarrierFiles: d.CarrierFiles, Store: d.Store, PublicURL: d.PublicURL,
	}
}

// runOf returns the run of a job for the rule that ends it.
func runOf[T river.JobArgs](ctx context.Context, job *river.Job[T]) args.Run {
	run := args.Run{JobID: job.ID, CreatedAt: job.CreatedAt, Attempt: job.Attempt, Snoozes: snoozes(job.Metadata)}
	if client, err := river.ClientFromContextSafely[pgx.Tx](ctx); err == nil {
		run.Inserter = client
	}
	return run
}

// snoozes is how often a job was snoozed, which River counts in its metadata.
func snoozes(metadata []byte) int {
	var m struct{ Snoozes int }
	_ = json.Unmarshal(metadata, &m) // what cannot be read counts as none
	return max(m.Snoozes, 0)
}
