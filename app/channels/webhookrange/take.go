package webhookrange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Request is what comes in at an address.
type Request struct {
	Method string
	Query  string // as it was sent
	Header http.Header
	Body   []byte
	// Client is who posts it, as limit.Client returns it; empty for the relay, which
	// hands over within the process and is not limited here.
	Client string
}

// headerLine is one header of a request that was taken.
type headerLine struct{ Name, Value string }

// Taken is a request with its content.
type Taken struct {
	models.RangeRequest
	Query   string
	Headers []headerLine // by their names
	Body    []byte
}

// Get returns the value of a header, in any case.
func (t Taken) Get(name string) string {
	for _, h := range t.Headers {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// content is what is sealed of a request.
type content struct {
	Query   string
	Headers []headerLine
	Body    []byte
}

// The limits of requests that are posted from outside: for an address of ours, and for
// who posts.
var (
	ofRange  = limit.Limit{Name: "webhook_range", Burst: 300, Period: time.Minute}
	ofClient = limit.Limit{Name: "webhook_range_client", Burst: 300, Period: time.Minute}
)

// remembered is how many requests back a repeated webhook-id is recognised.
const remembered = 20_000

// private are the headers that are not kept: the session of a browser that is signed in
// here, and what our own proxies add.
var private = []string{"Cookie", "Forwarded", "X-Real-Ip"}

// Take stores a request that came in with a token, and returns what to answer. The
// answer is not delayed yet. A token without an open range is Gone to the relay: see
// errEnded.
func (s *Service) Take(ctx context.Context, token string, r Request) (Answer, error) {
	if len(token) != base64Length {
		return Answer{}, errEnded
	}
	hash := hashed(token)
	if r.Client != "" {
		for _, l := range []struct {
			limit.Limit
			key string
		}{{ofClient, r.Client}, {ofRange, string(hash)}} {
			if err := s.limiter.Take(ctx, l.Limit, l.key); err != nil {
				return Answer{}, err
			}
		}
	}
	return s.take(ctx, hash, r, nil)
}

// base64Length is the length of a token.
const base64Length = (tokenBytes*8 + 5) / 6

// errEnded is the answer of an address that takes nothing. Status 410 makes the relay
// stop, as receivers ask it to.
var errEnded = &fault.Error{Kind: fault.NotFound, Message: "This address takes no requests any more. Open a new one on the page of the webhook range."}

func (s *Service) take(ctx context.Context, hash []byte, r Request, replayOf *int64) (Answer, error) {
	if len(r.Body) > MaxBody {
		return Answer{}, &fault.Error{Kind: fault.TooLarge, Message: "The body is larger than 256 kB."}
	}
	var w models.WebhookRange
	err := db.InTx(ctx, s.options.DB, func(tx pgx.Tx) (err error) {
		if w, err = writes.RangeTake(ctx, tx, hash, time.Now()); err != nil {
			return err
		}
		return s.store(ctx, tx, w, r, replayOf)
	})
	if err != nil {
		return Answer{}, db.Absent(err, errEnded, "taking a request at a webhook range")
	}
	if s.options.Signals != nil {
		s.options.Signals("range", w.OrganisationID)
	}
	if challenge := challengeOf(r); challenge != "" && w.Status == http.StatusOK && w.Answer == "" {
		w.Answer = challenge
	}
	return Range{WebhookRange: w}.Answer(), nil
}

// challengeOf returns the challenge of a request that verifies an address, which is its
// answer. It has letters and digits only.
func challengeOf(r Request) string {
	if r.Method != http.MethodGet {
		return ""
	}
	values := parseQuery(r.Query)
	challenge := values.Get("hub.challenge")
	if values.Get("hub.mode") != "subscribe" || len(challenge) > 64 || strings.ContainsFunc(challenge, func(c rune) bool {
		return !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	}) {
		return ""
	}
	return challenge
}

// store stores a request of a range in the transaction that counted it.
func (s *Service) store(ctx context.Context, tx pgx.Tx, w models.WebhookRange, r Request, replayOf *int64) error {
	row := models.RangeRequest{
		ID: uuid.Must(uuid.NewV7()), OrganisationID: w.OrganisationID, Number: w.Taken, Method: r.Method[:min(len(r.Method), 32)], Size: len(r.Body),
		Inside: r.Client == "" && replayOf == nil, ReplayOf: replayOf, Status: w.Status, DelayMS: w.DelayMS,
	}
	if err := s.identify(ctx, tx, &row, r.Header); err != nil {
		return err
	}
	c := content{Query: r.Query, Body: r.Body}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if slices.Contains(private, name) || strings.HasPrefix(name, "X-Forwarded-") {
			continue
		}
		for _, value := range r.Header[name] {
			c.Headers = append(c.Headers, headerLine{name, value})
		}
	}
	plain, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("writing a request: %w", err)
	}
	row.Content = s.options.Keyring.Seal(plain, contentPlace(row.ID))
	if err := writes.RangeRequestInsert(ctx, tx, row); err != nil {
		return err
	}
	if row.Number%1000 == 0 {
		if err := writes.RangeForget(ctx, tx, w.OrganisationID, row.Number-remembered); err != nil {
			return err
		}
	}
	return writes.RangeRequestTrim(ctx, tx, w.OrganisationID, MaxRequests)
}

