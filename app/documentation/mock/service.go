package mock

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/operation/metric"
	"heliograph/db"
)

// Prefix is the path below which all mocks are.
const Prefix = "/mock"

// problemPath is the start of the addresses of problems.
const problemPath = reference.MockGuide + "#"

// Options are the dependencies of a service.
type Options struct {
	Documentation *published.Documentation
	// Site knows the addresses of the portal.
	Site reference.Site
	Rate Rate
	// DB keeps what callers create with the preference state; nil keeps nothing.
	DB db.Querier
	// Key hides callers in the database.
	Key []byte
	// Sending sends callbacks to callers; nil sends none.
	Sending *Sending
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Service answers requests to the mocks of all published versions.
type Service struct {
	documentation *published.Documentation
	site          reference.Site
	meter         *meter
	policy        []string // of the limit, as a header
	db            db.Querier
	key           []byte
	slots         chan struct{} // of requests that use the database
	sending       *Sending
	now           func() time.Time
}

// New returns a service.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Service{documentation: o.Documentation, site: o.Site, meter: newMeter(o.Rate, o.Now), db: o.DB, key: o.Key, slots: make(chan struct{}, stateSlots), sending: o.Sending, now: o.Now}
	if o.Rate.PerSecond > 0 {
		s.policy = []string{fmt.Sprintf(`"mock";q=%d;w=%d`, o.Rate.Burst, max(o.Rate.Burst/o.Rate.PerSecond, 1))}
	}
	return s
}

// Call is a request to the mock of a version.
type Call struct {
	Product, Version string
	Client           string // address of the caller, as limit.Client returns it
	RequestID        string
	Request
}

// Response is what the mock sends. The header belongs to the caller, the body is
// shared and must not be changed.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
	// Operation is the operationId, empty where no operation has the path.
	Operation string
	// Wait is the time that the response was asked to take.
	Wait time.Duration
	// Fault is the failure of the connection that the request asked for, empty for
	// none.
	Fault string
}

// Respond answers a call. It waits for nothing.
func (s *Service) Respond(ctx context.Context, c Call) Response {
	header := make(http.Header, 12)
	a := s.admit(c.Client, header)
	var at reference.Place
	if a == nil {
		at, a = s.find(c.Product, c.Version)
	}
	if a == nil {
		a = s.answer(ctx, at, c)
	}
	return s.finish(at, a, c, header)
}

// answer answers a call of a version.
func (s *Service) answer(ctx context.Context, at reference.Place, c Call) *answer {
	e, err := published.Derive(ctx, at.Version, "mock", build)
	switch {
	case published.IsBroken(err):
		return refusal(kindBroken, http.StatusServiceUnavailable, "The version is published, but an error in its documentation keeps the mock from answering. We have been notified.")
	case err != nil:
		return refusal(kindBusy, http.StatusServiceUnavailable, "The documentation could not be read. Try again in a moment.")
	}
	a := e.answer(c.Request)
	if a.callback != "" {
		if refused := s.call(ctx, c, a); refused != nil {
			refused.Operation, refused.isDeprecated = a.Operation, a.isDeprecated
			return refused
		}
	}
	if a.state {
		kept := s.keep(ctx, at, c, a)
		kept.called = a.called
		kept.Operation, kept.Applied, kept.wait, kept.Fault, kept.isDeprecated = a.Operation, a.Applied, a.wait, a.Fault, a.isDeprecated
		return kept
	}
	return a
}

// build makes the engine of a document.
func build(a *openapi.Assembly, size int) (*engine, int) { return newEngine(a), engineSize * size }

// engineSize is the memory of an engine by the bytes of its document, with all
// its operations compiled.
const engineSize = 16

// find finds a published version.
func (s *Service) find(product, version string) (at reference.Place, refused *answer) {
	now := s.documentation.Snapshot()
	p := now.Product(product)
	if p == nil {
		if now.Broken(product) != nil {
			return at, refusal(kindBroken, http.StatusServiceUnavailable, "The product is published, but an error in its content keeps the mock from answering.")
		}
		return at, refusal(kindNoProduct, http.StatusNotFound, "No product "+shorten(product)+" is published. The list is at "+s.site.URL+"/api/catalog.")
	}
	if len(p.VisibleVersions()) == 0 {
		return at, refusal(kindNoProduct, http.StatusNotFound, p.Name+" has no published documentation yet.")
	}
	if v := p.Version(version); v != nil {
		return reference.Place{Product: p, Version: v}, nil
	}
	if p.Broken(version) != nil {
		return at, refusal(kindBroken, http.StatusServiceUnavailable, "The version is published, but an error in its content keeps the mock from answering.")
	}
	names := []string{}
	for _, v := range p.VisibleVersions() {
		names = append(names, v.Slug)
	}
	return at, refusal(kindNoProduct, http.StatusNotFound, p.Name+" has no version "+shorten(version)+". Published: "+words(names)+".")
}

