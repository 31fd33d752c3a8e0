package mock

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/sampling"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/fault"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries/documentation/writes"
	"heliograph/jobs/args"
)

// keepCallbacks is how long a callback waits to be sent at most.
const keepCallbacks = 5 * time.Minute

// mostCallback is the largest body of a callback, in bytes.
const mostCallback = 64 << 10

// callbacks is how many callbacks an organisation may ask for.
var callbacks = limit.Limit{Name: "mock_callback", Burst: 30, Period: time.Minute}

// Sending holds the dependencies of callbacks.
type Sending struct {
	// Authenticate returns the caller of an API key.
	Authenticate func(ctx context.Context, key string) (identity.Caller, error)
	// CheckURL refuses addresses that are not sent to.
	CheckURL func(ctx context.Context, url string) error
	Limiter  *limit.Limiter
	DB       db.Beginner
	Jobs     args.Inserter
}

// event is a callback that a document describes.
type event struct {
	name string
	op   graph.Operation
}

// eventsOf lists the callbacks of an operation, then the webhooks of the document.
func (e *engine) eventsOf(op *operation, webhooks []openapi.Placed) (list []event) {
	for _, c := range op.graph.Callbacks() {
		for _, sent := range c.Value {
			list = append(list, event{c.Name, sent})
		}
	}
	for _, p := range webhooks {
		list = append(list, event{p.Route, e.graph.Operation(p.Method, p.Route, p.Node)})
	}
	return list
}

// body returns an example of the body of a callback: the one with the name, else the
// first, else a value of the schema. It is JSON, as receivers expect.
func (v event) body(name string) (body []byte, found bool, names []string) {
	for _, m := range v.op.Body().Content() {
		if media.KindOf(m.Name) != media.JSON {
			continue
		}
		var first *tree.Node
		for _, x := range m.Value.Examples() {
			n := x.Value.Value()
			if n == nil {
				continue
			}
			names = append(names, x.Name)
			if x.Name == name && name != "" {
				return n.JSON(), true, names
			}
			if first == nil {
				first = n
			}
		}
		if name == "" && first == nil && m.Value.Schema().Exists() {
			first = sampling.Value(m.Value.Schema(), sampling.Options{})
		}
		if name == "" && first != nil {
			return first.JSON(), true, names
		}
	}
	return nil, name == "", names
}

// call queues the callback that a request asked for. It returns nil, or why it is not
// sent.
func (s *Service) call(ctx context.Context, c Call, a *answer) *answer {
	if a.Problem != nil || a.op == nil || s.sending == nil {
		return nil
	}
	v, body, refused := a.callbackOf()
	if refused != nil {
		return refused
	}
	ctx, cancel := context.WithTimeout(ctx, 2*stateWait)
	defer cancel()
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return refusal(kindBusy, http.StatusServiceUnavailable, "Too many requests use the database at the moment. Try again in a second.")
	}
	caller, key, err := s.callerOf(ctx, c, a.op)
	if err == nil {
		err = s.sending.Limiter.Take(ctx, callbacks, strconv.FormatInt(caller.OrganisationID, 10))
	}
	if err == nil {
		err = s.sending.CheckURL(ctx, a.callback)
	}
	if err != nil {
		return refuseCallback(err)
	}
	made := models.MockCallback{ID: uuid.Must(uuid.NewV7()), OrganisationID: caller.OrganisationID, Method: v.op.Method, URL: a.callback, Body: body}
	made.Headers = signature(made.ID.String(), key, body, s.now())
	err = db.InTx(ctx, s.sending.DB, func(tx pgx.Tx) error {
		if err := writes.MockCallbackInsert(ctx, tx, made); err != nil {
			return err
		}
		_, err := s.sending.Jobs.InsertTx(ctx, tx, args.SendMockCallback{CallbackID: made.ID}, nil)
		return err
	})
	if err != nil {
		return refusal(kindBusy, http.StatusServiceUnavailable, "The callback cannot be stored at the moment. Try again.")
	}
	a.called = "event=" + quoted(v.name) + ", id=" + quoted(made.ID.String())
	return nil
}

