package jobs

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/trace"
	"heliograph/db/queries"
)

// traced adds attempts at the jobs of messages to the traces of the requests that
// sent them.
type traced struct {
	river.MiddlewareDefaults
	pool *pgxpool.Pool
}

// Work is called around every attempt.
func (t *traced) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	if !trace.Enabled() {
		return work(ctx)
	}
	outcome := outcomeOf(job, errPanicked)
	within, end := trace.StartJob(ctx, trace.Job{ID: job.ID, Kind: job.Kind, Attempt: job.Attempt, Waited: time.Since(job.ScheduledAt)}, t.parents(ctx, job))
	defer func() { end(outcome) }()
	err := work(within)
	outcome = outcomeOf(job, err)
	return err
}

// parents returns the traces that a job serves. A job that has none is no part of a
// trace.
func (t *traced) parents(ctx context.Context, job *rivertype.JobRow) []string {
	var a struct {
		MessageID  *uuid.UUID  `json:"message_id"`
		MessageIDs []uuid.UUID `json:"message_ids"`
		DeliveryID int64       `json:"delivery_id"`
	}
	if json.Unmarshal(job.EncodedArgs, &a) != nil {
		return nil
	}
	if a.MessageID != nil {
		a.MessageIDs = append(a.MessageIDs, *a.MessageID)
	}
	if len(a.MessageIDs) == 0 && a.DeliveryID == 0 {
		return nil
	}
	parents, err := queries.MessageListTraces(ctx, t.pool, a.MessageIDs, a.DeliveryID)
	if err != nil {
		slog.WarnContext(ctx, "the traces of a job could not be read", "kind", job.Kind, "error", err)
	}
	return parents
}
