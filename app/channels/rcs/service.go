package rcs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/delivery"
	"heliograph/app/channels/messaging"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/sms"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/app/operation/limit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
	"heliograph/jobs/args"
)

// Options holds the dependencies of a Service.
type Options struct {
	Pool      db.Beginner
	Acceptor  *delivery.Acceptor
	Routes    *delivery.Routes // nil: every bot has a carrier
	Endpoints *relay.Endpoints
	Keyring   *keyring.Keyring
	Limiter   *limit.Limiter
	Fetcher   fetcher
	SMS       *sms.Service       // of fallbacks
	Messaging *messaging.Service // of fallbacks
	Jobs      args.Inserter
	Rates     Rates
	Mail      relay.Mailer // notifies owners; nil for nobody
	PublicURL string       // start of links in emails
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

// Service holds the bots of all organisations and accepts their messages.
type Service struct {
	Options
	keys *delivery.Keys
}

// New returns a new Service.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Service{Options: o, keys: delivery.NewKeys(o.Pool)}
}

// Throttle counts a request of an organisation. It is Limited if there were too
// many.
func (s *Service) Throttle(ctx context.Context, organisationID int64, sends bool) error {
	l := limit.Limit{Name: "rcs_management", Burst: s.Rates.Management, Period: time.Minute, Open: true}
	if sends {
		l = limit.Limit{Name: "rcs_send", Burst: s.Rates.Send, Period: time.Second, Open: true}
	}
	if l.Burst <= 0 {
		return nil
	}
	return s.Limiter.Take(ctx, l, fmt.Sprint(organisationID))
}

// bot returns a bot of an organisation.
func (s *Service) bot(ctx context.Context, q db.Querier, organisationID int64, id string) (models.RCSBot, error) {
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
func (s *Service) change(ctx context.Context, by By, id string, do func(tx pgx.Tx, b *models.RCSBot) (audit.Entry, error)) error {
	return db.InTx(ctx, s.Pool, func(tx pgx.Tx) error {
		b, err := ownBot(by.OrganisationID, id)(queries.RCSBotLock(ctx, tx, id))
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
