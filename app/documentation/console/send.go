package console

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/documentation/published"
	"heliograph/app/fault"
	"heliograph/app/operation/metric"
	"heliograph/db/models"
)

// The limits of a call.
const (
	// MaxRequest is the largest body that is sent, in bytes.
	MaxRequest = 2 << 20
	// MaxAnswer is how much of the body of an answer is read, in bytes.
	MaxAnswer = 1 << 20
	// timeout is how long a call may take, with the body of its answer.
	timeout = 10 * time.Second
)

// Sender sends one request to a public address. It follows no redirect and bounds
// time, headers and body. Its errors are Unavailable faults. Their code is the class
// of the failure in db/models.
type Sender interface {
	Send(r *http.Request) (*http.Response, error)
}

// Service sends calls and checks their answers.
type Service struct {
	Sender Sender
}

// Failure is why there is no answer, or no whole one.
type Failure struct {
	Code    string // the class of the failure
	Message string // what happened and what to do
}

// Result is the result of a call.
type Result struct {
	Call    *Call
	Failure *Failure // nil for a whole answer
	Status  int      // 0 without an answer
	Reason  string
	Took    time.Duration
	Header  []Header // by name
	Type    string   // content type of the body
	Body    []byte   // decoded and at most MaxAnswer
	Size    int      // of Body
	Checks  Checks
}

// The classes of failures that the sender does not have.
const (
	codeRedirect = "redirect"
	codeLarge    = "large"
	codeDecoding = "encoding"
)

// Send sends a call and checks what comes back against the contract of the version.
func (s *Service) Send(ctx context.Context, v *published.Version, e *model.Endpoint, c *Call) (*Result, error) {
	if len(c.Body) > MaxRequest {
		return nil, fault.InvalidFields(fault.Field{Name: "body", Message: "Send at most 2 MiB: the body is larger."})
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	r, err := c.request(ctx)
	if err != nil {
		return nil, err
	}
	result := &Result{Call: c}
	began := time.Now()
	answer, err := s.Sender.Send(r)
	result.Took = time.Since(began)
	if err != nil {
		result.fail(err)
	} else {
		result.read(answer)
		result.Took = time.Since(began)
	}
	metric.Tried(result.outcome())
	result.Checks, err = check(ctx, v, e, result, r)
	result.hide()
	return result, err
}

// Answered makes the result of an answer that did not come over the network, such as
// an answer of the mock server in this process.
func (s *Service) Answered(ctx context.Context, v *published.Version, e *model.Endpoint, c *Call, send func(r *http.Request) (*http.Response, error)) (*Result, error) {
	local := &Service{Sender: senderFunc(send)}
	return local.Send(ctx, v, e, c)
}

// directFailures say why a browser has no answer of the mock server.
var directFailures = map[string]string{
	models.FaultTimeout:   "The mock server did not answer within 10 seconds.",
	models.FaultCancelled: "The call was cancelled.",
	models.FaultBroken:    "The connection to the mock server broke, or a value cannot stand in a header.",
}

// Arrived makes the result of an answer that a browser received from the mock server.
func (s *Service) Arrived(ctx context.Context, v *published.Version, e *model.Endpoint, c *Call, a Arrived) (*Result, error) {
	result, err := s.Answered(ctx, v, e, c, func(*http.Request) (*http.Response, error) {
		if message := directFailures[a.Failure]; message != "" {
			f := fault.New(fault.Unavailable, "%s", message)
			f.Code = a.Failure
			return nil, f
		}
		return &http.Response{StatusCode: a.Status, Header: a.Header, Body: io.NopCloser(bytes.NewReader(a.Body))}, nil
	})
	if err == nil {
		result.Took = a.Took
	}
	return result, err
}

// Skipped lists what of an endpoint the checks and the mock server leave out, because it
// cannot be checked with bounded effort.
func (s *Service) Skipped(ctx context.Context, v *published.Version, e *model.Endpoint) ([]string, error) {
	rules, err := validator(ctx, v)
	if err != nil {
		return nil, err
	}
	return skipped(rules, e)
}

func skipped(rules *validate.Validator, e *model.Endpoint) (list []string, err error) {
	warnings, err := rules.Warnings(e.ID)
	for _, w := range warnings {
		list = append(list, w.Message)
	}
	return list, err
}

type senderFunc func(r *http.Request) (*http.Response, error)

func (f senderFunc) Send(r *http.Request) (*http.Response, error) { return f(r) }

// outcome is how the call ended, for a metric.
func (r *Result) outcome() string {
	switch {
	case r.Failure != nil:
		return r.Failure.Code
	case r.Call.isMock:
		return "mock"
	}
	return "answered"
}

// fail keeps why there is no answer.
func (r *Result) fail(err error) {
	f := fault.As(err)
	if f == nil {
		f = &fault.Error{Code: "broken", Message: "The server closed the connection or answered in another protocol."}
	}
	r.Failure = &Failure{f.Code, f.Message}
}

// read reads an answer.
func (r *Result) read(answer *http.Response) {
	defer answer.Body.Close()
	r.Status, r.Reason = answer.StatusCode, http.StatusText(answer.StatusCode)
	for name, values := range answer.Header {
		for _, value := range values {
			r.Header = append(r.Header, Header{Name: name, Value: strings.ToValidUTF8(value, "\uFFFD")})
		}
	}
	slices.SortStableFunc(r.Header, func(a, b Header) int { return strings.Compare(a.Name, b.Name) })
	r.Type = answer.Header.Get("Content-Type")
	data, err := io.ReadAll(io.LimitReader(answer.Body, MaxAnswer+1))
	var tooLarge *http.MaxBytesError
	switch {
	case len(data) > MaxAnswer, errors.As(err, &tooLarge):
		data = data[:min(len(data), MaxAnswer)]
		r.Failure = &Failure{codeLarge, "The body is larger than 1 MiB. Its beginning is shown, and the rest was not read."}
	case err != nil:
		r.fail(err)
		if errors.Is(err, context.DeadlineExceeded) || r.Failure.Code == "broken" {
			r.Failure = &Failure{"timeout", "The body did not arrive within 10 seconds. Its beginning is shown."}
		}
	}
	r.Body = r.decode(data, answer.Header.Get("Content-Encoding"))
	r.Size = len(r.Body)
	if location := answer.Header.Get("Location"); r.Status >= 300 && r.Status < 400 && location != "" && r.Failure == nil {
		r.Failure = &Failure{codeRedirect, "The server redirects to " + shorten(location) + ". Redirects are not followed."}
	}
}

// decode undoes a compression that was not asked for, within the bounds of an answer.
func (r *Result) decode(data []byte, encoding string) []byte {
	encoding = strings.ToLower(strings.TrimSpace(encoding))
	if encoding == "" || encoding == "identity" || len(data) == 0 || r.Failure != nil {
		return data
	}
	if encoding != "gzip" && encoding != "x-gzip" {
		r.Failure = &Failure{codeDecoding, "The body is compressed as " + shorten(encoding) + ", which was not asked for. It cannot be shown."}
		return data
	}
	var plain []byte
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		plain, err = io.ReadAll(io.LimitReader(z, MaxAnswer+1))
	}
	switch {
	case len(plain) > MaxAnswer:
		r.Failure = &Failure{codeLarge, "The body is larger than 1 MiB once it is decompressed. Its beginning is shown."}
		return plain[:MaxAnswer]
	case err != nil:
		r.Failure = &Failure{codeDecoding, "The body says that it is compressed and is not. It cannot be shown."}
		return data
	}
	return plain
}

