package mock

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/fault"
	"heliograph/app/keyring"
	"heliograph/app/operation/limit"
	"heliograph/app/people/identity"
	"heliograph/app/people/identity/identitytest"
	"heliograph/db/dbtest"
	"heliograph/db/models"
	"heliograph/db/queries/documentation/writes"
	"heliograph/jobs/args"
)

const calls = `
openapi: 3.1.0
info: {title: Calls, version: "1"}
security: [{key: []}]
components: {securitySchemes: {key: {type: http, scheme: bearer}}}
paths:
  /calls:
    post:
      operationId: placeCall
      responses: {"200": {description: ok, content: {application/json: {example: {id: "1"}}}}}
      callbacks:
        ended: {"{$request.query.to}": {post: {operationId: callEnded, requestBody: {content: {application/json: {schema: {type: object, required: [minutes], properties: {minutes: {type: integer, const: 3}}}}}}, responses: {"200": {description: ok}}}}}
webhooks:
  status:
    post:
      operationId: callStatus
      requestBody: {content: {application/json: {examples: {ringing: {value: {state: ringing, id: 12345678901234567890}}, busy: {value: {state: busy}}}}}}
      responses: {"200": {description: ok}}
`

// queue keeps the jobs that were inserted.
type queue struct{ list []river.JobArgs }

func (q *queue) InsertTx(_ context.Context, _ pgx.Tx, job river.JobArgs, _ *river.InsertOpts) (*rivertype.JobInsertResult, error) {
	q.list = append(q.list, job)
	return nil, nil
}

func (q *queue) InsertManyFastTx(context.Context, pgx.Tx, []river.InsertManyParams) (int, error) {
	return 0, nil
}

// A callback goes to the address that the caller names, signed with the caller's key,
// and only for the key of an organisation.
func TestCallbacks(t *testing.T) {
	t.Parallel()
	tx, jobs := dbtest.Tx(t), &queue{}
	keys, err := keyring.New([]string{"k1:" + strings.Repeat("A", 43) + "="})
	if err != nil {
		t.Fatal(err)
	}
	organisation := identitytest.AddOrganisation(t, tx, models.Organisation{Name: "Callers"}, "owner@example.com")
	const key, inside = "hg_test_key", "http://169.254.169.254/"
	s := New(Options{Site: reference.Site{URL: "http://localhost:8080"}, Sending: &Sending{
		Authenticate: func(_ context.Context, given string) (identity.Caller, error) {
			if given != key {
				return identity.Caller{}, fault.New(fault.Unauthenticated, "This is not a valid API key.")
			}
			return identity.Caller{OrganisationID: organisation}, nil
		},
		CheckURL: func(_ context.Context, url string) error {
			if url == inside {
				return fault.New(fault.Invalid, "This is no public address.")
			}
			return nil
		},
		Limiter: limit.New(tx, keys), DB: tx, Jobs: jobs,
	}})
	e, at := newTestEngine(t, calls), reference.Place{Product: &published.Product{Slug: "calls"}, Version: &published.Version{Slug: "1.0"}}
	ask := func(key, prefer string) Response {
		c := Call{Client: "192.0.2.1", Request: request("POST /calls", "", "Authorization: Bearer "+key, "Prefer: "+prefer)}
		a := e.answer(c.Request)
		if refused := s.call(t.Context(), c, a); refused != nil {
			a = refused
		}
		return s.finish(at, a, c, http.Header{})
	}
	const to = `callback="https://hooks.example.com/x"`
	for prefer, want := range map[string]string{
		to:                           `{"minutes":3}`,
		to + ", event=status":        `{"state":"ringing","id":12345678901234567890}`,
		to + `, event="status:busy"`: `{"state":"busy"}`,
		to + ", event=callStatus":    `{"state":"ringing","id":12345678901234567890}`,
	} {
		jobs.list = nil
		r := ask(key, prefer)
		if r.Status != http.StatusOK || len(jobs.list) != 1 || !strings.Contains(r.Header.Get("X-Mock-Callback"), "event=") {
			t.Fatalf("%s gives %d %v with %d jobs: %s", prefer, r.Status, r.Header, len(jobs.list), r.Body)
		}
		c, err := writes.MockCallbackTake(t.Context(), tx, jobs.list[0].(args.SendMockCallback).CallbackID, keepCallbacks)
		if err != nil || string(c.Body) != want || c.URL != "https://hooks.example.com/x" || c.OrganisationID != organisation || c.Method != http.MethodPost {
			t.Errorf("%s stores %+v with %s (%v), want %s", prefer, c, c.Body, err, want)
		}
		h := hmac.New(sha256.New, []byte(key))
		h.Write([]byte(c.Headers["Webhook-Id"] + "." + c.Headers["Webhook-Timestamp"] + "." + want))
		if got := c.Headers["Webhook-Signature"]; got != "v1,"+base64.StdEncoding.EncodeToString(h.Sum(nil)) || c.Headers["Webhook-Id"] != c.ID.String() {
			t.Errorf("%s is signed %s", prefer, got)
		}
	}
	jobs.list = nil
	for _, one := range []struct {
		key, prefer string
		status      int
	}{
		{"<API_KEY>", to, http.StatusUnauthorized},
		{key, `callback="` + inside + `"`, http.StatusUnprocessableEntity},
		{key, to + ", event=nothing", http.StatusUnprocessableEntity},
		{key, to + `, event="status:nothing"`, http.StatusUnprocessableEntity},
	} {
		if r := ask(one.key, one.prefer); r.Status != one.status || len(jobs.list) != 0 || !strings.Contains(string(r.Body), "mock-server#callback-refused") {
			t.Errorf("%s with %s gives %d with %d jobs: %s", one.prefer, one.key, r.Status, len(jobs.list), r.Body)
		}
	}
	for range callbacks.Burst {
		ask(key, to)
	}
	if r := ask(key, to); r.Status != http.StatusTooManyRequests {
		t.Errorf("the bound of callbacks gives %d", r.Status)
	}
	if _, err := writes.MockCallbackTake(t.Context(), tx, jobs.list[0].(args.SendMockCallback).CallbackID, -time.Second); err == nil {
		t.Error("a callback that is too old is sent")
	}
}
