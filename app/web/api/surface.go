package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"heliograph/app/channels/pipeline"
	"heliograph/app/fault"
	"heliograph/app/people/identity"
	webpage "heliograph/app/web/page" // page is a part of a list here
)

// surface is what a channel declares over the parts that all channels share.
// The faults that those parts raise have fields that say what to change, and
// no code; a message only where it is the same for every channel.
type surface struct {
	channel string // that a key must be for
	prefix  string // of its paths; empty if the patterns of the table are whole paths
	base    string // scheme and host of absolute addresses
	words   channelWords
	table   []operation
	keys    *identity.Keys

	// credential finds the API key of a request.
	credential func(c *call) (string, error)
	// keyInBody tells that the key may be in the body, which is then read first.
	keyInBody bool
	// admit checks that the caller may use the operation; nil admits everybody.
	admit func(ctx context.Context, c *call) error
	// bind fills the input of an operation in.
	bind func(c *call, in any) error
	// identifying are the members that every item of a list keeps.
	identifying []string
	// kind returns what an id of an organisation names, where operations share
	// a path.
	kind func(ctx context.Context, organisationID int64, id string) (string, error)
	// throttle counts a request of an operation that has a rate.
	throttle func(ctx context.Context, organisationID int64, r *route) error
	// refusals are the faults of requests that no operation takes.
	refusals refusals
	// load bounds what requests hold at once; nil bounds nothing.
	load *Load
}

// Bound makes the requests of the surface count for a load, which surfaces share.
func (s *surface) Bound(l *Load) { s.load = l }

// refusals makes the faults of requests that no operation takes.
type refusals struct {
	path   func(path string) error                     // nothing is served there
	method func(method string, allowed []string) error // but with other methods
	kind   func(method, id, kind string) error         // not for what the id names
	scope  func(channel string) error                  // not with a key for other channels
}

// Operations lists the operationIds of the contract that are served.
func (s *surface) Operations() []string {
	var ids []string
	for _, o := range s.table {
		if !o.extra {
			ids = append(ids, o.id)
		}
	}
	return ids
}

// Handle answers a request under the prefix. Errors are for the envelope of the
// channel.
func (s *surface) Handle(c echo.Context) error {
	made := &call{surface: s, request: c.Request(), writer: c.Response(), client: c.RealIP()}
	answer, err := s.answer(c, made)
	if err != nil {
		c.Set(callKey, made)
		return err
	}
	if made.refused != 0 {
		s.noteRefusal(c, made, http.StatusOK, made.refused)
	}
	switch answer := answer.(type) {
	case raw:
		return writeJSON(c, http.StatusOK, answer)
	case content:
		return answer.write(c.Response(), c.Request())
	}
	body, err := json.Marshal(answer)
	if err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return writeJSON(c, http.StatusOK, body)
}

// writeJSON writes an answer. No browser opens it as a document.
func writeJSON(c echo.Context, status int, body []byte) error {
	webpage.DropDocumentHeaders(c.Response().Header())
	return c.JSONBlob(status, body)
}

