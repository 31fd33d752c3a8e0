// Package webhookrange is where partners try receivers of callbacks before they have
// one: an address of ours that takes whatever the relay or anybody posts for an hour,
// shows it, checks its signature step by step, and answers as its owner chooses.
//
// What came in is sealed where it is stored, bounded in number and size, and gone a day
// after the address has ended. The relay recognises the addresses and hands callbacks
// over within the process: nothing is dialled.
package webhookrange

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/audit"
	"heliograph/app/operation/limit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Prefix begins the paths of all addresses. The token follows.
const Prefix = "/range"

const (
	// openFor is how long an address takes requests.
	openFor = time.Hour
	// keep is how long requests can be seen after their address has ended.
	keep = 24 * time.Hour
	// MaxBody is the largest body, in bytes.
	MaxBody = 256 << 10
	// MaxRequests is how many requests are shown, and maxKept how many of them can be
	// kept when others come.
	MaxRequests, maxKept = 100, 20
	// maxDelay is the longest time until an answer.
	maxDelay = 20 * time.Second
	// maxAnswer is the longest body of an answer, in bytes.
	maxAnswer = 4 << 10
)

// tokenBytes is the length of the random part of an address.
const tokenBytes = 24

// Options holds the dependencies of a Service.
type Options struct {
	DB      db.Beginner
	Keyring *keyring.Keyring
	// Channels say how callbacks are signed.
	Channels pipeline.Channels
	// PublicURL is the address of this installation.
	PublicURL string
	// Signals tells open pages what came in; nil tells nobody.
	Signals func(topic string, organisationID int64)
}

// Service looks after the ranges of all organisations.
type Service struct {
	options Options
	base    *url.URL // nil when the public address is no URL
	limiter *limit.Limiter
}

// New returns a service.
func New(o Options) *Service {
	base, err := url.Parse(o.PublicURL)
	if err != nil {
		base = nil
	}
	return &Service{o, base, limit.New(o.DB, o.Keyring)}
}

// Range is the range of an organisation.
type Range struct {
	models.WebhookRange
	Address string // empty when it has ended, or no key opens it
}

// Answer is what a range answers: a status, after a delay, with a body as text.
type Answer struct {
	Status int
	Delay  time.Duration
	Body   string
}

// Answer returns what the range answers.
func (r Range) Answer() Answer {
	return Answer{r.Status, time.Duration(r.DelayMS) * time.Millisecond, r.WebhookRange.Answer}
}

// Get returns the range of an organisation, nil if it never had one.
func (s *Service) Get(ctx context.Context, organisationID int64) (*Range, error) {
	w, err := queries.RangeGet(ctx, s.options.DB, organisationID)
	if err != nil {
		return nil, db.Absent(err, nil, "looking the webhook range of %d up", organisationID)
	}
	r := &Range{WebhookRange: w}
	if !w.ExpiresAt.After(time.Now()) || w.Token == nil {
		return r, nil
	}
	token, err := s.options.Keyring.Open(w.Token, tokenPlace(organisationID))
	if err != nil {
		return nil, fmt.Errorf("opening the address of the webhook range of %d: %w", organisationID, err)
	}
	r.Address = strings.TrimSuffix(s.options.PublicURL, "/") + Prefix + "/" + string(token)
	return r, nil
}

// Open gives an organisation a new address for an hour. The one before takes no more.
func (s *Service) Open(ctx context.Context, organisationID int64, actor string) error {
	random := make([]byte, tokenBytes)
	rand.Read(random) // never fails
	token := base64.RawURLEncoding.EncodeToString(random)
	sealed := s.options.Keyring.Seal([]byte(token), tokenPlace(organisationID))
	err := s.change(ctx, organisationID, actor, "webhook_range.open", func(tx pgx.Tx) error {
		return writes.RangeOpen(ctx, tx, organisationID, hashed(token), sealed, time.Now().Add(openFor))
	})
	if err != nil {
		return fmt.Errorf("opening the webhook range of %d: %w", organisationID, err)
	}
	return nil
}

