package queue

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/audit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/operation"
)

// CauseCount is how many jobs of a kind fail for the same reason. The jobs wait
// for their next attempt or were discarded.
type CauseCount struct {
	Kind, Cause string
	Jobs        int
}

const (
	// causesExamined bounds the failing jobs that causes are counted of.
	causesExamined = 10_000
	// RetryLimit bounds the jobs that RetryMany retries.
	RetryLimit = 10_000
	retryBatch = 500
)

// Causes counts the newest failing jobs by kind and cause, the most first.
func (c *Control) Causes(ctx context.Context) ([]CauseCount, error) {
	failed, err := queries.JobListFailed(ctx, c.db, "", math.MaxInt64, causesExamined)
	if err != nil {
		return nil, fmt.Errorf("listing failing jobs: %w", err)
	}
	at := map[[2]string]int{}
	var list []CauseCount
	for _, j := range failed {
		key := [2]string{j.Kind, Cause(j.Error)}
		if _, ok := at[key]; !ok {
			at[key] = len(list)
			list = append(list, CauseCount{Kind: key[0], Cause: key[1]})
		}
		list[at[key]].Jobs++
	}
	slices.SortStableFunc(list, func(a, b CauseCount) int { return cmp.Compare(b.Jobs, a.Jobs) })
	return list, nil
}

// RetryMany runs failing jobs of a kind at once, those with a cause or all for an
// empty one, up to RetryLimit. It returns how many. A missing kind is Invalid.
func (c *Control) RetryMany(ctx context.Context, kind, cause, actor string) (retried int, err error) {
	if kind == "" {
		return 0, fault.InvalidFields(fault.Field{Name: "kind", Message: "Choose the kind of the jobs."})
	}
	for before := int64(math.MaxInt64); retried < RetryLimit; {
		failed, err := queries.JobListFailed(ctx, c.db, kind, before, retryBatch)
		if err != nil {
			return retried, fmt.Errorf("listing failing jobs: %w", err)
		}
		if len(failed) == 0 {
			break
		}
		before = failed[len(failed)-1].ID
		n, err := c.retryBatch(ctx, slices.DeleteFunc(failed, func(j models.FailedJob) bool { return cause != "" && Cause(j.Error) != cause }))
		if err != nil {
			return retried, err
		}
		retried += n
	}
	if retried == 0 {
		return 0, nil
	}
	return retried, db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		return audit.Record(ctx, tx, audit.Entry{
			Actor: actor, Action: "job.retry_many", Target: "jobs:" + kind, Details: map[string]any{"cause": cause, "jobs": retried},
		})
	})
}

func (c *Control) retryBatch(ctx context.Context, failed []models.FailedJob) (int, error) {
	err := db.InTx(ctx, c.db, func(tx pgx.Tx) error {
		for _, j := range failed {
			if _, err := c.river.JobRetryTx(ctx, tx, j.ID); err != nil {
				return fmt.Errorf("retrying a job: %w", err)
			}
		}
		return nil
	})
	return len(failed), err
}
