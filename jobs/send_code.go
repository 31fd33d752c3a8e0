package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/people/notification"
	"heliograph/jobs/args"
)

// sendCode generates the code of a challenge and queues its SMS.
type sendCode struct {
	river.WorkerDefaults[args.SendCode]
	deps Deps
}

func (w *sendCode) Work(ctx context.Context, job *river.Job[args.SendCode]) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	d := w.deps
	enrolment := &identity.Enrolment{
		DB: d.Pool, Keyring: d.Keyring, Limiter: limit.New(d.Pool, d.Keyring), PublicURL: d.PublicURL,
		Notifications: notification.New(notification.Options{DB: d.Pool, Keyring: d.Keyring, Settings: d.Settings, Jobs: client}),
	}
	return enrolment.SendCode(ctx, job.Args.ChallengeID)
}
