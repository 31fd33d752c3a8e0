package jobs

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/documentation/editorial"
	"heliograph/app/people/notification"
	"heliograph/jobs/args"
)

// emailReviews sends authors and reviewers emails about their change sets.
type emailReviews struct {
	river.WorkerDefaults[args.EmailReviews]
	deps Deps
}

func (w *emailReviews) Work(ctx context.Context, _ *river.Job[args.EmailReviews]) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	mail := notification.New(notification.Options{DB: w.deps.Pool, Keyring: w.deps.Keyring, Settings: w.deps.Settings, Jobs: client})
	return editorial.Notifier{Mail: mail, PublicURL: w.deps.PublicURL, Now: time.Now}.Send(ctx, w.deps.Pool)
}