// hide takes the credentials out of the answer.
func (r *Result) hide() {
	mask := func(text string) string { return string(r.Call.mask([]byte(text))) }
	for i := range r.Header {
		r.Header[i].Value = mask(r.Header[i].Value)
	}
	r.Body = r.Call.mask(r.Body)
	if r.Failure != nil {
		r.Failure.Message = mask(r.Failure.Message)
	}
	for i := range r.Checks.Problems {
		r.Checks.Problems[i].Message = mask(r.Checks.Problems[i].Message)
	}
}

// Text returns the body as text, and false for a body that is none.
func (r *Result) Text() (string, bool) {
	if kind, _, err := mime.ParseMediaType(r.Type); err == nil && kind != "image/svg+xml" {
		switch family, _, _ := strings.Cut(kind, "/"); family {
		case "image", "audio", "video":
			return "", false
		}
	}
	if !utf8.Valid(r.Body) || bytes.ContainsRune(r.Body, 0) {
		return "", false
	}
	return string(r.Body), true
}

// textOf returns a body as text, or a note about its size.
func textOf(data []byte) string {
	if utf8.Valid(data) && !bytes.ContainsRune(data, 0) {
		return string(data)
	}
	return "(bytes that are no text)"
}

// shorten cuts a text that comes from outside.
func shorten(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if runes := []rune(text); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return text
}

// validator returns the checks of a version, compiled once for each release.
func validator(ctx context.Context, v *published.Version) (*validate.Validator, error) {
	return published.Derive(ctx, v, "console", func(a *openapi.Assembly, size int) (*validate.Validator, int) {
		return validate.New(a), 12 * size
	})
}
