// Package messaging is the business messaging channel: what may be sent, how a
// message is accepted, carried and reported, and where its callbacks go.
//
// Where the specification is silent the shapes are those that existing clients
// of the field's Cloud API expect: numeric error codes in *fault.Error.Code
// (see error.go), message ids that begin with "wamid.", ids of 15 to 16 digits.
package messaging

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/keyring"
	"heliograph/app/limit"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/jobs/args"
	"heliograph/storage"
)

// Channel is the name of this channel in messages, webhooks and API key scopes.
const Channel = "messaging"

// Guard checks where a partner wants callbacks to go, before it is stored and
// again whenever it is dialled. Faults say what to change.
type Guard interface {
	CheckWebhook(ctx context.Context, url string, headers map[string]string) error
}

// Options are what a Service is made of.
type Options struct {
	Pool     *pgxpool.Pool
	Listener *db.Listener
	Keyring  *keyring.Keyring
	Jobs     args.Inserter
	Store    storage.Store // media and uploads
	Guard    Guard
	Words    []string // names of the channel that are understood, the default first
	BaseURL  string   // scheme and host that links begin with
	Rates    Rates

	ReviewDelay time.Duration // how long a template waits for its review
}

// Service answers for every organisation's numbers, templates and messages.
type Service struct {
	*Webhooks
	pool      *pgxpool.Pool
	keyring   *keyring.Keyring
	links     []byte // signs addresses of media and uploads
	store     storage.Store
	words     []string
	base      string
	rates     Rates
	limiter   *limit.Limiter
	jobs      args.Inserter
	delay     time.Duration // of reviews
	acceptor  *acceptor
	numbers   *db.Cache[int64, models.PhoneNumber]
	templates *db.Cache[templateKey, sendable]
}

// New makes a service.
func New(o Options) *Service {
	const keep = 30 * time.Second
	return &Service{
		Webhooks: NewWebhooks(WebhookOptions{DB: o.Pool, Keyring: o.Keyring, Jobs: o.Jobs, Guard: o.Guard, Product: o.Words[0]}),
		pool:     o.Pool, keyring: o.Keyring, links: o.Keyring.Subkey("messaging links"), store: o.Store, words: o.Words, base: o.BaseURL,
		rates: o.Rates, limiter: limit.New(o.Pool, o.Keyring),
		jobs: o.Jobs, delay: o.ReviewDelay,
		acceptor:  newAcceptor(o.Pool),
		numbers:   db.NewCache[int64, models.PhoneNumber](o.Listener, keep, 10_000, "phone_numbers"),
		templates: db.NewCache[templateKey, sendable](o.Listener, keep, 10_000, "message_templates"),
	}
}

// Words returns the names of the channel that are understood, the default
// first.
func (s *Service) Words() []string { return s.words }
