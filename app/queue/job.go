package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/audit"
	"heliograph/app/fault"
	"heliograph/db"
)

// Job is a job without its payload.
type Job struct {
	ID                   int64
	Kind, Queue, State   string
	Attempt, MaxAttempts int
	CreatedAt            time.Time
	ScheduledAt          time.Time // when it is or was due to run
	FinalizedAt          *time.Time
	Errors               []Failure // the oldest first
	CanRetry, CanCancel  bool
}

// Failure is a failed attempt.
type Failure struct {
	Attempt int
	At      time.Time
	Text    string
}

// Filter selects jobs. Empty fields select all jobs, an empty State all that are
// not completed.
type Filter struct {
	State, Queue, Kind string
	After              string // cursor of the previous page
	OldestFirst        bool
}

// Page is a page of jobs and the cursor of the next page if
// there is one.
type Page struct {
	Jobs []Job
	Next string
}

// states lists every state that a job can be in.
func states() []string {
	var states []string
	for _, s := range rivertype.JobStates() {
		states = append(states, string(s))
	}
	return states
}

// List returns at most n jobs that match the filter. An unknown state or a
// malformed cursor is Invalid.
func (c *Control) List(ctx context.Context, f Filter, n int) (Page, error) {
	order := river.SortOrderDesc
	if f.OldestFirst {
		order = river.SortOrderAsc
	}
	params := river.NewJobListParams().OrderBy(river.JobListOrderByID, order).First(n)
	switch {
	case f.State == "":
		open := slices.DeleteFunc(rivertype.JobStates(), func(s rivertype.JobState) bool { return s == rivertype.JobStateCompleted })
		params = params.States(open...)
	case !slices.Contains(states(), f.State):
		return Page{}, fault.New(fault.Invalid, "Choose a state from the list.")
	default:
		params = params.States(rivertype.JobState(f.State))
	}
	if f.Queue != "" {
		params = params.Queues(f.Queue)
	}
	if f.Kind != "" {
		params = params.Kinds(f.Kind)
	}
	if f.After != "" {
		cursor := new(river.JobListCursor)
		if cursor.UnmarshalText([]byte(f.After)) != nil {
			return Page{}, fault.New(fault.Invalid, "The URL of this page is invalid. Open the list again from the menu.")
		}
		params = params.After(cursor)
	}
	var page Page
	err := db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		found, err := c.river.JobListTx(ctx, tx, params)
		if err != nil {
			return fmt.Errorf("listing jobs: %w", err)
		}
		for _, row := range found.Jobs {
			page.Jobs = append(page.Jobs, newJob(row))
		}
		if len(found.Jobs) == n && found.LastCursor != nil {
			text, err := found.LastCursor.MarshalText()
			page.Next = string(text)
			return err
		}
		return nil
	})
	return page, err
}

// Get returns a job. An unknown one is NotFound.
func (c *Control) Get(ctx context.Context, id int64) (job Job, err error) {
	err = db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		job, err = c.get(ctx, tx, id)
		return err
	})
	return job, err
}

func (c *Control) get(ctx context.Context, tx pgx.Tx, id int64) (Job, error) {
	row, err := c.river.JobGetTx(ctx, tx, id)
	if errors.Is(err, river.ErrNotFound) {
		return Job{}, fault.New(fault.NotFound, "This job does not exist. Completed jobs are kept for an hour, failed ones for 30 days.")
	}
	if err != nil {
		return Job{}, fmt.Errorf("looking a job up: %w", err)
	}
	return newJob(row), nil
}

// Retry runs a failed, cancelled or waiting job at once. A running or completed
// job is a Conflict.
func (c *Control) Retry(ctx context.Context, id int64, actor string) error {
	return c.change(ctx, id, audit.Entry{Actor: actor, Action: "job.retry"}, c.river.JobRetryTx)
}

// Cancel cancels a waiting job and asks a running one to stop. A job that has
// ended is a Conflict.
func (c *Control) Cancel(ctx context.Context, id int64, actor string) error {
	return c.change(ctx, id, audit.Entry{Actor: actor, Action: "job.cancel"}, c.river.JobCancelTx)
}

func (c *Control) change(ctx context.Context, id int64, e audit.Entry, apply func(context.Context, pgx.Tx, int64) (*rivertype.JobRow, error)) error {
	return db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		before, err := c.get(ctx, tx, id)
		if err != nil {
			return err
		}
		if allowed := e.Action == "job.retry" && before.CanRetry || e.Action == "job.cancel" && before.CanCancel; !allowed {
			return fault.New(fault.Conflict, "The job is %s. Nothing was changed.", before.State)
		}
		after, err := apply(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("changing a job: %w", err)
		}
		e.Target = fmt.Sprintf("job:%d", id)
		e.Details = audit.Changes(map[string]any{"state": before.State}, map[string]any{"state": string(after.State)})
		e.Details["kind"], e.Details["queue"] = before.Kind, before.Queue
		return audit.Record(ctx, tx, e)
	})
}

func newJob(row *rivertype.JobRow) Job {
	job := Job{
		ID: row.ID, Kind: row.Kind, Queue: row.Queue, State: string(row.State), Attempt: row.Attempt, MaxAttempts: row.MaxAttempts,
		CreatedAt: row.CreatedAt, ScheduledAt: row.ScheduledAt, FinalizedAt: row.FinalizedAt,
		CanRetry:  row.State != rivertype.JobStateRunning && row.State != rivertype.JobStateCompleted && row.State != rivertype.JobStateAvailable,
		CanCancel: row.FinalizedAt == nil,
	}
	for _, e := range row.Errors {
		job.Errors = append(job.Errors, Failure{Attempt: e.Attempt, At: e.At, Text: RedactSecrets(e.Error)})
	}
	return job
}
