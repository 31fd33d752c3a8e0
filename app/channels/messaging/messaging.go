// Package messaging implements the business messaging channel: it validates and
// accepts messages, tracks their state, and stores the callbacks to partners.
//
// Where the specification is silent, requests and responses follow the Cloud
// API that existing clients use: numeric error codes in *fault.Error.Code (see
// error.go), message ids that start with "wamid.", ids of 15 or 16 digits.
package messaging

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/delivery"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// Channel is the name of the channel in messages, webhooks and API key scopes.
const Channel = "messaging"

// guard checks the URL and the headers of a webhook before they are stored. They
// are checked again on every request. Errors say what to change.
type guard interface {
	CheckWebhook(ctx context.Context, url string, headers map[string]string) error
	// Challenge asks the URL to prove with the token that it expects callbacks.
	// owner is the organisation whose webhook it is.
	Challenge(ctx context.Context, owner, url string, headers map[string]string, token string) error
}

// Options holds the dependencies and settings of a Service.
type Options struct {
	Pool     *pgxpool.Pool
	Listener *db.Listener
	Signals  *db.Signals // tells open pages; may be nil
	Keyring  *keyring.Keyring
	Jobs     args.Inserter
	Store    storage.Store // media and uploads
	Guard    guard
	Routes   *delivery.Routes // to the carriers of live numbers; nil allows every number to send
	Words    []string         // accepted names of the channel, the default first
	BaseURL  string           // scheme and host of links
	Rates    Rates
	Quotas   Quotas

	ReviewDelay time.Duration // time until a template is reviewed
	// Now returns the time; nil stands for time.Now.
	Now func() time.Time
}

// Service manages the numbers, templates and messages of all organisations.
type Service struct {
	*Webhooks
	files
	people
	keyring   *keyring.Keyring
	links     []byte // key that signs URLs of media and uploads
	words     []string
	base      string
	rates     Rates
	limiter   *limit.Limiter
	routes    *delivery.Routes
	jobs      args.Inserter
	delay     time.Duration // of reviews
	now       func() time.Time
	keys      *delivery.Keys
	acceptor  *delivery.Acceptor
	numbers   *db.Cache[int64, models.PhoneNumber]
	templates *db.Cache[templateKey, sendable]
}

// New returns a new service.
func New(o Options) *Service {
	const keep = 30 * time.Second
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Service{
		Webhooks: NewWebhooks(WebhookOptions{DB: o.Pool, Keyring: o.Keyring, Jobs: o.Jobs, Guard: o.Guard, Product: o.Words[0]}),
		files:    files{pool: o.Pool, store: o.Store, quotas: o.Quotas},
		people:   people{o.Pool},
		keyring:  o.Keyring, links: o.Keyring.Subkey("messaging links"), words: o.Words, base: o.BaseURL,
		rates: o.Rates, limiter: limit.New(o.Pool, o.Keyring),
		routes: o.Routes,
		jobs:   o.Jobs, delay: o.ReviewDelay,
		now:       o.Now,
		keys:      delivery.NewKeys(o.Pool),
		acceptor:  delivery.NewAcceptor(o.Pool, o.Signals),
		numbers:   db.NewCache[int64, models.PhoneNumber](o.Listener, keep, 10_000, "phone_numbers"),
		templates: db.NewCache[templateKey, sendable](o.Listener, keep, 10_000, "message_templates"),
	}
}

// Words returns the accepted names of the channel, the default first.
func (s *Service) Words() []string { return s.words }
