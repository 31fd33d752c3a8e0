package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/operation/queue"
)

// failures logs failed attempts at jobs: the first of a kind and cause at once,
// further ones within a minute as one line with their number, so that a fault
// that hits every job is seen and does not fill the log. It implements
// river.ErrorHandler.
type failures struct {
	log *slog.Logger
	mu  sync.Mutex
	// open holds the causes that were logged within the last minute.
	open map[failureCause]*failureCount
}

// failureCause is what is logged once a minute.
type failureCause struct{ kind, cause string }

// failureCount counts the attempts that were not logged yet.
type failureCount struct {
	attempts int
	last     int64 // id of a job
}

const (
	failureWindow = time.Minute
	// failureCauses bounds the different causes within a minute.
	failureCauses = 1000
)

func newFailures(log *slog.Logger) *failures {
	return &failures{log: log, open: map[failureCause]*failureCount{}}
}

// HandleError logs a failed attempt and cancels a job that can never succeed.
func (f *failures) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	f.add(ctx, job, err.Error())
	if !isHopeless(job, time.Now()) {
		return nil
	}
	f.log.ErrorContext(ctx, "a job is cancelled because it failed for too long", "kind", job.Kind, "job", job.ID, "attempts", job.Attempt)
	return &river.ErrorHandlerResult{SetCancelled: true}
}

// HandlePanic logs a panic with its trace.
func (f *failures) HandlePanic(ctx context.Context, job *rivertype.JobRow, value any, trace string) *river.ErrorHandlerResult {
	f.log.ErrorContext(ctx, "a job panicked", "kind", job.Kind, "job", job.ID, "panic", fmt.Sprint(value), "trace", trace)
	return f.HandleError(ctx, job, errPanicked)
}

// add logs a failure or counts it.
func (f *failures) add(ctx context.Context, job *rivertype.JobRow, text string) {
	cause := failureCause{job.Kind, queue.Cause(text)}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open[cause] == nil && len(f.open) >= failureCauses {
		cause = failureCause{"", "other causes"}
	}
	if count := f.open[cause]; count != nil {
		count.attempts++
		count.last = job.ID
		return
	}
	f.open[cause] = &failureCount{}
	time.AfterFunc(failureWindow, func() { f.close(context.WithoutCancel(ctx), cause) })
	f.log.ErrorContext(ctx, "a job failed", "kind", job.Kind, "job", job.ID, "attempt", job.Attempt, "error", queue.RedactSecrets(text))
}

// close logs how often a cause came up within its minute. A cause that still
// comes up is counted for another minute.
func (f *failures) close(ctx context.Context, cause failureCause) {
	f.mu.Lock()
	defer f.mu.Unlock()
	count := f.open[cause]
	if count.attempts == 0 {
		delete(f.open, cause)
		return
	}
	f.log.ErrorContext(ctx, "jobs failed again", "kind", cause.kind, "cause", cause.cause, "attempts", count.attempts, "last_job", count.last)
	*count = failureCount{}
	time.AfterFunc(failureWindow, func() { f.close(ctx, cause) })
}
