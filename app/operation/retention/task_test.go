package retention_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"heliograph/app/operation/retention"
)

// A task that waits and one that fails stop none of the others, and each is named.
func TestTasksRunOnTheirOwn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var done []string
		broken := errors.New("no such table")
		task := func(what string, err error) retention.Task {
			return retention.Task{What: what, Do: func(ctx context.Context) error {
				if deadline, ok := ctx.Deadline(); !ok || time.Until(deadline) != time.Minute {
					t.Errorf("%s has until %s, want a minute", what, deadline)
				}
				done = append(done, what)
				return err
			}}
		}
		slow := retention.Task{What: "slow", Do: func(ctx context.Context) error {
			<-ctx.Done()
			return fmt.Errorf("cut off: %w", ctx.Err())
		}}
		began := time.Now()
		err := retention.RunTasks(t.Context(), time.Minute, []retention.Task{task("first", nil), slow, task("broken", broken), slow, task("last", nil)})
		if got := strings.Join(done, " "); got != "first broken last" {
			t.Errorf("done: %s", got)
		}
		if !errors.Is(err, broken) || !errors.Is(err, context.DeadlineExceeded) || strings.Count(err.Error(), "slow: cut off: ") != 2 || !strings.Contains(err.Error(), "broken: no such table") {
			t.Errorf("err = %v, want the three failures by name", err)
		}
		if took := time.Since(began); took != 2*time.Minute {
			t.Errorf("the tasks took %s, want the patience with the two slow ones", took)
		}
	})
}

// A process that stops begins no further task, and says so.
func TestTasksEndWithTheirProcess(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	first := retention.Task{What: "first", Do: func(context.Context) error { stop(); return nil }}
	second := retention.Task{What: "second", Do: func(context.Context) error { t.Error("the second task runs"); return nil }}
	if err := retention.RunTasks(ctx, time.Minute, []retention.Task{first, second}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if err := retention.RunTasks(t.Context(), time.Minute, []retention.Task{{What: "nothing", Do: func(context.Context) error { return nil }}}); err != nil {
		t.Errorf("err = %v after a task without a failure", err)
	}
}
