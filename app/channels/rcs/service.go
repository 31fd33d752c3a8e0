package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/app/operation/limit"
	"heliograph/app/people/notification"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
	"heliograph/jobs/args"
)

// Options holds the dependencies of a Service.
type Options struct {
	Pool      db.Beginner
	Acceptor  *pipeline.Acceptor
	Routes    *pipeline.Routes // nil: every bot has a carrier
	Endpoints *relay.Endpoints
	Keyring   *keyring.Keyring
	Limiter   *limit.Limiter
	Fetcher   fetcher
	SMS       *sms.Service       // of fallbacks
	Messaging *messaging.Service // of fallbacks
	Jobs      args.Inserter
	Rates     Rates
	Mail      notification.Mailer // notifies owners; nil for nobody
	PublicURL string              // start of links in emails
	// ReviewAll lets templates of every organisation be reviewed automatically, not
	// only bots of sandboxes.
	ReviewAll bool
	// Now returns the time; nil stands for time.Now.
	Now func() time.Time
}

// Rates are how many requests an organisation may make; 0 means any number.
type Rates struct {
	Send       int // a second
	Management int // a minute
}

// Service holds the rules of the channel, one type for each noun.
type Service struct {
	Bots      *Bots
	Desk      *Desk
	Devices   *Devices
	Limits    *Limits
	Sender    *Sender
	Templates *Templates
	Webhooks  *Webhooks
}

// New returns a new Service.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	bots, carriers := owned{o.Pool}, connections{o.Routes}
	return &Service{
		Bots:      &Bots{owned: bots, fetcher: o.Fetcher, jobs: o.Jobs, now: o.Now},
		Desk:      &Desk{owned: bots, jobs: o.Jobs, Mail: o.Mail, publicURL: o.PublicURL, now: o.Now},
		Devices:   &Devices{owned: bots, connections: carriers, jobs: o.Jobs, limiter: o.Limiter},
		Limits:    &Limits{limiter: o.Limiter, rates: o.Rates},
		Templates: &Templates{pool: o.Pool, fetcher: o.Fetcher, jobs: o.Jobs, reviewAll: o.ReviewAll},
		Webhooks:  &Webhooks{owned: bots, endpoints: o.Endpoints, fetcher: o.Fetcher},
		Sender: &Sender{
			connections: carriers, pool: o.Pool, acceptor: o.Acceptor, keys: pipeline.NewKeys(o.Pool), sms: o.SMS, messaging: o.Messaging, now: o.Now,
		},
	}
}

// owned changes bots of organisations.
type owned struct{ pool db.Beginner }

// Limits counts the requests of organisations.
type Limits struct {
	limiter *limit.Limiter
	rates   Rates
}

// Throttle counts a request of an organisation. It is Limited if there were too
// many.
func (s *Limits) Throttle(ctx context.Context, organisationID int64, sends bool) error {
	l := limit.Limit{Name: "rcs_management", Burst: s.rates.Management, Period: time.Minute, Open: true}
	if sends {
		l = limit.Limit{Name: "rcs_send", Burst: s.rates.Send, Period: time.Second, Open: true}
	}
	if l.Burst <= 0 {
		return nil
	}
	return s.limiter.Take(ctx, l, fmt.Sprint(organisationID))
}

// findBot returns a bot of an organisation.
func findBot(ctx context.Context, q db.Querier, organisationID int64, id string) (models.RCSBot, error) {
	return ownBot(organisationID, id)(queries.RCSBotGet(ctx, q, id))
}

// ownBot turns a bot that is missing or of another organisation into NotFound.
func ownBot(organisationID int64, id string) func(models.RCSBot, error) (models.RCSBot, error) {
	return func(b models.RCSBot, err error) (models.RCSBot, error) {
		if err != nil && !db.IsNoRows(err) {
			return b, fmt.Errorf("reading bot %s: %w", id, err)
		}
		if err != nil || b.OrganisationID != organisationID {
			return b, errNoBot()
		}
		return b, nil
	}
}

// change changes a bot in a transaction that records it.
func (o owned) change(ctx context.Context, by By, id string, do func(tx pgx.Tx, b *models.RCSBot) (audit.Entry, error)) error {
	return db.InTx(ctx, o.pool, func(tx pgx.Tx) error {
		b, err := ownBot(by.OrganisationID, id)(writes.RCSBotLock(ctx, tx, id))
		if err != nil {
			return err
		}
		e, err := do(tx, &b)
		if err != nil {
			return err
		}
		e.Actor, e.Target = by.Actor, "rcs_bot:"+id
		return audit.Record(ctx, tx, e)
	})
}

// readObject returns a stored object.
func readObject(raw json.RawMessage) (map[string]any, error) {
	m := map[string]any{}
	if len(raw) == 0 {
		return m, nil
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fmt.Errorf("reading a stored object: %w", err)
	}
	return m, nil
}
