package jobs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/jobs/args"
)

// addPeople adds the workers for enquiries, codes, emails and SMS. Attempts at emails and
// SMS are counted in the message, so that the job's own attempts count crashes only.
func addPeople(w *river.Workers, deps Deps) {
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], job *river.Job[args.DeliverContact]) error {
		return orAgain(deps.contacts(client).Deliver(ctx, job.Args.EnquiryID, completing(ctx, job)))
	}))
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], job *river.Job[args.SendCode]) error {
		enrolment := &identity.Enrolment{
			DB: deps.Pool, Keyring: deps.Keyring, Limiter: limit.New(deps.Pool, deps.Keyring), PublicURL: deps.PublicURL,
			Notifications: deps.notifications(client),
		}
		return enrolment.SendCode(ctx, job.Args.ChallengeID)
	}))
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], job *river.Job[args.SendEmail]) error {
		return orAgain(deps.notifications(client).Deliver(ctx, job.Args.NotificationID, completing(ctx, job)))
	}))
	add(w, inserting(func(ctx context.Context, client *river.Client[pgx.Tx], job *river.Job[args.SendSMS]) error {
		return orAgain(deps.notifications(client).Deliver(ctx, job.Args.NotificationID, completing(ctx, job)))
	}))
}
