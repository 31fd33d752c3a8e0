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
	"heliograph/app/fault"
	"heliograph/app/metric"
	"heliograph/app/notification"
	"heliograph/app/outbound"
	"heliograph/app/relay"
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
	inserter args.Inserter
	// delivered takes the attempts that succeeded, which are most.
	delivered *db.Group[delivered]
}

// delivered is a callback that its webhook accepted, and its job.
type delivered struct {
	attempt        models.Attempt
	jobID          int64
	organisationID int64
}

// newDelivered returns a group that stores accepted callbacks with their attempts
// and completes their jobs, several in one transaction.
func newDelivered(deps Deps) *db.Group[delivered] {
	return db.NewGroup(func(ctx context.Context, done []delivered) error {
		attempts, ids := make([]models.Attempt, len(done)), make([]int64, len(done))
		for i, d := range done {
			attempts[i], ids[i] = d.attempt, d.jobID
		}
		err := db.InTx(ctx, deps.Pool, func(tx pgx.Tx) error {
			if err := relay.RecordDelivered(ctx, tx, attempts); err != nil {
				return err
			}
			return queries.JobUpdateCompleted(ctx, tx, ids)
		})
		if err == nil {
			for _, d := range done {
				deps.Signals.Add("callbacks", d.organisationID)
			}
		}
		return err
	})
}

func (w *relayCallback) Work(ctx context.Context, job *river.Job[args.RelayCallback]) error {
	d, err := queries.DeliveryGet(ctx, w.deps.Pool, job.Args.DeliveryID)
	if db.IsNoRows(err) { // the delivery or its phone number was deleted
		return queries.DeliveryUpdateFailed(ctx, w.deps.Pool, job.Args.DeliveryID)
	}
	if err != nil {
		return fmt.Errorf("loading delivery %d: %w", job.Args.DeliveryID, err)
	}
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
	if outcome.Succeeded {
		outcome.Attempt.DeliveryID, outcome.Attempt.Number = d.ID, d.Attempts+1
		return w.delivered.Do(ctx, delivered{outcome.Attempt, job.ID, d.Webhook.OrganisationID})
	}
	return w.failed(ctx, job, d, outcome)
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

// failed commits a failed attempt together with the end or the snooze of the job.
func (w *relayCallback) failed(ctx context.Context, job *river.Job[args.RelayCallback], d models.Delivery, o relay.Outcome) error {
	client, err := river.ClientFromContextSafely[pgx.Tx](ctx)
	if err != nil {
		return errNoClient
	}
	notifier := relay.Notifier{
		Mail:      notification.New(notification.Options{DB: w.deps.Pool, Keyring: w.deps.Keyring, Settings: w.deps.Settings, Jobs: client}),
		PublicURL: w.deps.PublicURL,
	}
	schedule := w.deps.Schedule
	if channel := channels.All[d.Webhook.Channel]; channel != nil {
		schedule = channel.Relay.ScheduleOr(schedule)
	}
	var fate relay.Decision
	err = db.InTx(ctx, w.deps.Pool, func(tx pgx.Tx) error {
		if fate, err = schedule.RecordFailed(ctx, tx, d, o); err != nil {
			return err
		}
		if fate.Disabled {
			if err := notifier.NotifyDisabled(ctx, tx, d.Webhook); err != nil {
				return err
			}
		}
		if fate.RetryIn > 0 {
			return nil
		}
		_, err := river.JobCompleteTx[*riverDriver](ctx, tx, job)
		return err
	})
	w.deps.Signals.Add("callbacks", d.Webhook.OrganisationID)
	if err == nil && fate.RetryIn > 0 {
		return river.JobSnooze(fate.RetryIn)
	}
	return err
}
