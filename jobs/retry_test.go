package jobs

import (
	"errors"
	"testing"
	"time"

	"github.com/riverqueue/river/rivertype"

	"heliograph/jobs/args"
)

// Jobs of a process that died run again within seconds; those that keep failing
// wait up to an hour.
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
