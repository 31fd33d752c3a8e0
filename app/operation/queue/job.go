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

	"heliograph/app/fault"
	"heliograph/app/lists"
	"heliograph/app/operation/audit"
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
	Errors               []failure // the oldest first
	CanRetry, CanCancel  bool
	// Work names what the job works on and what ends if it is cancelled, or is
	// empty. List leaves it out.
	Work string
}

// failure is a failed attempt.
type failure struct {
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
	return lists.Map(rivertype.JobStates(), func(s rivertype.JobState) string { return string(s) })
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
		page.Jobs = lists.Map(found.Jobs, newJob)
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
		row, err := c.row(ctx, tx, id)
		if err != nil {
			return err
		}
		job = newJob(row)
		w, err := c.work(ctx, tx, row)
		job.Work = w.name
		return err
	})
	return job, err
}

func (c *Control) row(ctx context.Context, tx pgx.Tx, id int64) (*rivertype.JobRow, error) {
	row, err := c.river.JobGetTx(ctx, tx, id)
	if errors.Is(err, river.ErrNotFound) {
		return nil, fault.New(fault.NotFound, "This job does not exist. Completed jobs are kept for an hour, failed ones for 30 days.")
	}
	if err != nil {
		return nil, fmt.Errorf("looking a job up: %w", err)
	}
	return row, nil
}

// Retry runs a failed, cancelled or waiting job at once. A running or completed
// job is a Conflict.
func (c *Control) Retry(ctx context.Context, id int64, actor string) error {
	return db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		row, err := c.row(ctx, tx, id)
		if err != nil {
			return err
		}
		before := newJob(row)
		if !before.CanRetry {
			return errUnchanged(before)
		}
		after, err := c.river.JobRetryTx(ctx, tx, id)
		if err != nil {
			return fmt.Errorf("retrying a job: %w", err)
		}
		return record(ctx, tx, before, string(after.State), change{actor: actor, action: "job.retry"})
	})
}

// change is what the audit says about a changed job.
type change struct {
	actor, action string
	ended         string // with the job
}

func record(ctx context.Context, tx pgx.Tx, before Job, state string, c change) error {
	e := audit.Entry{Actor: c.actor, Action: c.action, Target: fmt.Sprintf("job:%d", before.ID)}
	e.Details = audit.Changes(map[string]any{"state": before.State}, map[string]any{"state": state})
	e.Details["kind"], e.Details["queue"] = before.Kind, before.Queue
	if c.ended != "" {
		e.Details["ended"] = c.ended
	}
	return audit.Record(ctx, tx, e)
}

func newJob(row *rivertype.JobRow) Job {
	job := Job{
		ID: row.ID, Kind: row.Kind, Queue: row.Queue, State: string(row.State), Attempt: row.Attempt, MaxAttempts: row.MaxAttempts,
		CreatedAt: row.CreatedAt, ScheduledAt: row.ScheduledAt, FinalizedAt: row.FinalizedAt,
		CanRetry:  row.State != rivertype.JobStateRunning && row.State != rivertype.JobStateCompleted && row.State != rivertype.JobStateAvailable,
		CanCancel: row.FinalizedAt == nil,
	}
	for _, e := range row.Errors {
		job.Errors = append(job.Errors, failure{Attempt: e.Attempt, At: e.At, Text: RedactSecrets(e.Error)})
	}
	return job
}
