package jobs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/db"
	"heliograph/jobs/args"
)

// longestPauses bounds the pause between two failed attempts at a job of a
// queue. People wait for codes, which are valid for minutes.
var longestPauses = map[string]time.Duration{
	args.QueueOTP:  15 * time.Second,
	args.QueueMail: 10 * time.Minute,
}

const (
	// longestPause is the longest pause of all other queues.
	longestPause = time.Hour
	// longestFailing is how long a job may fail before it is cancelled. It is
	// longer than any message or delivery lives, so that it ends only jobs that
	// can never succeed.
	longestFailing = 31 * 24 * time.Hour
	// periodicAttempts is how often a periodic job is tried. The next one is
	// inserted at its time anyway.
	periodicAttempts = 12
)

// retryPolicy doubles the pause after every failed attempt, from a second to the
// longest pause of the queue. The pause is up to a quarter shorter by chance, so
// that jobs that failed together spread.
//
// Carriers and webhooks that are away are waited for with snoozes and do not
// come here.
type retryPolicy struct{}

// NextRetry returns when a job that failed runs again.
func (retryPolicy) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().Add(retryPause(job.Queue, job.Attempt-excuses(job)))
}

const (
	// rescued is the error that River writes for a job after its process died.
	rescued = "Stuck job rescued by JobRescuer"
	// unavailable begins the errors of attempts that the database did not serve.
	unavailable = "the database is not available: "
	// maxExcuses bounds the attempts that do not count, because a job may itself be
	// what ends its process.
	maxExcuses = 10
)

// excuses returns how many earlier attempts at a job failed for no fault of its own:
// its process died or the database was not available.
func excuses(job *rivertype.JobRow) (n int) {
	for _, e := range job.Errors {
		if e.Error == rescued || strings.HasPrefix(e.Error, unavailable) {
			n++
		}
	}
	return min(n, maxExcuses)
}

// excused marks the errors of attempts that the database did not serve.
type excused struct{ river.MiddlewareDefaults }

// Work is called around every attempt.
func (*excused) Work(ctx context.Context, _ *rivertype.JobRow, work func(context.Context) error) error {
	err := work(ctx)
	if db.IsUnreachable(err) {
		return fmt.Errorf("%s%w", unavailable, err)
	}
	return err
}

func retryPause(queue string, attempt int) time.Duration {
	longest, ok := longestPauses[queue]
	if !ok {
		longest = longestPause
	}
	pause := longest
	if doublings := max(attempt, 1) - 1; doublings < 12 { // 2¹² s is more than an hour
		pause = min(time.Second<<doublings, longest)
	}
	return pause - rand.N(pause/4)
}

// isHopeless reports whether a job has failed for longer than anything lives.
func isHopeless(job *rivertype.JobRow, now time.Time) bool {
	return len(job.Errors) > 0 && now.Sub(job.Errors[0].At) > longestFailing
}
