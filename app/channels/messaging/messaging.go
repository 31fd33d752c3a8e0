// Package messaging implements the business messaging channel: it validates and
// accepts messages, tracks their state, and stores the callbacks to partners.
//
// Where the specification is silent, requests and responses follow the Cloud
// API that existing clients use: numeric error codes in *fault.Error.Code (see
// package refusal), message ids that start with "wamid.", ids of 15 or 16 digits.
//
// This package sends, takes what people send, and tells partners. Below it stand the nouns
// that it needs and that do not know it: assets, media, shop and templates, and under
// them callback, refusal, registry, once and word.
package messaging

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/messaging/assets"
	"heliograph/app/channels/messaging/media"
	"heliograph/app/channels/messaging/request"
	"heliograph/app/channels/messaging/shop"
	"heliograph/app/channels/messaging/templates"
	"heliograph/app/channels/pipeline"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/db"
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
	// owner is the organisation of the webhook.
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
	Routes   *pipeline.Routes // to the carriers of live numbers; nil allows every number to send
	Words    []string         // accepted names of the channel, the default first
	BaseURL  string           // scheme and host of links
	Rates    Rates
	Quotas   media.Quotas

	ReviewDelay time.Duration // time until a template is reviewed
	// Now returns the time; nil stands for time.Now.
	Now func() time.Time
}

// Service holds the rules of the channel, one type for each noun.
type Service struct {
	request.Once
	request.Names
	FlowKeys  *FlowKeys
	Inbound   *Inbound
	Limits    *Limits
	Media     *media.Store
	Numbers   *assets.Numbers
	Profiles  *assets.Profiles
	QRCodes   *assets.QRCodes
	Sender    *Sender
	Shop      *shop.Service
	Templates *templates.Service
	Uploads   *media.Uploads
	Webhooks  *Webhooks
}

// New returns a new service.
func New(o Options) *Service {
	const keep = 30 * time.Second
	if o.Now == nil {
		o.Now = time.Now
	}
	keys, words := request.NewOnce(o.Pool), request.Names(o.Words)
	stored, carriers := media.NewFiles(o.Pool, o.Store, o.Quotas), assets.NewConnections(o.Routes, Channel)
	s := &Service{
		Once: keys, Names: words,
		FlowKeys: &FlowKeys{pool: o.Pool, keyring: o.Keyring, jobs: o.Jobs, Names: words},
		Limits:   &Limits{limiter: limit.New(o.Pool, o.Keyring), rates: o.Rates},
		Media:    media.New(keys, stored, o.Keyring.Subkey("messaging links")),
		Numbers:  assets.NewNumbers(carriers, words, o.Pool, o.Listener),
		QRCodes:  assets.NewQRCodes(o.Pool, o.Store, o.Jobs, o.BaseURL),
		Webhooks: NewWebhooks(WebhookOptions{DB: o.Pool, Keyring: o.Keyring, Jobs: o.Jobs, Guard: o.Guard, Product: o.Words[0]}),
	}
	s.Uploads = media.NewUploads(keys, stored, s.Media)
	s.Profiles = assets.NewProfiles(assets.ProfileOptions{Pool: o.Pool, Store: o.Store, Files: stored, Words: words, BaseURL: o.BaseURL, Jobs: o.Jobs, Uploads: s.Uploads})
	s.Shop = shop.New(keys, o.Pool, o.Jobs)
	s.Templates = templates.New(keys, words, o.Pool, o.Jobs, o.ReviewDelay, s.Uploads)
	s.Sender = &Sender{
		Once: keys, Names: words, people: people{o.Pool}, Connections: carriers, pool: o.Pool, jobs: o.Jobs, now: o.Now,
		acceptor: pipeline.NewAcceptor(o.Pool, o.Signals), known: db.NewCache[templateKey, sendable](o.Listener, keep, 10_000, "message_templates"),
		limits: s.Limits, media: s.Media,
	}
	s.Inbound = &Inbound{Once: keys, Names: words, pool: o.Pool, jobs: o.Jobs, media: s.Media, sender: s.Sender}
	return s
}