// identify says which callback a request is, and whether it came before.
func (s *Service) identify(ctx context.Context, tx pgx.Tx, row *models.RangeRequest, header http.Header) error {
	id := cmp.Or(header.Get("Webhook-Id"), header.Get("X-Heliograph-Delivery"))
	if id == "" {
		return nil
	}
	key := sha256.Sum256([]byte(id))
	first, err := writes.RangeSee(ctx, tx, row.OrganisationID, key[:16], row.Number)
	if err != nil {
		return err
	}
	if first != row.Number {
		row.FirstNumber = &first
	}
	delivery, err := strconv.ParseInt(id, 10, 64)
	if err != nil || delivery <= 0 {
		return nil
	}
	event, err := queries.RangeEventGet(ctx, tx, row.OrganisationID, delivery)
	if db.IsNoRows(err) {
		return nil
	}
	if err != nil {
		return err
	}
	row.DeliveryID, row.Event, row.EventAt = &delivery, event.Event, &event.CreatedAt
	return nil
}

// unseal opens the content of a request.
func (s *Service) unseal(row models.RangeRequest) (Taken, error) {
	t := Taken{RangeRequest: row}
	t.Content = nil
	if row.Content == nil { // no key opened it
		return t, nil
	}
	plain, err := s.options.Keyring.Open(row.Content, contentPlace(row.ID))
	if err != nil {
		return t, fmt.Errorf("opening a request of a webhook range: %w", err)
	}
	var c content
	if err := json.Unmarshal(plain, &c); err != nil {
		return t, fmt.Errorf("reading a request of a webhook range: %w", err)
	}
	t.Query, t.Headers, t.Body = c.Query, c.Headers, c.Body
	return t, nil
}

// Replay takes a request of an organisation once more, as it came, and answers it as
// the range does now.
func (s *Service) Replay(ctx context.Context, organisationID int64, id uuid.UUID) (Answer, error) {
	t, err := s.Find(ctx, organisationID, id)
	if err != nil {
		return Answer{}, err
	}
	r := Request{Method: t.Method, Query: t.Query, Header: http.Header{}, Body: t.Body}
	for _, h := range t.Headers {
		r.Header.Add(h.Name, h.Value)
	}
	return s.put(ctx, organisationID, r, &t.Number)
}

// Put takes a request that this installation made for an organisation, such as a test
// event.
func (s *Service) Put(ctx context.Context, organisationID int64, r Request) error {
	_, err := s.put(ctx, organisationID, r, nil)
	return err
}

func (s *Service) put(ctx context.Context, organisationID int64, r Request, replayOf *int64) (Answer, error) {
	w, err := s.Get(ctx, organisationID)
	if err != nil {
		return Answer{}, err
	}
	if w == nil || w.Address == "" {
		return Answer{}, fault.New(fault.Conflict, "The address has ended. Open a new one.")
	}
	_, token, _ := strings.Cut(w.Address, Prefix+"/")
	return s.take(ctx, hashed(token), r, replayOf)
}
