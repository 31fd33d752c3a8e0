// Package listen gives programs of partners the callbacks of their organisation, for
// machines without a public address. It goes beside the webhooks, never instead: the relay
// neither knows nor waits for who listens.
//
// Each callback is the request that the relay would send, with its headers and a fresh
// signature. A program asks again and again with the cursor of the previous answer. Nothing
// is stored about programs that listen.
package listen

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"heliograph/app/channels/messaging"
	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/rcs"
	"heliograph/app/channels/relay"
	"heliograph/app/channels/simulate"
	"heliograph/app/channels/sms"
	"heliograph/app/keyring"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	operationqueries "heliograph/db/queries/operation"
)

// mostEvents is how many callbacks one answer has.
const mostEvents = 50

// Options holds the dependencies of a Service.
type Options struct {
	DB       db.Querier
	Keyring  *keyring.Keyring
	Signer   simulate.Signer
	Channels pipeline.Channels
	// Webhooks, SMS and RCS look after where callbacks go. A number, an account or a bot
	// that never had an address gets an empty one, so that its callbacks are stored.
	Webhooks *messaging.Webhooks
	SMS      *sms.Registry
	RCS      *rcs.Service
}

// Service gives callbacks to programs that listen.
type Service struct{ Options }

// New returns a service.
func New(o Options) *Service { return &Service{o} }

// Event is a callback, as the relay would send it.
type Event struct {
	ID        string      `json:"id"`
	Event     string      `json:"event"`
	Channel   string      `json:"channel"`
	CreatedAt time.Time   `json:"created_at"`
	Method    string      `json:"method"`
	Query     string      `json:"query"`
	Headers   http.Header `json:"headers"`
	Body      []byte      `json:"body"` // base64
}

// Page are callbacks, and the cursor to ask for what follows.
type Page struct {
	Events []Event `json:"events"`
	Next   string  `json:"next"`
	More   bool    `json:"more"` // others are waiting
}

// Begin returns the cursor of now, after it made sure that callbacks of everything that
// the organisation has are stored.
func (s *Service) Begin(ctx context.Context, caller identity.Caller) (Page, error) {
	if err := s.prepare(ctx, caller); err != nil {
		return Page{}, err
	}
	now, err := operationqueries.DatabaseNow(ctx, s.DB)
	if err != nil {
		return Page{}, fmt.Errorf("asking for the time: %w", err)
	}
	return Page{Events: []Event{}, Next: newCursor(now).text()}, nil
}

// After returns the callbacks after a cursor, without waiting for any.
func (s *Service) After(ctx context.Context, caller identity.Caller, after string) (p Page, err error) {
	c, err := parseCursor(after)
	if err != nil {
		return p, err
	}
	now, err := operationqueries.DatabaseNow(ctx, s.DB)
	if err != nil {
		return p, fmt.Errorf("asking for the time: %w", err)
	}
	found, err := queries.EventList(ctx, s.DB, caller.OrganisationID, c.at, c.ids(), caller.Channels, mostEvents+1)
	if err != nil {
		return p, fmt.Errorf("listing callbacks: %w", err)
	}
	if p.More = len(found) > mostEvents; p.More {
		found = found[:mostEvents]
	}
	p.Next = c.advance(found, p.More, now).text()
	p.Events, err = s.events(ctx, found)
	return p, err
}

// events makes the requests of callbacks.
func (s *Service) events(ctx context.Context, places []queries.EventPlace) ([]Event, error) {
	list := []Event{}
	if len(places) == 0 {
		return list, nil
	}
	ids := cursor{seen: places}.ids()
	deliveries, err := queries.DeliveryListRelayed(ctx, s.DB, ids)
	if err != nil {
		return nil, fmt.Errorf("loading callbacks: %w", err)
	}
	slices.SortFunc(deliveries, func(a, b models.Delivery) int {
		return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID))
	})
	for _, d := range deliveries {
		e, err := s.event(d)
		if err != nil {
			slog.ErrorContext(ctx, "a callback was not given to a program that listens", "delivery", d.ID, "error", err)
			continue
		}
		list = append(list, e)
	}
	return list, nil
}

