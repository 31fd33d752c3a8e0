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

	"heliograph/app/channels/pipeline"
	"heliograph/app/trace"
)

// traced adds attempts at jobs to the traces of the requests that caused them. A
// callback without such a trace begins one.
type traced struct {
	river.MiddlewareDefaults
	pool *pgxpool.Pool
}

// InsertMany adds the trace of what inserts jobs to them. Jobs of messages go by the
// traces of their messages, of which one job may have several.
func (t *traced) InsertMany(ctx context.Context, jobs []*rivertype.JobInsertParams, insert func(context.Context) ([]*rivertype.JobInsertResult, error)) ([]*rivertype.JobInsertResult, error) {
	if parent := trace.Parent(ctx); parent != "" {
		for _, job := range jobs {
			job.Metadata = withTrace(job.Metadata, parent)
		}
	}
	return insert(ctx)
}

// withTrace adds a trace to the metadata of a job. Metadata that has one already, or that
// cannot be read, stays as it is.
func withTrace(metadata []byte, parent string) []byte {
	members := map[string]json.RawMessage{}
	if len(metadata) > 0 && json.Unmarshal(metadata, &members) != nil {
		return metadata
	}
	if _, named := members[trace.Member]; named {
		return metadata
	}
	members[trace.Member], _ = json.Marshal(parent) // text can be written
	changed, err := json.Marshal(members)
	if err != nil {
		return metadata
	}
	return changed
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

// parents returns the traces that a job serves: its messages' own, or else the trace of
// what inserted it. The empty trace of a callback without a cause begins a new one. Any
// other job without a trace is no part of one.
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
	var cause struct{ Traceparent string }
	_ = json.Unmarshal(job.Metadata, &cause) // unreadable metadata has no trace
	var parents []string
	if len(a.MessageIDs) > 0 || a.DeliveryID > 0 {
		var err error
		if parents, err = pipeline.ListTraces(ctx, t.pool, a.MessageIDs, a.DeliveryID); err != nil {
			slog.WarnContext(ctx, "the traces of a job could not be read", "kind", job.Kind, "error", err)
		}
	}
	if len(parents) == 0 && (cause.Traceparent != "" || a.DeliveryID > 0) {
		parents = []string{cause.Traceparent}
	}
	return parents
}
