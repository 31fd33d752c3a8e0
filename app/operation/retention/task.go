package retention

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Task is one task of housekeeping. The rules list the tasks of what they keep.
type Task struct {
	What string // for errors, such as "deleting sessions"
	Do   func(ctx context.Context) error
}

// RunTasks runs each task on its own, for at most patience: one that fails or is slow
// stops none of the others. The error joins the failures and names their tasks. When ctx
// ends, the rest is left to the next run.
func RunTasks(ctx context.Context, patience time.Duration, tasks []Task) error {
	var failures []error
	for _, t := range tasks {
		if ctx.Err() != nil {
			break
		}
		if err := t.run(ctx, patience); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", t.What, err))
		}
	}
	return errors.Join(append(failures, ctx.Err())...)
}

func (t Task) run(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return t.Do(ctx)
}
