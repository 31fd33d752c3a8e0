package jobs

import (
	"context"

	"github.com/riverqueue/river"

	"heliograph/app/outbound"
	"heliograph/app/people/contact"
	"heliograph/jobs/args"
)

// deliverContact posts an enquiry to the webhook of the contact settings.
type deliverContact struct {
	river.WorkerDefaults[args.DeliverContact]
	deps Deps
}

func (w *deliverContact) Work(ctx context.Context, job *river.Job[args.DeliverContact]) error {
	client, err := clientOf(ctx)
	if err != nil {
		return err
	}
	return orAgain(w.deps.contacts(client).Deliver(ctx, job.Args.EnquiryID, completing(ctx, job)))
}

// contactOwner keeps the connections to the webhook apart from those to partners.
const contactOwner = "contact"

// contactPoster posts enquiries with the guarded client.
type contactPoster struct{ client *outbound.Client }

// Post signs and posts an enquiry.
func (c contactPoster) Post(ctx context.Context, p contact.Post) contact.Posted {
	r := c.client.Post(ctx, outbound.Delivery{ID: p.ID, At: p.At, Owner: contactOwner, URL: p.URL, Body: p.Body, Secret: p.Secret, Previous: p.Previous})
	return contact.Posted{Status: r.Status, Latency: r.Latency, Response: r.Response, RetryAfter: r.RetryAfter, Err: r.Err}
}
