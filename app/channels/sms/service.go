package sms

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/channels/pipeline"
	"heliograph/app/channels/relay"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/db"
	queries "heliograph/db/queries/channels"
	"heliograph/db/queries/channels/writes"
)

// Options holds the dependencies of a Service.
type Options struct {
	Pool      *pgxpool.Pool
	Listener  *db.Listener
	Acceptor  *pipeline.Acceptor
	Keys      *pipeline.Keys
	Routes    *pipeline.Routes // nil: every header has a carrier
	Endpoints *relay.Endpoints
	Keyring   *keyring.Keyring // seals one-time passwords
	Limiter   *limit.Limiter   // may be nil if there are no rates
	Rates     Rates
	// Now returns the time; nil stands for time.Now.
	Now func() time.Time
}

// Rates are how many requests a second an organisation may make to submit
// messages; 0 means any number.
type Rates struct{ Live, Sandbox int }

// Service accepts messages of all organisations.
type Service struct {
	Options
	accounts *db.Cache[int64, *Account]
	reports  *db.Cache[string, bool] // subjects with a stored webhook
}

const (
	accountCacheLife = 30 * time.Second
	accountCount     = 10_000
)

// New returns a new Service. Call it before listener.Run.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Service{
		Options:  o,
		accounts: db.NewCache[int64, *Account](o.Listener, accountCacheLife, accountCount, "sms_accounts", "sms_headers", "sms_templates", "organisations"),
		reports:  db.NewCache[string, bool](o.Listener, accountCacheLife, accountCount, "webhooks"),
	}
}

// Account returns what an organisation may do and what it sends with.
func (s *Service) Account(ctx context.Context, organisationID int64) (*Account, error) {
	return s.accounts.Get(ctx, organisationID, func(ctx context.Context, organisationID int64) (*Account, error) {
		return loadAccount(ctx, s.Pool, organisationID)
	})
}

// loadAccount reads an account from the database.
func loadAccount(ctx context.Context, q db.Querier, organisationID int64) (*Account, error) {
	var a Account
	var err error
	if a.SMSAccount, err = queries.SMSAccountGet(ctx, q, organisationID); err != nil {
		return nil, fmt.Errorf("reading the SMS account of %d: %w", organisationID, err)
	}
	headers, err := queries.SMSHeaderList(ctx, q, organisationID)
	if err != nil {
		return nil, fmt.Errorf("listing the headers of %d: %w", organisationID, err)
	}
	for _, h := range headers {
		if h.IsUsable() {
			a.Headers = append(a.Headers, h)
		} else {
			a.Pending = append(a.Pending, h)
		}
	}
	if a.Templates, err = queries.SMSTemplateList(ctx, q, organisationID); err != nil {
		return nil, fmt.Errorf("listing the stored texts of %d: %w", organisationID, err)
	}
	return &a, nil
}

// SubmitRequest is a submission of an organisation.
type SubmitRequest struct {
	OrganisationID int64
	Submission     *Submission
	Unusable       error  // the *Refusal with which reading it ended, or nil
	Body           []byte // compared when Key is used again
	Key            string // Idempotency-Key, or empty
}

// Submit accepts the messages of a submission and returns an outcome for each
// recipient. It returns after they are committed. An error means that nothing is
// known to be stored.
func (s *Service) Submit(ctx context.Context, r SubmitRequest) (Response, error) {
	response, err := s.submit(ctx, r)
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return NewResponse(s.Now()).Refused(refusal), nil
	}
	return response, err
}

// submit is Submit with a *Refusal of the whole submission as an error.
func (s *Service) submit(ctx context.Context, r SubmitRequest) (Response, error) {
	key := pipeline.Key{OrganisationID: r.OrganisationID, Route: "sms/submit", Body: r.Body, Value: r.Key}
	if stored, err := s.Keys.Find(ctx, key); err != nil || stored != nil {
		return readReply(stored, err)
	}
	now := s.Now()
	b := batch{response: NewResponse(now)}
	err := r.Unusable
	if err == nil {
		err = s.review(ctx, r, &b)
	}
	if err != nil {
		return Response{}, err
	}
	if len(b.messages) == 0 {
		b.response.settle()
		return b.response, nil
	}
	return s.store(ctx, key, &b)
}

