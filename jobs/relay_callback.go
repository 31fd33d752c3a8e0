package jobs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"heliograph/app/channels"
	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/operation/metric"
	"heliograph/app/outbound"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// relayCallback posts a stored callback to the partner's webhook. Attempts are
// counted in the delivery and waited for with a snooze, so that the job's own
// attempts count crashes only.
type relayCallback struct {
	river.WorkerDefaults[args.RelayCallback]
	deps  Deps
	slots *slots
	// inserter inserts the jobs of lines; nil means the client that runs the job.
	inserter   args.Inserter
	deliveries *db.Loader[int64, models.Delivery]
	// attempts takes the results of attempts.
	attempts *db.Group[attempted]
}

func newRelayCallback(deps Deps) *relayCallback {
	return &relayCallback{deps: deps, slots: newSlots(), attempts: newAttempts(deps), deliveries: db.NewLoader(
		func(ctx context.Context, ids []int64) ([]models.Delivery, error) {
			return queries.DeliveryListRelayed(ctx, deps.Pool, ids)
		},
		func(d models.Delivery) int64 { return d.ID },
	)}
}

// attempted is the result of an attempt at a callback, and its job.
type attempted struct {
	*relay.Result
	jobID int64
}

// newAttempts returns a group that stores the results of attempts and completes the
// jobs of callbacks without a further one, several in one transaction. Successes
// and failures go through the same group, so that neither is counted before the
// other. While the database is away for a moment they wait for it, because a callback
// whose result is lost is posted again.
func newAttempts(deps Deps) *db.Group[attempted] {
	return db.NewGroup(func(ctx context.Context, made []attempted) error {
		err := db.InTxAgain(ctx, deps.Pool, func(tx pgx.Tx) error {
			results := make([]*relay.Result, len(made))
			for i, m := range made {
				results[i] = m.Result
			}
			if err := relay.Record(ctx, tx, results); err != nil {
				return err
			}
			var ended []int64
			for _, m := range made {
				if m.RetryIn == 0 {
					ended = append(ended, m.jobID)
				}
				if m.Disabled {
					if err := notifyDisabled(ctx, tx, deps, m.Delivery.Webhook); err != nil {
						return err
					}
				}
			}
			_, err := queries.JobUpdateCompleted(ctx, tx, ended)
			return err
		})
		if err == nil {
			for _, m := range made {
				deps.Signals.Add("callbacks", m.Delivery.Webhook.OrganisationID)
			}
		}
		return err
	})
}

// notifyDisabled tells the owners of a webhook that it was disabled.
func notifyDisabled(ctx context.Context, tx pgx.Tx, deps Deps, w models.Webhook) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	notifier := relay.Notifier{
		Mail:      notification.New(notification.Options{DB: deps.Pool, Keyring: deps.Keyring, Settings: deps.Settings, Jobs: client}),
		PublicURL: deps.PublicURL,
	}
	return notifier.NotifyDisabled(ctx, tx, w)
}

func (w *relayCallback) Work(ctx context.Context, job *river.Job[args.RelayCallback]) error {
	found, err := w.deliveries.Load(ctx, job.Args.DeliveryID)
	if err != nil {
		return fmt.Errorf("loading delivery %d: %w", job.Args.DeliveryID, err)
	}
	if len(found) == 0 { // the delivery or its phone number was deleted
		return queries.DeliveryUpdateFailed(ctx, w.deps.Pool, job.Args.DeliveryID)
	}
	d := found[0]
	if d.State != "pending" {
		return nil
	}
	if d.Webhook.DisabledAt != nil || d.Webhook.URL == "" {
		return queries.DeliveryUpdateFailed(ctx, w.deps.Pool, d.ID)
	}
	if wait := w.awaitEarlier(ctx, d); wait > 0 {
		return river.JobSnooze(wait)
	}
	release, err := w.admit(ctx, job, d)
	if release == nil {
		return err
	}
	defer release()
	outcome, err := w.post(ctx, d)
	if err != nil {
		return err
	}
	result := &relay.Result{Delivery: d, Schedule: w.deps.Schedule, Outcome: outcome}
	if channel := channels.All[d.Webhook.Channel]; channel != nil {
		result.Schedule = channel.Relay.ScheduleOr(w.deps.Schedule)
	}
	if err := w.attempts.Do(ctx, attempted{result, job.ID}); err != nil {
		return err
	}
	if result.RetryIn > 0 {
		return river.JobSnooze(result.RetryIn)
	}
	return nil
}

func (w *relayCallback) post(ctx context.Context, d models.Delivery) (relay.Outcome, error) {
	channel, err := channels.All.Get(d.Webhook.Channel)
	if err != nil {
		return relay.Outcome{}, err
	}
	headers, err := relay.OpenHeaders(w.deps.Keyring, d.Webhook)
	if err != nil {
		return relay.Outcome{}, err
	}
	secrets, err := channel.Relay.OpenSecrets(w.deps.Keyring, d)
	if err != nil {
		return relay.Outcome{}, err
	}
	request, err := channel.Relay.NewRequest(d)
	if err != nil {
		return relay.Outcome{}, fmt.Errorf("rendering delivery %d: %w", d.ID, err)
	}
	var signed map[string]string
	if channel.Relay.Sign != nil {
		if signed, err = channel.Relay.Sign(secrets.Current, d, request); err != nil {
			return relay.Outcome{}, err
		}
	}
	started := time.Now()
	result := w.deps.Poster.Post(ctx, outbound.Delivery{
		ID: strconv.FormatInt(d.ID, 10), At: started, Owner: strconv.FormatInt(d.Webhook.OrganisationID, 10),
		Method: request.Method, URL: request.URL, Headers: headers, Body: request.Body, Secret: secrets.Current, Previous: secrets.Previous, Signature: channel.Relay.Signature, Signed: signed,
	})
	if errors.Is(result.Err, context.Canceled) {
		return relay.Outcome{}, result.Err // this process is stopping; the endpoint is not to blame
	}
	metric.Callback(callbackOutcome(result), result.Latency)
	o := relay.Outcome{
		Succeeded: result.Err == nil, Gone: result.Gone(), RetryAfter: result.RetryAfter,
		Attempt: models.Attempt{
			StartedAt: started, Latency: result.Latency, URL: request.URL, Headers: strings.Join(slices.Sorted(maps.Keys(headers)), "\n"),
			Status: result.Status, Response: result.Response,
		},
	}
	if result.Err != nil {
		o.Attempt.Error = told(result.Err)
	}
	return o, nil
}

// told returns the error of an attempt for the owner of the webhook. Causes are
// left out, because they contain internal addresses and those that a host
// resolves to.
func told(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	return "The callback could not be sent because of an internal error."
}

func callbackOutcome(r outbound.Result) string {
	switch {
	case r.Err == nil:
		return "delivered"
	case r.Gone():
		return "gone"
	default:
		return "failed"
	}
}
