// Package api serves the channel APIs: one typed operation per function, one
// file per resource, one table per channel. An operation binds its input,
// calls one rule and returns what to answer; credentials, limits of the body,
// routing and the error envelope are the surface's.
//
// Files named for a channel hold what it declares and its operations. The
// others know no channel: surface.go, op.go, match.go, auth.go, paging.go and
// stream.go.
package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"heliograph/app/fault"
	"heliograph/app/input"
	"heliograph/app/people/identity"
)

// call is one authenticated request to an operation.
type call struct {
	surface   *surface
	operation *operation
	caller    identity.Caller
	word      string            // the name of the channel that the path uses, else the default
	params    map[string]string // path parameters by their documented names
	body      []byte            // nil for an operation that streams
	query     url.Values
	malformed error  // of the query, which has what could be read
	client    string // network address
	request   *http.Request
	writer    http.ResponseWriter
	read      any // what the credential was found in, kept for the operation
	refused   int // the code of an answer with status 200 that refuses the request, else 0
}

// key returns the idempotency key of the request, or "".
func (c *call) key() string { return c.request.Header.Get("Idempotency-Key") }

// markReplayed marks the response as a repetition for the same idempotency key.
func (c *call) markReplayed() { c.writer.Header().Set("Idempotent-Replayed", "true") }

// actor returns the name of the caller for the audit.
func (c *call) actor() string { return identity.OrganisationActor(c.caller.OrganisationID) }

// operation is a row of a surface's table; the id is its operationId in the
// published contract.
type operation struct {
	id, method string
	parts      []string // the segments of the pattern
	pieces     []piece  // what they match
	run        func(ctx context.Context, c *call) (any, error)
	kind       string // kind of the id in the path, where several operations share the path
	streams    bool   // the operation reads the body itself
	limit      int64  // of the body in bytes
	values     int    // that a JSON body may have
	rate       string // the channel's name for its rate limit; empty for no limit
	accepts    bool   // it accepts messages, which are in the log of messages
	extra      bool   // served for partners' clients, beyond the published contract
}

// op returns an operation that calls a typed function. The binder of the surface
// fills its input. Its output is written as JSON unless it is raw or a content.
func op[In, Out any](id, method, pattern string, run func(ctx context.Context, c *call, in In) (Out, error)) operation {
	parts := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	return operation{id: id, method: method, parts: parts, pieces: piecesOf(parts), limit: maxBody, values: maxValues, run: func(ctx context.Context, c *call) (any, error) {
		var in In
		if err := c.bind(&in); err != nil {
			return nil, err
		}
		return run(ctx, c, in)
	}}
}

// of restricts an operation to ids of one kind of the registry.
func (o operation) of(kind string) operation {
	o.kind = kind
	return o
}

// at applies a rate limit to an operation.
func (o operation) at(rate string) operation {
	o.rate = rate
	return o
}

// accepting marks an operation that accepts messages.
func (o operation) accepting() operation {
	o.accepts = true
	return o
}

// beyond marks an operation that the contract does not list.
func (o operation) beyond() operation {
	o.extra = true
	return o
}

// upTo sets the maximum size of the body in bytes, which is maxBody otherwise.
func (o operation) upTo(limit int64) operation {
	o.limit = limit
	return o
}

// holding sets the maximum number of values in a JSON body, which is maxValues
// otherwise.
func (o operation) holding(values int) operation {
	o.values = values
	return o
}

// streaming leaves the body to the operation.
func (o operation) streaming() operation {
	o.streams = true
	return o
}

// content is a response that writes itself, such as a file.
type content interface {
	write(w http.ResponseWriter, r *http.Request) error
}

// none is the input of an operation with path parameters only.
type none struct{}

// raw is an unparsed body or a response that is already JSON.
type raw []byte

