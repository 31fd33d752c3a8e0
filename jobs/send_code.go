package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/jobs/args"
)

// sendCode generates the code of a challenge and queues its SMS.
type sendCode struct {
	river.WorkerDefaults[args.SendCode]
	deps Deps
}

func (w *sendCode) Work(ctx context.Context, job *river.Job[args.SendCode]) error {
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	d := w.deps
	enrolment := &identity.Enrolment{
		DB: d.Pool, Keyring: d.Keyring, Limiter: limit.New(d.Pool, d.Keyring), PublicURL: d.PublicURL,
		Notifications: d.notifications(client),
	}
	return enrolment.SendCode(ctx, job.Args.ChallengeID)
}