// review checks a submission and finds out where its messages go.
func (s *Service) review(ctx context.Context, r SubmitRequest, b *batch) (err error) {
	if b.account, err = s.Account(ctx, r.OrganisationID); err != nil {
		return err
	}
	if b.envelope, err = b.account.envelope(r.Submission, b.response.RequestID, s.Now()); err != nil {
		return err
	}
	if err := s.setReportURLs(ctx, b, r.Submission); err != nil {
		return err
	}
	if err := b.read(r.Submission); err != nil {
		return err
	}
	if err := s.warn(ctx, b, r.Submission); err != nil {
		return err
	}
	if err := s.checkRoutes(ctx, b); err != nil || len(b.messages) == 0 {
		return err
	}
	return s.throttle(ctx, b.account)
}

// throttle counts a submission that is going to be stored.
func (s *Service) throttle(ctx context.Context, a *Account) error {
	l := limit.Limit{Name: "sms_submit", Burst: s.Rates.Live, Period: time.Second, Open: true}
	if a.Sandbox {
		l.Burst = s.Rates.Sandbox
	}
	if l.Burst <= 0 {
		return nil
	}
	err := s.Limiter.Take(ctx, l, strconv.FormatInt(a.OrganisationID, 10))
	if f := fault.As(err); f != nil && f.Kind == fault.Limited {
		return &fault.Error{
			Kind: fault.Limited, Code: CodeAccess.String(), RetryAfter: f.RetryAfter,
			Message: fmt.Sprintf("Too many requests: submit at most %d a second, and several messages in each", l.Burst),
		}
	}
	return err
}

