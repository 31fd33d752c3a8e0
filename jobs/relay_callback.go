package jobs

import (
	"context"
	"strconv"

	"github.com/riverqueue/river"

	"heliograph/app/channels/relay"
	"heliograph/app/outbound"
	"heliograph/jobs/args"
)

// relayCallback posts a stored callback to the partner's webhook.
type relayCallback struct {
	river.WorkerDefaults[args.RelayCallback]
	relayer *relay.Relayer
}

func newRelayCallback(deps Deps) *relayCallback {
	return &relayCallback{relayer: relay.NewRelayer(relay.RelayerOptions{
		Pool: deps.Pool, Signals: deps.Signals, Keyring: deps.Keyring, Protocol: deps.Channels.Protocol, Poster: Poster{deps.Poster},
		Schedule: deps.Schedule, Settings: deps.Settings, PublicURL: deps.PublicURL,
	})}
}

func (w *relayCallback) Work(ctx context.Context, job *river.Job[args.RelayCallback]) error {
	return w.relayer.Relay(ctx, runOf(ctx, job), job.Args)
}

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
