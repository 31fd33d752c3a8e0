package jobs

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"heliograph/app/channels"
	"heliograph/app/channels/carry"
)

// riverDriver names the driver to river.JobCompleteTx.
type riverDriver = riverpgxv5.Driver

var errNoClient = errors.New("the job runs without its client")

// carrying returns what the hand-over of messages needs of the dependencies.
func (d Deps) carrying() carry.Options {
	return carry.Options{
		Pool: d.Pool, Signals: d.Signals, Keyring: d.Keyring, Channels: channels.All, Carrier: d.Carrier, Routes: d.Routes, Files: d.Files, Quotas: d.Quotas,
		Gateways: d.Gateways, CarrierFiles: d.CarrierFiles, Store: d.Store, PublicURL: d.PublicURL,
	}
}

// carried returns a job as the hand-over of messages knows it.
func carried[T river.JobArgs](ctx context.Context, job *river.Job[T]) carry.Job {
	c := carry.Job{ID: job.ID, Attempt: job.Attempt, Failures: snoozes(job.Metadata)}
	if client, err := river.ClientFromContextSafely[pgx.Tx](ctx); err == nil {
		c.Inserter = client
	}
	return c
}

// snoozes is how often a job was snoozed, which River counts in its metadata:
// here, how often the carrier failed.
func snoozes(metadata []byte) int {
	var m struct{ Snoozes int }
	_ = json.Unmarshal(metadata, &m) // what cannot be read begins with short pauses again
	return max(m.Snoozes, 0)
}
