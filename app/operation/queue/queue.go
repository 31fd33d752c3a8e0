// Package queue lets administrators inspect the job queues, retry and cancel
// jobs, and pause and resume queues. Cancelling a job ends what it works on, so
// that no message waits for a job that is gone. Every change is recorded in the
// audit. Payloads are not shown, because they contain only ids, and the objects have their
// own pages.
package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
	"heliograph/jobs/args"
)

// River is the part of a River client that is used here.
type River interface {
	args.Inserter
	JobGetTx(ctx context.Context, tx pgx.Tx, id int64) (*rivertype.JobRow, error)
	JobListTx(ctx context.Context, tx pgx.Tx, params *river.JobListParams) (*river.JobListResult, error)
	JobRetryTx(ctx context.Context, tx pgx.Tx, id int64) (*rivertype.JobRow, error)
	JobCancelTx(ctx context.Context, tx pgx.Tx, id int64) (*rivertype.JobRow, error)
	QueueGetTx(ctx context.Context, tx pgx.Tx, name string) (*rivertype.Queue, error)
	QueueListTx(ctx context.Context, tx pgx.Tx, params *river.QueueListParams) (*river.QueueListResult, error)
	QueuePauseTx(ctx context.Context, tx pgx.Tx, name string, opts *river.QueuePauseOpts) error
	QueueResumeTx(ctx context.Context, tx pgx.Tx, name string, opts *river.QueuePauseOpts) error
}

// Control inspects and changes the queues.
type Control struct {
	db      db.Beginner
	river   River
	endings endings
}

// endings ends what jobs work on, by the rules of its wing.
type endings interface {
	// Message returns the public id of a message that was not handed over, and what
	// fails it for the reason; end is nil if nothing is left to fail.
	Message(ctx context.Context, tx pgx.Tx, jobs args.Inserter, id uuid.UUID, reason string) (publicID string, end func(context.Context, pgx.Tx) error, err error)
	// Callback fails a callback that still waits.
	Callback(ctx context.Context, tx pgx.Tx, id int64) error
	// Notification returns the name of an SMS or email and what cancels it; end is nil
	// if there is none.
	Notification(ctx context.Context, tx pgx.Tx, id uuid.UUID) (name string, end func(context.Context, pgx.Tx) error, err error)
	// Code ends the request for a code.
	Code(ctx context.Context, tx pgx.Tx, challenge uuid.UUID) error
}

// New returns a Control for a database and its job client. What jobs work on that are
// cancelled ends by endings.
func New(b db.Beginner, client River, ends endings) *Control {
	return &Control{b, client, ends}
}

// Queue is a queue with recent workers or jobs, and the number of its jobs in each
// state. Completed jobs are not counted.
type Queue struct {
	Name     string
	PausedAt *time.Time
	Jobs     map[string]int64 // state → jobs, up to models.OverviewLimit
	// Oldest is when the oldest available job became due.
	Oldest *time.Time
}

// Queues lists the queues by name.
func (c *Control) Queues(ctx context.Context) ([]Queue, error) {
	var list []Queue
	err := db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		known, err := c.river.QueueListTx(ctx, tx, river.NewQueueListParams().First(100))
		if err != nil {
			return fmt.Errorf("listing the queues: %w", err)
		}
		counts, err := queries.JobCounts(ctx, tx)
		if err != nil {
			return fmt.Errorf("counting jobs: %w", err)
		}
		list = mergeCounts(known.Queues, counts)
		return nil
	})
	return list, err
}

// mergeCounts adds the counts to the queues. A queue that has jobs but no worker
// is included.
func mergeCounts(known []*rivertype.Queue, counts []models.JobCount) []Queue {
	var list []Queue
	at := map[string]int{}
	place := func(name string) *Queue {
		if _, ok := at[name]; !ok {
			at[name] = len(list)
			list = append(list, Queue{Name: name, Jobs: map[string]int64{}})
		}
		return &list[at[name]]
	}
	for _, q := range known {
		place(q.Name).PausedAt = q.PausedAt
	}
	for _, n := range counts {
		q := place(n.Queue)
		q.Jobs[n.State] = n.Jobs
		if n.State == string(rivertype.JobStateAvailable) {
			q.Oldest = &n.Oldest
		}
	}
	return list
}

// Pause stops all workers from starting jobs of a queue. An unknown queue is
// NotFound, one that is already paused a Conflict.
func (c *Control) Pause(ctx context.Context, name, actor string) error {
	return c.setPaused(ctx, name, actor, true)
}

// Resume lets workers start jobs of a paused queue again.
func (c *Control) Resume(ctx context.Context, name, actor string) error {
	return c.setPaused(ctx, name, actor, false)
}

func (c *Control) setPaused(ctx context.Context, name, actor string, pause bool) error {
	action, change, already := "queue.resume", c.river.QueueResumeTx, "The queue is not paused."
	if pause {
		action, change, already = "queue.pause", c.river.QueuePauseTx, "The queue is already paused."
	}
	return db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		q, err := c.river.QueueGetTx(ctx, tx, name)
		if errors.Is(err, river.ErrNotFound) {
			return fault.New(fault.NotFound, "This queue does not exist.")
		}
		if err != nil {
			return fmt.Errorf("looking a queue up: %w", err)
		}
		if pause == (q.PausedAt != nil) {
			return fault.New(fault.Conflict, "%s", already)
		}
		if err := change(ctx, tx, name, nil); err != nil {
			return fmt.Errorf("changing a queue: %w", err)
		}
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: action, Target: "queue:" + name,
			Details: audit.Changes(map[string]any{"paused": !pause}, map[string]any{"paused": pause}),
		})
	})
}