// Extend lets an address that is open take requests for another hour from now.
func (s *Service) Extend(ctx context.Context, organisationID int64, actor string) error {
	r, err := s.Get(ctx, organisationID)
	if err != nil {
		return err
	}
	if r == nil || r.Address == "" {
		return fault.New(fault.Conflict, "The address has ended. Open a new one.")
	}
	err = s.change(ctx, organisationID, actor, "webhook_range.extend", func(tx pgx.Tx) error {
		return writes.RangeUpdateExpiry(ctx, tx, organisationID, time.Now().Add(openFor))
	})
	if err != nil {
		return fmt.Errorf("extending the webhook range of %d: %w", organisationID, err)
	}
	return nil
}

// End ends the address of an organisation now. What came in can be seen for a day.
func (s *Service) End(ctx context.Context, organisationID int64, actor string) error {
	err := s.change(ctx, organisationID, actor, "webhook_range.end", func(tx pgx.Tx) error {
		return writes.RangeUpdateExpiry(ctx, tx, organisationID, time.Now())
	})
	if err != nil {
		return fmt.Errorf("ending the webhook range of %d: %w", organisationID, err)
	}
	return nil
}

// change changes a range and records it.
func (s *Service) change(ctx context.Context, organisationID int64, actor, action string, do func(pgx.Tx) error) error {
	return db.InTx(ctx, s.options.DB, func(tx pgx.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return audit.Record(ctx, tx, audit.Entry{Actor: actor, Action: action, Target: "organisation:" + strconv.FormatInt(organisationID, 10)})
	})
}

// SetAnswer sets what the range of an organisation answers to new requests.
func (s *Service) SetAnswer(ctx context.Context, organisationID int64, a Answer) error {
	if r, err := s.Get(ctx, organisationID); err != nil {
		return err
	} else if r == nil {
		return fault.New(fault.Conflict, "There is no address yet. Open one first.")
	}
	var wrong fault.Fields
	wrong.AddIf(a.Status < 200 || a.Status > 599, "status", "Enter a status from 200 to 599.")
	wrong.AddIf(a.Delay < 0 || a.Delay > maxDelay, "delay", "Enter a delay from 0 to 20 seconds.")
	wrong.AddIf(len(a.Body) > maxAnswer, "body", "Enter a body of at most 4 kB.")
	if wrong != nil {
		return fault.InvalidFields(wrong...)
	}
	w := models.WebhookRange{OrganisationID: organisationID, Status: a.Status, DelayMS: int(a.Delay.Milliseconds()), Answer: a.Body}
	if err := writes.RangeUpdateAnswer(ctx, s.options.DB, w); err != nil {
		return fmt.Errorf("setting the answer of the webhook range of %d: %w", organisationID, err)
	}
	return nil
}

// List lists what came in, the newest first, without contents.
func (s *Service) List(ctx context.Context, organisationID int64) ([]models.RangeRequest, error) {
	found, err := queries.RangeRequestList(ctx, s.options.DB, organisationID)
	if err != nil {
		return nil, fmt.Errorf("listing what the webhook range of %d took: %w", organisationID, err)
	}
	return found, nil
}

// Find returns a request of an organisation with its content.
func (s *Service) Find(ctx context.Context, organisationID int64, id uuid.UUID) (Taken, error) {
	row, err := queries.RangeRequestGet(ctx, s.options.DB, organisationID, id)
	if err != nil {
		return Taken{}, db.Absent(err, fault.New(fault.NotFound, "This request is not in the range any more."), "looking a request of a webhook range up")
	}
	return s.unseal(row)
}

// SetKept keeps a request while others come, or stops keeping it.
func (s *Service) SetKept(ctx context.Context, organisationID int64, id uuid.UUID, kept bool) error {
	done, err := writes.RangeRequestUpdateKept(ctx, s.options.DB, organisationID, id, kept, maxKept)
	if err != nil {
		return fmt.Errorf("keeping a request of a webhook range: %w", err)
	}
	if !done {
		return fault.New(fault.Conflict, "%d requests are kept already. Stop keeping one of them first.", maxKept)
	}
	return nil
}

func hashed(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

func tokenPlace(organisationID int64) string {
	return keyring.Place("webhook_ranges", "token", organisationID)
}

func contentPlace(id uuid.UUID) string {
	return keyring.Place("webhook_range_requests", "content", id)
}

// Sweep deletes addresses that ended long enough ago, with their requests.
func Sweep(ctx context.Context, q db.Querier) error {
	return writes.RangeDeleteExpired(ctx, q, keep)
}
