package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/operation/metric"
	"heliograph/app/outbound"
	"heliograph/app/people/contact"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs/args"
)

// deliverContact posts an enquiry to the webhook of the contact settings.
type deliverContact struct {
	river.WorkerDefaults[args.DeliverContact]
	deps Deps
}

// contactOwner keeps the connections to the webhook apart from those to partners.
const contactOwner = "contact"

func (w *deliverContact) Work(ctx context.Context, job *river.Job[args.DeliverContact]) error {
	service, err := newContact(ctx, w.deps)
	if err != nil {
		return err
	}
	p, err := service.Begin(ctx, job.Args.EnquiryID)
	if err != nil || p == nil {
		return err
	}
	attempt := models.ContactAttempt{StartedAt: time.Now()}
	result := w.deps.Poster.Post(ctx, outbound.Delivery{ID: p.ID, At: attempt.StartedAt, Owner: contactOwner, URL: p.URL, Body: p.Body, Secret: p.Secret, Previous: p.Previous})
	if errors.Is(result.Err, context.Canceled) {
		return result.Err // this process is being stopped; the receiver is not to blame
	}
	attempt.LatencyMS, attempt.Status, attempt.Response = int(result.Latency.Milliseconds()), result.Status, result.Response
	if result.Err != nil {
		attempt.Problem = result.Err.Error()
	}
	var again time.Duration
	err = db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if again, err = service.End(ctx, tx, p, attempt, result.RetryAfter); err != nil || again > 0 {
			return err
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
	if err != nil {
		return err
	}
	metric.ContactDelivery(attempt.Problem == "", again > 0)
	w.deps.Signals.Add("contacts", 0)
	if again > 0 {
		return river.JobSnooze(again)
	}
	return nil
}

// newContact returns the rules of enquiries for a worker.
func newContact(ctx context.Context, deps Deps) (*contact.Service, error) {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return nil, errNoClient
	}
	mail := notification.New(notification.Options{DB: deps.Pool, Keyring: deps.Keyring, Settings: deps.Settings, Jobs: client})
	return contact.New(contact.Options{DB: deps.Pool, Keyring: deps.Keyring, Settings: deps.Settings, Jobs: client, Mail: mail, PublicURL: deps.PublicURL}), nil
}