// checkRoutes checks that each header has a carrier.
func (s *Service) checkRoutes(ctx context.Context, b *batch) error {
	checked := map[string]bool{}
	for _, m := range b.messages {
		if checked[m.Sender] {
			continue
		}
		checked[m.Sender] = true
		err := s.Routes.Check(ctx, pipeline.RouteQuery{Channel: Channel, Sender: m.Sender, OrganisationID: m.OrganisationID})
		if fault.Is(err, fault.Unavailable) {
			return refuse(CodeDisabled, "no carrier is set up for this header, ask your account manager")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// store commits the messages. Those with a reference share a transaction with it.
func (s *Service) store(ctx context.Context, key pipeline.Key, b *batch) (_ Response, err error) {
	references := b.references()
	if len(references) == 0 {
		b.response.settle()
		group := pipeline.Group{Key: key, Messages: b.messages}
		if key.Value != "" {
			if group.Reply, err = json.Marshal(b.response); err != nil {
				return b.response, fmt.Errorf("writing the answer: %w", err)
			}
		}
		reply, err := s.Acceptor.Accept(ctx, group)
		if err != nil || !reply.Replayed {
			return b.response, keyRefusal(err)
		}
		return readReply(&reply, nil)
	}
	reply, err := s.Keys.Once(ctx, key, func(tx pgx.Tx) (any, error) {
		free, err := writes.SMSReferenceClaim(ctx, tx, b.account.OrganisationID, references, referenceWindow)
		if err != nil {
			return nil, fmt.Errorf("claiming references: %w", err)
		}
		used := map[string]bool{}
		for _, reference := range references {
			used[reference] = !slices.Contains(free, reference)
		}
		b.drop(used)
		b.response.settle()
		if len(b.messages) == 0 {
			return b.response, nil
		}
		return b.response, s.Acceptor.AcceptTx(ctx, tx, b.messages...)
	})
	return readReply(&reply, err)
}

// referenceWindow is how long a cust_ref cannot be used again.
const referenceWindow = 24 * time.Hour

// references lists the references of the messages, each once.
func (b *batch) references() (references []string) {
	for _, m := range b.messages {
		if m.Reference != "" {
			references = append(references, m.Reference)
		}
	}
	slices.Sort(references)
	return slices.Compact(references)
}

// readReply returns a stored answer.
func readReply(reply *pipeline.Reply, err error) (r Response, _ error) {
	if err != nil {
		return r, keyRefusal(err)
	}
	if err := json.Unmarshal(reply.Body, &r); err != nil {
		return r, fmt.Errorf("reading a stored answer: %w", err)
	}
	return r, nil
}

// keyRefusal turns the error of an Idempotency-Key into a refusal.
func keyRefusal(err error) error {
	var unusable *pipeline.KeyError
	if errors.As(err, &unusable) {
		return refuse(CodeBadRequest, unusable.Detail)
	}
	return err
}

func errManyURLs() error {
	return refuse(CodeBadRequest, fmt.Sprintf("the messages of a request may name %d different dlr_url: use placeholders such as %%msg_id%%", maxRequestURLs))
}

// maxRequestURLs is how many report addresses the messages of a request may name.
const maxRequestURLs = 10

// setReportURLs stores the addresses that a request and its messages name for their
// reports. An address of a message that cannot be used refuses that message.
func (s *Service) setReportURLs(ctx context.Context, b *batch, request *Submission) error {
	if url := b.envelope.reportURL; url != "" {
		if err := s.setReportURL(ctx, b, url); err != nil {
			return err
		}
	}
	for i := range request.Messages {
		url := string(request.Messages[i].ReportURL)
		if _, seen := b.envelope.refused[url]; seen || url == "" {
			continue
		}
		if len(b.envelope.refused) == maxRequestURLs {
			return errManyURLs()
		}
		err := s.setReportURL(ctx, b, url)
		var refusal *Refusal
		if err != nil && !errors.As(err, &refusal) {
			return err
		}
		if b.envelope.refused == nil {
			b.envelope.refused = map[string]error{}
		}
		b.envelope.refused[url] = err
	}
	return nil
}

// warn adds what a request asks for and does not get.
func (s *Service) warn(ctx context.Context, b *batch, request *Submission) error {
	b.warnUnknown(request)
	for i := range request.Messages {
		m := &request.Messages[i]
		if m.Reports != "1" || m.ReportURL != "" || b.envelope.reportURL != "" {
			continue
		}
		subject := Subject(b.account.OrganisationID, "")
		reported, err := s.reports.Get(ctx, "address of "+subject, func(ctx context.Context, _ string) (bool, error) {
			w, err := s.Endpoints.Get(ctx, Channel, subject)
			return w.URL != "", err
		})
		if err != nil {
			return err
		}
		if !reported {
			b.response.Warnings = append(b.response.Warnings, "dlr_req asks for reports, but there is no address for them: set the webhook of your account, or send dlr_url")
		}
		break
	}
	return nil
}

// warnUnknown adds the fields that were not read.
func (b *batch) warnUnknown(request *Submission) {
	for _, name := range request.unknown {
		b.response.Warnings = append(b.response.Warnings, name+" is not a field of this request: it was ignored")
	}
}

// setReportURL stores an address for reports, unless it is known.
func (s *Service) setReportURL(ctx context.Context, b *batch, url string) error {
	endpoint := relay.Endpoint{OrganisationID: b.account.OrganisationID, Channel: Channel, Subject: Subject(b.account.OrganisationID, url), URL: url}
	if err := s.Endpoints.Check(ctx, endpoint); err != nil {
		detail := "dlr_url cannot be used" // a cause may name addresses of our network
		if f := fault.As(err); f != nil {
			detail += ": " + f.Message
		}
		return refuse(CodeBadRequest, detail)
	}
	_, err := s.reports.Get(ctx, endpoint.Subject, func(ctx context.Context, subject string) (bool, error) {
		found, err := s.Endpoints.Get(ctx, Channel, subject)
		if err != nil || found.ID != 0 {
			return true, err
		}
		return true, db.InTx(ctx, s.Pool, func(tx pgx.Tx) error {
			n, err := queries.WebhookCount(ctx, tx, Channel, endpoint.OrganisationID)
			if err != nil {
				return fmt.Errorf("counting report addresses: %w", err)
			}
			if n >= maxReportURLs {
				return refuse(CodeBadRequest, fmt.Sprintf("your account has used %d different dlr_url: use placeholders such as %%msg_id%% instead of an address for each message", maxReportURLs))
			}
			secrets, until, err := ensureSecrets(ctx, tx, s.Endpoints, endpoint.OrganisationID)
			if err != nil {
				return err
			}
			endpoint.Secret, endpoint.Previous, endpoint.PreviousUntil = secrets.Current, secrets.Previous, until
			return s.Endpoints.Set(ctx, tx, endpoint)
		})
	})
	return err
}

// maxReportURLs is how many addresses the requests of an account may name.
const maxReportURLs = 100

// addressHash returns a short name for an address.
func addressHash(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:16])
}