func (s *Service) event(d models.Delivery) (e Event, err error) {
	channel, err := s.Channels.Get(d.Webhook.Channel)
	if err != nil {
		return e, err
	}
	own, err := relay.OpenHeaders(s.Keyring, d.Webhook)
	if err != nil {
		return e, err
	}
	secrets, err := channel.Relay.OpenSecrets(s.Keyring, d)
	if err != nil {
		return e, err
	}
	if len(d.Body) == 0 {
		return e, errors.New("its content was deleted")
	}
	request, err := channel.Relay.NewRequest(d)
	if err != nil {
		return e, err
	}
	sending := simulate.Sending{ID: strconv.FormatInt(d.ID, 10), At: time.Now(), Request: request, Secret: secrets.Current, Previous: secrets.Previous, Signature: channel.Relay.Signature}
	if channel.Relay.Sign != nil {
		if sending.Signed, err = channel.Relay.Sign(secrets.Signing(), d, request); err != nil {
			return e, err
		}
	}
	header, err := s.Signer.Headers(sending)
	if err != nil {
		return e, err
	}
	for name, value := range own {
		if header.Get(name) == "" {
			header.Set(name, value)
		}
	}
	e = Event{ID: sending.ID, Event: d.Event, Channel: d.Webhook.Channel, CreatedAt: d.CreatedAt, Method: request.Method, Headers: header, Body: request.Body}
	if e.Body == nil {
		e.Body = []byte{}
	}
	if u, err := url.Parse(request.URL); err == nil && request.Method == http.MethodGet {
		e.Query = u.RawQuery
	}
	return e, nil
}

// prepare gives numbers, bots and the SMS account that never had an address an empty one.
// Callbacks are then stored for them, and can be posted again when they get an address.
func (s *Service) prepare(ctx context.Context, caller identity.Caller) error {
	organisation, actor := caller.OrganisationID, fmt.Sprintf("key:%d", caller.KeyID)
	if slices.Contains(caller.Channels, messaging.Channel) {
		numbers, err := s.Webhooks.ListWebhooks(ctx, organisation)
		if err != nil {
			return err
		}
		for _, n := range numbers {
			if n.Webhook.ID != 0 {
				continue
			}
			if err := s.Webhooks.SetWebhook(ctx, n.Number, messaging.Webhook{}, actor); err != nil {
				return err
			}
		}
	}
	if slices.Contains(caller.Channels, sms.Channel) {
		w, err := s.SMS.Webhook(ctx, organisation)
		if err != nil {
			return err
		}
		if w.ID == 0 {
			if err := s.SMS.SetReportAddress(ctx, sms.By{OrganisationID: organisation, Actor: actor}, sms.ReportAddress{}); err != nil {
				return err
			}
		}
	}
	if slices.Contains(caller.Channels, rcs.Channel) {
		return s.prepareBots(ctx, rcs.By{OrganisationID: organisation, Actor: actor})
	}
	return nil
}

// mostBots is how many bots of an organisation are looked after.
const mostBots = 100

func (s *Service) prepareBots(ctx context.Context, by rcs.By) error {
	bots, err := queries.RCSBotList(ctx, s.DB, by.OrganisationID, "", queries.RCSPage{Limit: mostBots})
	if err != nil {
		return fmt.Errorf("listing bots: %w", err)
	}
	for _, b := range bots {
		w, err := s.RCS.Webhooks.Webhook(ctx, by.OrganisationID, b.ID)
		if err != nil {
			return err
		}
		if w.Webhook.ID != 0 {
			continue
		}
		if err := s.RCS.Webhooks.SetWebhook(ctx, by, rcs.WebhookSetting{BotID: b.ID}); err != nil {
			return err
		}
	}
	return nil
}
