package jobs

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"heliograph/app/documentation/editorial"
	"heliograph/jobs/args"
)

// emailReviews sends authors and reviewers emails about their change sets.
type emailReviews struct {
	river.WorkerDefaults[args.EmailReviews]
	deps Deps
}

func (w *emailReviews) Work(ctx context.Context, _ *river.Job[args.EmailReviews]) error {
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	return editorial.Notifier{Mail: w.deps.notifications(client), PublicURL: w.deps.PublicURL, Now: time.Now}.Send(ctx, w.deps.Pool)
}
