package jobs

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

func TestAnAttemptIsNamedByWhatBecomesOfTheJob(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		attempt int
		err     error
		want    string
	}{
		{1, nil, "done"},
		{25, nil, "done"},
		{1, river.JobSnooze(1), "snoozed"},
		{25, fmt.Errorf("later: %w", river.JobSnooze(1)), "snoozed"},
		{1, river.JobCancel(errors.New("gone")), "cancelled"},
		{1, fmt.Errorf("loading: %w", context.Canceled), "interrupted"},
		{1, context.DeadlineExceeded, "failed"},
		{24, errPanicked, "failed"},
		{25, errPanicked, "discarded"},
	} {
		job := &rivertype.JobRow{Attempt: c.attempt, MaxAttempts: 25}
		if got := outcomeOf(job, c.err); got != c.want {
			t.Errorf("attempt %d that ends with %v is %s, want %s", c.attempt, c.err, got, c.want)
		}
	}
}