// TakeCallback removes a callback that waits and returns it, to be sent once: the caller
// waits for it and can ask again. It returns nil if it is too old, or its organisation
// is gone.
func TakeCallback(ctx context.Context, q db.Querier, id uuid.UUID) (*models.MockCallback, error) {
	c, err := writes.MockCallbackTake(ctx, q, id, keepCallbacks)
	if err != nil {
		return nil, db.Absent(err, nil, "taking a callback of a mock")
	}
	return &c, nil
}

// callbackOf finds the callback that a request asked for.
func (a *answer) callbackOf() (v event, body []byte, refused *answer) {
	list := a.op.engine.eventsOf(a.op, a.op.engine.webhooks)
	name, example, _ := strings.Cut(a.event, ":")
	at := slices.IndexFunc(list, func(v event) bool { return name == "" || v.name == name || v.op.ID() == name })
	if at < 0 {
		names := []string{}
		for _, v := range list {
			names = append(names, v.name)
		}
		if len(names) == 0 {
			return v, nil, refusal(kindCallback, http.StatusUnprocessableEntity, "The documentation describes no callbacks.")
		}
		return v, nil, refusal(kindCallback, http.StatusUnprocessableEntity, "There is no callback "+shorten(name)+". Documented: "+words(names)+".",
			detail{Location: "header", Name: "Prefer", Code: "event", Message: "Set event to one of " + words(names) + "."})
	}
	body, found, names := list[at].body(example)
	if !found {
		return v, nil, refusal(kindCallback, http.StatusUnprocessableEntity, "The callback "+list[at].name+" has no example "+shorten(example)+". Documented: "+words(names)+".",
			detail{Location: "header", Name: "Prefer", Code: "event", Message: "Name one of its examples after the colon."})
	}
	if len(body) > mostCallback {
		return v, nil, refusal(kindCallback, http.StatusUnprocessableEntity, "The example of the callback is larger than 64 KiB and is not sent.")
	}
	return list[at], body, nil
}

// callerOf returns the organisation of the request's API key, and the key.
func (s *Service) callerOf(ctx context.Context, c Call, op *operation) (caller identity.Caller, key string, err error) {
	err = fault.New(fault.Unauthenticated, "Callbacks are sent for organisations alone. Send an API key of your organisation as the credential.")
	for _, needed := range op.alternatives {
		for _, credential := range needed {
			key = credential.value(validate.Request{Query: c.Query, Header: c.Header})
			if _, token, isScheme := strings.Cut(key, " "); isScheme {
				key = token
			}
			if key == "" {
				continue
			}
			if caller, err = s.sending.Authenticate(ctx, key); err == nil {
				return caller, key, nil
			}
		}
	}
	return caller, "", err
}

// refuseCallback explains why a callback is not sent.
func refuseCallback(err error) *answer {
	f := fault.As(err)
	if f == nil {
		return refusal(kindBusy, http.StatusServiceUnavailable, "The callback cannot be checked at the moment. Try again.")
	}
	switch f.Kind {
	case fault.Unauthenticated:
		return refusal(kindCallback, http.StatusUnauthorized, f.Message)
	case fault.Forbidden:
		return refusal(kindCallback, http.StatusForbidden, f.Message)
	case fault.Limited:
		return refusal(kindLimited, http.StatusTooManyRequests, f.Message)
	}
	return refusal(kindCallback, http.StatusUnprocessableEntity, f.Message, detail{Location: "header", Name: "Prefer", Code: "callback", Message: f.Message})
}

// signature signs a callback with the caller's own API key, so that the caller can
// verify it and nothing else must be known. Real callbacks have the same headers:
// Standard Webhooks, with the bytes of the key as its secret, and X-Hub-Signature-256.
func signature(id, key string, body []byte, at time.Time) map[string]string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	return map[string]string{
		"Webhook-Id": id, "Webhook-Timestamp": seconds,
		"Webhook-Signature":   "v1," + base64.StdEncoding.EncodeToString(mac(key, id+"."+seconds+"."+string(body))),
		"X-Hub-Signature-256": "sha256=" + hex.EncodeToString(mac(key, string(body))),
	}
}

func mac(key, text string) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(text))
	return h.Sum(nil)
}
