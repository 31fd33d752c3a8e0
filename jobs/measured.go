package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/operation/metric"
	"heliograph/db"
	"heliograph/jobs/args"
)

// measured counts attempts at jobs for operators, and tells open pages of them.
type measured struct {
	river.MiddlewareDefaults
	signals *db.Signals // may be nil
}

// Work is called around every attempt.
func (m *measured) Work(ctx context.Context, job *rivertype.JobRow, work func(context.Context) error) error {
	began, outcome := time.Now(), outcomeOf(job, errPanicked)
	defer func() { metric.Job(job.Kind, outcome, time.Since(began)) }()
	err := work(ctx)
	outcome = outcomeOf(job, err)
	m.signals.Add("jobs", 0)
	switch job.Kind {
	case args.SendCode{}.Kind(), args.SendEmail{}.Kind(), args.SendSMS{}.Kind():
		m.signals.Add("inbox", 0)
	}
	return err
}

var errPanicked = errors.New("the job panicked")

// outcomeOf names what an error means for the job.
func outcomeOf(job *rivertype.JobRow, err error) string {
	var snooze *river.JobSnoozeError
	var cancel *river.JobCancelError
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &snooze):
		return "snoozed"
	case errors.As(err, &cancel):
		return "cancelled"
	case errors.Is(err, context.Canceled):
		return "interrupted" // the process is stopping: another one runs it again
	case job.Attempt >= job.MaxAttempts:
		return "discarded"
	default:
		return "failed"
	}
}