// finish makes the response of an answer.
func (s *Service) finish(at reference.Place, a *answer, c Call, header http.Header) Response {
	maps.Copy(header, a.Header)
	r := Response{Status: a.Status, Header: header, Body: a.Body, Fault: a.Fault}
	if at.Version != nil {
		s.lifecycle(at, a, header)
		if least, most, ok := content.Latency(at.Version.MockLatency); ok && !a.wait.isSet {
			a.wait = span{most > 0, least, most}
		}
	}
	if a.wait.isSet {
		r.Wait = a.wait.pause(rand.Float64())
	}
	if a.Operation != nil {
		r.Operation = a.Operation.ID
	}
	if a.Problem != nil {
		p := *a.Problem
		p.RequestID = c.RequestID
		for i, op := range p.Nearest {
			p.Nearest[i].URL = s.site.URL + at.Path() + "/" + op.URL
		}
		r.Body = p.encode(s.site.URL + problemPath)
	}
	rule := a.Rule
	if a.Problem != nil {
		rule = a.Problem.Type
	}
	metric.Mocked(rule)
	header["X-Mock-Explain"] = []string{a.explain()}
	if a.called != "" {
		header["X-Mock-Callback"] = []string{a.called}
	}
	if len(a.Applied) > 0 {
		header["Preference-Applied"] = []string{strings.Join(a.Applied, ", ")}
	}
	return r
}

// explain says what was chosen and why, as a dictionary of structured fields
// (RFC 9651).
func (a *answer) explain() string {
	var b strings.Builder
	if a.Operation != nil {
		b.WriteString("operation=" + quoted(a.Operation.ID) + ", ")
	}
	b.WriteString("status=" + strconv.Itoa(a.Status))
	for _, part := range []struct{ name, value string }{{"variant", a.Variant}, {"example", a.Example}, {"seed", a.Seed}} {
		if part.value != "" {
			b.WriteString(", " + part.name + "=" + quoted(part.value))
		}
	}
	switch {
	case a.Problem != nil:
		b.WriteString(", rule=problem, problem=" + a.Problem.Type)
	default:
		b.WriteString(", rule=" + a.Rule)
	}
	if a.Operation != nil && a.Problem == nil {
		if a.IsChecked {
			b.WriteString(", validation=on")
		} else {
			b.WriteString(", validation=off")
		}
	}
	return b.String()
}

// quoted writes a text as a string of structured fields.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			b.WriteByte('?')
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// lifecycle writes the headers of what is deprecated (RFC 9745) and of its end
// (RFC 8594).
func (s *Service) lifecycle(at reference.Place, a *answer, header http.Header) {
	v := at.Version
	isOld := v.Label == content.Deprecated || v.Label == content.Retired
	if !isOld && !a.isDeprecated {
		return
	}
	since := v.PublishedAt
	if day, err := time.Parse(time.DateOnly, v.DeprecatedOn); err == nil {
		since = day
	}
	header["Deprecation"] = []string{"@" + strconv.FormatInt(since.Unix(), 10)}
	links := []string{"<" + s.site.URL + at.Path() + `>; rel="deprecation"; type="text/html"`}
	if day, err := time.Parse(time.DateOnly, v.SunsetOn); err == nil {
		header["Sunset"] = []string{day.UTC().Format(http.TimeFormat)}
	}
	if to := at.Successor(); to != nil && isOld {
		links = append(links, "<"+s.site.URL+reference.Place{Product: at.Product, Version: to}.MockPath()+`>; rel="successor-version"`)
	}
	header["Link"] = append(slices.Clone(header["Link"]), links...)
}

// RefuseBody answers a call with a body over a limit in bytes.
func (s *Service) RefuseBody(c Call, limit int) Response {
	a := refusal(kindTooLarge, http.StatusRequestEntityTooLarge, "The body is too large. Send at most "+strconv.Itoa(limit)+" bytes.",
		detail{Location: "body", Code: "size", Message: "Send at most " + strconv.Itoa(limit) + " bytes."})
	return s.finish(reference.Place{}, a, c, http.Header{})
}

// RefuseBusy answers a call while the process holds too much for others.
func (s *Service) RefuseBusy(c Call) Response {
	a := refusal(kindBusy, http.StatusServiceUnavailable, "Too many requests wait or send large bodies. Try again in a second.")
	return s.finish(reference.Place{}, a, c, http.Header{"Retry-After": {"1"}})
}

// Fail answers a request that another part of the program refused.
func (s *Service) Fail(status int, message, requestID string) Response {
	a := refusal(kindBusy, status, message)
	if status < http.StatusInternalServerError {
		a = refusal(kindInvalid, status, message)
	}
	return s.finish(reference.Place{}, a, Call{RequestID: requestID}, http.Header{})
}
