package relay

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/lists"
	"heliograph/app/operation/metric"
	"heliograph/app/operation/setting"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/db/queries/errands"
	"heliograph/jobs/args"
)

// RelayerOptions holds the dependencies of a Relayer.
type RelayerOptions struct {
	Pool    *pgxpool.Pool
	Signals *db.Signals // tells open pages; may be nil
	Keyring *keyring.Keyring
	// Protocol returns how the events of a channel are posted.
	Protocol func(name string) (Protocol, error)
	Poster   poster
	// Schedule is for channels without one of their own.
	Schedule  Schedule
	Settings  *setting.Settings // of emails to owners of webhooks
	PublicURL string            // start of links in them
}

// poster makes one attempt.
type poster interface {
	Post(ctx context.Context, p Posting) Posted
}

// Posting is an attempt to make.
type Posting struct {
	DeliveryID, OrganisationID int64
	At                         time.Time
	Request
	Headers map[string]string // of the partner
	Secrets
	Signature string            // header of the signature of the body; empty for the standard one
	Signed    map[string]string // headers of a signature that is made already
}

// Posted is the result of an attempt.
type Posted struct {
	Status     int // 0 without a response
	Latency    time.Duration
	Response   string
	RetryAfter time.Duration
	Gone       bool  // the endpoint wants no more
	Err        error // nil if the endpoint took it
}

// Relayer posts stored callbacks to the webhooks of partners. Attempts are counted in
// the delivery and waited for with a snooze, so that the attempts of the job count
// crashes only.
type Relayer struct {
	options    RelayerOptions
	slots      *slots
	deliveries *db.Loader[int64, models.Delivery]
	// attempts takes the results of attempts.
	attempts *db.Group[attempted]
}

// NewRelayer returns a relayer.
func NewRelayer(o RelayerOptions) *Relayer {
	return &Relayer{options: o, slots: newSlots(), attempts: newAttempts(o), deliveries: db.NewLoader(
		func(ctx context.Context, ids []int64) ([]models.Delivery, error) {
			return queries.DeliveryListRelayed(ctx, o.Pool, ids)
		},
		func(d models.Delivery) int64 { return d.ID },
	)}
}

var errNoInserter = errors.New("the job runs without its client")

// attempted is the result of an attempt at a callback, and its job.
type attempted struct {
	*result
	run args.Run
}

// newAttempts returns a group that stores the results of attempts and completes the
// jobs of callbacks without a further one, several in one transaction. Successes
// and failures go through the same group, so that neither is counted before the
// other. While the database is away for a moment they wait for it, because a lost
// result means that the callback is posted again.
func newAttempts(o RelayerOptions) *db.Group[attempted] {
	return db.NewGroup(func(ctx context.Context, made []attempted) error {
		err := db.InTxAgain(ctx, o.Pool, func(tx pgx.Tx) error {
			results := lists.Map(made, func(m attempted) *result { return m.result })
			if err := record(ctx, tx, results); err != nil {
				return err
			}
			var ended []int64
			for _, m := range made {
				if m.RetryIn == 0 {
					ended = append(ended, m.run.JobID)
				}
				if m.Disabled {
					if err := o.notifyDisabled(ctx, tx, m.run.Inserter, m.Delivery.Webhook); err != nil {
						return err
					}
				}
			}
			_, err := errands.JobUpdateCompleted(ctx, tx, ended)
			return err
		})
		if err == nil {
			for _, m := range made {
				o.Signals.Add("callbacks", m.Delivery.Webhook.OrganisationID)
			}
		}
		return err
	})
}

// notifyDisabled tells the owners of a webhook that it was disabled.
func (o RelayerOptions) notifyDisabled(ctx context.Context, tx pgx.Tx, jobs args.Inserter, w models.Webhook) error {
	if jobs == nil {
		return errNoInserter
	}
	notifier := Notifier{
		Mail:      notification.New(notification.Options{DB: o.Pool, Keyring: o.Keyring, Settings: o.Settings, Jobs: jobs}),
		PublicURL: o.PublicURL,
	}
	return notifier.NotifyDisabled(ctx, tx, w)
}

