package jobs

import (
	"context"
	"strconv"

	"heliograph/app/channels/relay"
	"heliograph/app/outbound"
	"heliograph/app/people/contact"
)

// Poster posts callbacks with the guarded client.
type Poster struct{ Client *outbound.Client }

// Post signs and posts a callback.
func (p Poster) Post(ctx context.Context, c relay.Posting) relay.Posted {
	r := p.Client.Post(ctx, outbound.Delivery{
		ID: strconv.FormatInt(c.DeliveryID, 10), At: c.At, Owner: strconv.FormatInt(c.OrganisationID, 10),
		Method: c.Method, URL: c.URL, Headers: c.Headers, Body: c.Body, Secret: c.Current, Previous: c.Previous, Signature: c.Signature, Signed: c.Signed,
	})
	return relay.Posted{Status: r.Status, Latency: r.Latency, Response: r.Response, RetryAfter: r.RetryAfter, Gone: r.Gone(), Err: r.Err}
}

// contactOwner keeps the connections to the webhook of enquiries apart from those to
// partners.
const contactOwner = "contact"

// contactPoster posts enquiries with the guarded client.
type contactPoster struct{ client *outbound.Client }

// Post signs and posts an enquiry.
func (c contactPoster) Post(ctx context.Context, p contact.Post) contact.Posted {
	r := c.client.Post(ctx, outbound.Delivery{ID: p.ID, At: p.At, Owner: contactOwner, URL: p.URL, Body: p.Body, Secret: p.Secret, Previous: p.Previous})
	return contact.Posted{Status: r.Status, Latency: r.Latency, Response: r.Response, RetryAfter: r.RetryAfter, Err: r.Err}
}