func (s *surface) answer(c echo.Context, made *call) (any, error) {
	r := c.Request()
	made.query, made.malformed = url.ParseQuery(r.URL.RawQuery)
	if !s.keyInBody {
		if err := s.authenticate(made); err != nil {
			return nil, err
		}
	}
	found, err := s.find(c, made)
	if err != nil {
		return nil, err
	}
	c.Set(webpage.OperationKey, found.id)
	made.operation = found.operation
	if made.word, made.params = found.word, found.params; made.word == "" && len(s.words.names) > 0 {
		made.word = s.words.names[0]
	}
	if !s.keyInBody {
		release, err := s.load.request(r, made.caller.OrganisationID, found.streams)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	if !found.streams {
		var identify func(start []byte) int64
		if s.keyInBody {
			identify = func(start []byte) int64 { return s.likelyCaller(r, start) }
		}
		release := s.load.body(r, made.caller.OrganisationID, identify)
		defer release()
		if made.body, err = readBody(c.Response(), r, found.limit, found.values); err != nil {
			return nil, err
		}
		if made.body, err = plainBody(r, made.body); err != nil {
			return nil, err
		}
	}
	if s.keyInBody {
		if err := s.authenticate(made); err != nil {
			return nil, err
		}
		release, err := s.load.request(r, made.caller.OrganisationID, false)
		if err != nil {
			return nil, err
		}
		defer release()
	}
	if found.rate != "" {
		if err := s.throttle(r.Context(), made.caller.OrganisationID, found); err != nil {
			return nil, err
		}
	}
	return found.run(pipeline.WithRequest(r.Context(), c.Response().Header().Get(echo.HeaderXRequestID)), made)
}

// likelyCaller returns the organisation of the first API key in the headers, the query
// or the start of the body, or 0. The memory for the rest of the body counts for it;
// authenticate decides who calls.
func (s *surface) likelyCaller(r *http.Request, start []byte) int64 {
	for _, text := range []string{r.Header.Get("apikey"), r.Header.Get("Authorization"), r.URL.RawQuery, string(start)} {
		key := identity.FindKey(text)
		if key == "" {
			continue
		}
		caller, err := s.keys.Authenticate(r.Context(), key)
		if err != nil {
			return 0
		}
		return caller.OrganisationID
	}
	return 0
}

// find returns the operation that a request means.
func (s *surface) find(c echo.Context, made *call) (*route, error) {
	r := c.Request()
	path := strings.TrimPrefix(r.URL.EscapedPath(), s.prefix)
	routes, allowed := s.match(r.Method, path)
	found, err := s.choose(r.Context(), made.caller, routes)
	if err == nil && found == nil {
		err = s.refuse(c, path, allowed)
	}
	return found, err
}

// authenticate finds out who calls and whether the key may be used for the
// channel.
func (s *surface) authenticate(c *call) error {
	ctx := c.request.Context()
	key, err := s.credential(c)
	if err != nil {
		return err
	}
	if c.caller, err = s.keys.Authenticate(ctx, key); err != nil {
		return err
	}
	if !slices.Contains(c.caller.Channels, s.channel) {
		return s.refusals.scope(s.channel)
	}
	if s.admit == nil {
		return nil
	}
	return s.admit(ctx, c)
}

// choose picks the operation that a request means. Where several share a path,
// the kind of the id in it decides.
func (s *surface) choose(ctx context.Context, caller identity.Caller, routes []route) (*route, error) {
	if len(routes) == 0 {
		return nil, nil
	}
	if routes[0].kind == "" {
		return &routes[0], nil
	}
	var id string
	for _, id = range routes[0].params {
	}
	kind, err := s.kind(ctx, caller.OrganisationID, id)
	if err != nil {
		return nil, err
	}
	for i := range routes {
		if routes[i].kind == kind {
			return &routes[i], nil
		}
	}
	return nil, s.refusals.kind(routes[0].method, id, kind)
}

// refuse makes the fault of a path that nothing serves, or not by this method.
func (s *surface) refuse(c echo.Context, path string, allowed []string) error {
	if len(allowed) == 0 {
		return s.refusals.path(path)
	}
	c.Response().Header().Set(echo.HeaderAllow, strings.Join(allowed, ", "))
	return s.refusals.method(c.Request().Method, allowed)
}

// UnknownPath returns the error of a path that looks like the surface's own, such as
// one with another version.
func (s *surface) UnknownPath(path string) error { return s.refusals.path(path) }

// useInstead refuses a method by the ones that are allowed.
func useInstead(method string, allowed []string) error {
	err := echo.NewHTTPError(http.StatusMethodNotAllowed)
	return &fault.Error{Kind: fault.Invalid, Message: "Use " + strings.Join(allowed, " or ") + " instead of " + method, Err: err}
}