// Relay posts a callback and ends its job, or puts it off until the next attempt.
func (r *Relayer) Relay(ctx context.Context, run args.Run, a args.RelayCallback) error {
	found, err := r.deliveries.Load(ctx, a.DeliveryID)
	if err != nil {
		return fmt.Errorf("loading delivery %d: %w", a.DeliveryID, err)
	}
	if len(found) == 0 { // the delivery or its phone number was deleted
		return writes.DeliveryUpdateFailed(ctx, r.options.Pool, a.DeliveryID)
	}
	d := found[0]
	if d.State != "pending" {
		return nil
	}
	if d.Webhook.DisabledAt != nil || d.Webhook.URL == "" {
		return writes.DeliveryUpdateFailed(ctx, r.options.Pool, d.ID)
	}
	if wait := r.awaitEarlier(ctx, d); wait > 0 {
		return river.JobSnooze(wait)
	}
	release, err := r.admit(ctx, run, a.Released, d)
	if release == nil {
		return err
	}
	defer release()
	protocol, err := r.options.Protocol(d.Webhook.Channel)
	if err != nil {
		return err
	}
	outcome, err := r.post(ctx, protocol, d)
	if err != nil {
		return err
	}
	result := &result{Delivery: d, Schedule: protocol.ScheduleOr(r.options.Schedule), outcome: outcome}
	if err := r.attempts.Do(ctx, attempted{result, run}); err != nil {
		return err
	}
	if result.RetryIn > 0 {
		return river.JobSnooze(result.RetryIn)
	}
	return nil
}

// post makes one attempt at a delivery.
func (r *Relayer) post(ctx context.Context, protocol Protocol, d models.Delivery) (outcome, error) {
	p := Posting{DeliveryID: d.ID, OrganisationID: d.Webhook.OrganisationID, Signature: protocol.Signature}
	var err error
	if p.Headers, err = OpenHeaders(r.options.Keyring, d.Webhook); err != nil {
		return outcome{}, err
	}
	if p.Secrets, err = protocol.OpenSecrets(r.options.Keyring, d); err != nil {
		return outcome{}, err
	}
	if p.Request, err = protocol.NewRequest(d); err != nil {
		return outcome{}, fmt.Errorf("rendering delivery %d: %w", d.ID, err)
	}
	if protocol.Sign != nil {
		if p.Signed, err = protocol.Sign(p.Signing(), d, p.Request); err != nil {
			return outcome{}, err
		}
	}
	p.At = time.Now()
	result := r.options.Poster.Post(ctx, p)
	if errors.Is(result.Err, context.Canceled) {
		return outcome{}, result.Err // this process is stopping; the endpoint is not to blame
	}
	metric.Callback(result.word(), result.Latency)
	o := outcome{
		Succeeded: result.Err == nil, Gone: result.Gone, RetryAfter: result.RetryAfter,
		Attempt: models.Attempt{
			StartedAt: p.At, Latency: result.Latency, URL: p.URL, Headers: strings.Join(slices.Sorted(maps.Keys(p.Headers)), "\n"),
			Status: result.Status, Response: result.Response,
		},
	}
	if result.Err != nil {
		o.Attempt.Error = explain(result.Err)
	}
	return o, nil
}

// explain returns the error of an attempt for the owner of the webhook. Causes are
// left out, because they contain internal addresses and those that a host
// resolves to.
func explain(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	return "The callback could not be sent because of an internal error."
}

// word says how an attempt ended, for metrics.
func (p Posted) word() string {
	switch {
	case p.Err == nil:
		return "delivered"
	case p.Gone:
		return "gone"
	default:
		return "failed"
	}
}