// bind fills the input of an operation with the binder of the surface.
func (c *call) bind(in any) error {
	switch in := in.(type) {
	case *none:
		return nil
	case *raw:
		*in = c.body
		return wantsJSONBody(c.request, c.body)
	}
	return c.surface.bind(c, in)
}

// bindMembers is a binder that merges the query, a form body and a JSON body. JSON
// takes precedence. Unknown members are ignored.
func bindMembers(c *call, in any) error {
	members := map[string]json.RawMessage{}
	form(members, c.query)
	if isForm(c.request, c.body) {
		values, err := url.ParseQuery(string(c.body))
		if err != nil {
			return fault.InvalidFields(fault.Field{Message: "the form body cannot be read: encode it as application/x-www-form-urlencoded"})
		}
		form(members, values)
	} else if len(c.body) > 0 {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(c.body, &object); err != nil {
			return fault.InvalidFields(fault.Field{Message: input.Describe(c.body, err)})
		}
		maps.Copy(members, object)
	}
	merged, err := json.Marshal(members)
	if err != nil {
		return fmt.Errorf("merging the input: %w", err)
	}
	if err := json.Unmarshal(merged, in); err != nil {
		return fault.InvalidFields(fault.Field{Message: input.Describe(merged, err)})
	}
	return nil
}

func form(members map[string]json.RawMessage, values url.Values) {
	for name, value := range values {
		if quoted, err := json.Marshal(value[0]); err == nil {
			members[name] = quoted
		}
	}
}

// maxBody is the maximum size of a JSON or form body in bytes, unless an operation
// sets another.
const maxBody = 1 << 20

// maxValues is the maximum number of values in a JSON body, unless an operation
// sets another. 5,000 recipients with nine members each fit.
const maxValues = 50_000

// boundBody refuses JSON that would take far more memory than its bytes.
func boundBody(body []byte, values int) error {
	if !looksLikeJSON(body) {
		return nil
	}
	if err := input.Bound(body, values); err != nil {
		return fault.InvalidFields(fault.Field{Message: err.Error()})
	}
	return nil
}

// firstRead is how many bytes of a body are read before its values are counted for the
// first time. Each further part is as long as all before it.
const firstRead = 64 << 10

// readBody reads a body of at most limit bytes. It stops as soon as the body is refused,
// for its length or by boundBody, so that a hostile one costs no more than its beginning.
func readBody(w http.ResponseWriter, r *http.Request, limit int64, values int) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	if r.Body == http.NoBody {
		return nil, nil
	}
	if n := r.ContentLength; n > 0 && n <= firstRead {
		whole := make([]byte, n)
		if _, err := io.ReadFull(r.Body, whole); err != nil {
			return nil, unread(err, limit)
		}
		return whole, boundBody(whole, values)
	}
	var body bytes.Buffer
	in := http.MaxBytesReader(w, r.Body, limit)
	for part := int64(firstRead); ; part = int64(body.Len()) {
		if rest := r.ContentLength - int64(body.Len()); rest >= 0 {
			body.Grow(int(min(part, rest)) + bytes.MinRead) // it finds the end without growing again
		}
		_, err := io.CopyN(&body, in, part)
		if err != nil && err != io.EOF {
			return nil, unread(err, limit)
		}
		if refused := boundBody(body.Bytes(), values); refused != nil {
			return nil, refused
		}
		if err == io.EOF {
			return body.Bytes(), nil
		}
	}
}

// unread returns the error of a body that could not be read.
func unread(err error, limit int64) error {
	if f := fault.As(err); f != nil {
		return f // there is no memory for it
	}
	if _, ok := err.(*http.MaxBytesError); ok {
		return tooLarge(limit)
	}
	return &fault.Error{Kind: fault.Invalid, Err: err, Fields: []fault.Field{{Message: "the body ended before it was complete: send it again"}}}
}

func tooLarge(limit int64) error {
	return &fault.Error{Kind: fault.TooLarge, Fields: []fault.Field{{Message: fmt.Sprintf("send at most %d bytes", limit)}}}
}
