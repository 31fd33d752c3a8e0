package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/riverqueue/river/rivertype"

	"heliograph/jobs/args"
)

// Jobs that keep failing wait up to an hour.
func TestPausesOfFailedJobsGrow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		queue   string
		attempt int
		longest time.Duration
	}{
		{args.QueueSend, -1, time.Second}, {args.QueueSend, 1, time.Second}, {args.QueueSend, 2, 2 * time.Second}, {args.QueueSend, 5, 16 * time.Second},
		{args.QueueSend, 12, 2048 * time.Second}, {args.QueueRelay, 13, time.Hour}, {args.QueueRelay, args.Forever, time.Hour},
		{args.QueueOTP, 3, 4 * time.Second}, {args.QueueOTP, 20, 15 * time.Second}, {args.QueueMail, 30, 10 * time.Minute}, {args.QueueDefault, 30, time.Hour},
	} {
		for range 50 {
			if got := retryPause(c.queue, c.attempt); got > c.longest || got < c.longest*3/4 {
				t.Errorf("after attempt %d on %s the pause is %s, want up to a quarter less than %s", c.attempt, c.queue, got, c.longest)
			}
		}
	}
}

// Attempts that failed for no fault of the job make it wait no longer, unless they
// become many: then the job may be what ends its process.
func TestExcusedAttemptsDoNotLengthenPauses(t *testing.T) {
	t.Parallel()
	away := (&excused{}).Work(t.Context(), nil, func(context.Context) error { return &pgconn.PgError{Code: "57P03"} }).Error()
	for _, c := range []struct {
		rescued, away, own int
		longest            time.Duration
	}{
		{0, 0, 0, time.Second}, {5, 0, 0, time.Second}, {0, 5, 0, time.Second}, {5, 5, 0, time.Second}, {4, 3, 2, 4 * time.Second},
		{10, 5, 0, 32 * time.Second}, {30, 30, 0, time.Hour},
	} {
		job := &rivertype.JobRow{Queue: args.QueueSend, Attempt: 1 + c.rescued + c.away + c.own}
		for text, n := range map[string]int{rescued: c.rescued, away: c.away, "broken": c.own} {
			for range n {
				job.Errors = append(job.Errors, rivertype.AttemptError{Error: text})
			}
		}
		if got := time.Until(retryPolicy{}.NextRetry(job)); got > c.longest || got < c.longest*7/10 {
			t.Errorf("rescued %d times, without database %d times and broken %d times: the pause is %s, want about %s", c.rescued, c.away, c.own, got, c.longest)
		}
	}
	if err := (&excused{}).Work(t.Context(), nil, func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
}

func TestAJobIsHopelessAfterAMonth(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for age, want := range map[time.Duration]bool{time.Hour: false, 30 * 24 * time.Hour: false, 32 * 24 * time.Hour: true} {
		job := &rivertype.JobRow{Errors: []rivertype.AttemptError{{At: now.Add(-age)}, {At: now}}}
		if got := isHopeless(job, now); got != want {
			t.Errorf("failing for %s: %v, want %v", age, got, want)
		}
		result := newFailures(discarding).HandleError(t.Context(), job, errors.New("broken"))
		if got := result != nil && result.SetCancelled; got != want {
			t.Errorf("failing for %s: cancelled is %v, want %v", age, got, want)
		}
	}
	if isHopeless(&rivertype.JobRow{CreatedAt: now.Add(-1000 * time.Hour)}, now) {
		t.Error("a job that never failed is hopeless")
	}
}
