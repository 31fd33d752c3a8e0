package mock

import (
	"cmp"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/openapi/validate"
)

// engine answers requests to one document. It is safe for concurrent use. Use
// newEngine.
type engine struct {
	graph      *graph.Graph
	validator  *validate.Validator
	routes     *router
	operations []*operation
	bases      []string // paths of servers, the longest first
	webhooks   []openapi.Placed
}

// newEngine compiles a document. Operations are compiled when they are first
// asked for.
func newEngine(document *openapi.Assembly) *engine {
	e := &engine{graph: graph.New(document.Root), validator: validate.New(document), routes: &router{}, webhooks: document.Callbacks}
	bases := map[string]bool{}
	addBases(bases, e.graph.Servers())
	for _, placed := range document.Operations {
		op := &operation{engine: e, placed: placed, graph: e.graph.Operation(placed.Method, placed.Route, placed.Node)}
		e.operations = append(e.operations, op)
		e.routes.add(op)
		if placed.Node.Get("servers") != nil {
			addBases(bases, op.graph.Servers())
		}
	}
	for base := range bases {
		e.bases = append(e.bases, base)
	}
	slices.SortFunc(e.bases, func(a, b string) int { return len(b) - len(a) })
	return e
}

// addBases adds the paths of servers that have one.
func addBases(bases map[string]bool, servers []graph.Server) {
	for _, server := range servers {
		u, err := url.Parse(server.URL())
		if err != nil {
			continue
		}
		if base := strings.TrimSuffix(u.EscapedPath(), "/"); base != "" && base[0] == '/' {
			bases[base] = true
		}
	}
}

// Request is an HTTP request to a version.
type Request struct {
	Method string
	Path   string // percent-encoded, after the address of the mock, with a slash at its start
	Query  string // without the question mark
	Header http.Header
	Body   []byte
}

// answer is what the mock responds. Its header and body are shared between
// answers and must not be changed.
type answer struct {
	Status  int
	Header  http.Header
	Body    []byte
	Problem *problem // nil for a documented response

	Operation *openapi.Placed // nil where no operation has the path
	Variant   string          // name of the request example that the request resembles
	Example   string          // name of the response example
	Rule      string          // what chose the example
	Seed      string          // of a sampled value
	IsChecked bool            // the request was validated

	Applied []string // preferences that were followed
	Fault   string   // failure of the connection, empty for none
	wait    span
	state   bool

	callback, event string // that the request asked for
	called          string // what was queued, for a header

	isDeprecated bool // the operation
	op           *operation
	values       map[string]string // of path parameters
	form         *form             // of the body, nil without one
	shown        *tree.Node        // what the body says
}

// Rules that choose an answer, as [answer.explain] names them.
const (
	rulePrefer        = "prefer"
	ruleMock          = "x-mock"
	ruleDiscriminator = "discriminator"
	ruleFit           = "fit"
	ruleFirst         = "first-example"
	ruleSchema        = "schema"
	ruleDynamic       = "dynamic"
	ruleEmpty         = "no-content"
	ruleState         = "state"
)

// answer answers a request.
func (e *engine) answer(r Request) *answer {
	p, query, wrong := readPreferences(r.Header, r.Query)
	r.Query = query
	if len(wrong) > 0 {
		return refusal(kindPreference, http.StatusUnprocessableEntity, "The preferences of the request cannot be followed. "+wrong[0].Message, wrong...)
	}
	method, path := r.Method, r.Path
	found := e.find(method, path)
	if len(found.operations) == 0 && method == http.MethodHead {
		found = e.find(http.MethodGet, path)
	}
	a := e.answerFound(r, p, found)
	a.Applied, a.wait, a.state = p.applied, p.wait, p.hasState
	a.callback, a.event = p.callback, p.event
	if p.fault.kind != faultStatus && p.fault.kind != "" && rand.Float64() < p.fault.chance {
		a.Fault = p.fault.kind
	}
	return a
}

// find finds the operations of a path, with or without the base path of a
// server.
func (e *engine) find(method, path string) match {
	var best match
	for _, base := range e.bases {
		rest, ok := strings.CutPrefix(path, base)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		rest = cmp.Or(rest, "/")
		if found := e.routes.find(method, rest); len(found.operations) > 0 {
			return found
		} else if len(best.allowed) == 0 {
			best = found
		}
	}
	found := e.routes.find(method, path)
	if len(found.operations) > 0 || len(best.allowed) == 0 {
		return found
	}
	return best
}

func (e *engine) answerFound(r Request, p preferences, found match) *answer {
	switch {
	case len(found.operations) == 0 && len(found.allowed) > 0:
		allowed := withImplied(found.allowed)
		a := refusal(kindMethod, http.StatusMethodNotAllowed, "The path takes "+words(found.allowed)+", not "+shorten(r.Method)+".")
		a.Header = http.Header{"Content-Type": {problemType}, "Allow": {strings.Join(allowed, ", ")}}
		return a
	case len(found.operations) == 0:
		a := refusal(kindNoOperation, http.StatusNotFound, "No operation has the path "+shorten(r.Path)+".")
		if near := e.nearest(r.Method, r.Path); near != nil {
			a.Problem.Detail += " The nearest is " + near.placed.Method + " " + near.placed.Path + "."
			a.nearest(near)
		}
		return a
	}
	request := validate.Request{Path: found.values, Query: r.Query, Header: r.Header, Body: r.Body}
	op := choose(found.operations, request)
	op.compile()
	a := op.fail(request, p)
	if a == nil {
		a = op.answer(request, p)
	}
	a.Operation, a.isDeprecated, a.op, a.values = &op.placed, op.isDeprecated, op, found.values
	if a.Problem != nil {
		a.Problem.Operation = op.placed.ID
	}
	return a
}

// withImplied adds the methods that the mock answers beyond the documented ones.
func withImplied(methods []string) []string {
	list := append(slices.Clone(methods), http.MethodOptions)
	if slices.Contains(methods, http.MethodGet) {
		list = append(list, http.MethodHead)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// nearest adds an operation to the problem of an answer. The service adds its
// address.
func (a *answer) nearest(op *operation) {
	a.Problem.Nearest = append(a.Problem.Nearest, near{Name: op.placed.Method + " " + op.placed.Path, URL: op.placed.Slug})
}

// shorten cuts a text of a request so that a message stays a line.
func shorten(text string) string {
	text = strings.ToValidUTF8(text, "�")
	if runes := []rune(text); len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return text
}

// pause returns how long an answer waits.
func (s span) pause(chance float64) time.Duration {
	return s.least + time.Duration(chance*float64(s.most-s.least))
}
