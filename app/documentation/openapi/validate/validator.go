package validate

import (
	"cmp"
	"net/http"
	"slices"
	"sync"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// limitSet bounds what one check may cost. Zero values stand for the defaults.
type limitSet struct {
	Bytes    int // of a body, 10 MiB by default
	Depth    int // of objects and arrays within each other, 100 by default
	Values   int // in a body, and members of a query, 200,000 by default
	Work     int // applications of schemas to values, 500,000 by default
	Problems int // reported, 20 by default
}

func (l limitSet) withDefaults() limitSet {
	return limitSet{
		Bytes: cmp.Or(l.Bytes, 10<<20), Depth: cmp.Or(l.Depth, 100), Values: cmp.Or(l.Values, 200_000),
		Work: cmp.Or(l.Work, 500_000), Problems: cmp.Or(l.Problems, 20),
	}
}

// Warning is a part of the document that is not checked.
type Warning struct {
	Pointer string // RFC 6901, in the document or in the operation that holds the schema
	Message string // a sentence
}

// Validator checks requests and responses against one document. It is safe for
// concurrent use.
type Validator struct {
	limits     limitSet
	operations map[string]*operation
	compiling  sync.Mutex
	root       *tree.Node
	request    *side
	response   *side
}

// operation is a compiled operation.
type operation struct {
	placed     openapi.Placed
	once       sync.Once
	parameters []*parameter
	body       *content // nil: the operation takes no body
	isRequired bool     // the body
	responses  map[string]*response
	warnings   []Warning
}

// New returns a validator for a document with the default limits. Nothing is
// compiled yet.
func New(document *openapi.Assembly) *Validator { return newLimited(document, limitSet{}) }

// newLimited returns a validator for a document with the limits.
func newLimited(document *openapi.Assembly, limits limitSet) *Validator {
	v := &Validator{limits: limits.withDefaults(), operations: map[string]*operation{}, root: document.Root}
	for _, p := range slices.Concat(document.Operations, document.Callbacks) {
		if v.operations[p.ID] == nil {
			v.operations[p.ID] = &operation{placed: p}
		}
	}
	return v
}

// Request is an HTTP request as it was received.
type Request struct {
	Path   map[string]string // percent-encoded values by the names of the document's path
	Query  string            // without the question mark
	Header http.Header       // with Content-Type and Cookie
	Body   []byte
}

// Request checks a request of an operation and lists its problems in a stable
// order. An unknown operation is a NotFound fault.
func (v *Validator) Request(operationID string, r Request) ([]Problem, error) {
	op, err := v.operation(operationID)
	if err != nil {
		return nil, err
	}
	found := &report{limits: v.limits}
	source := newSource(r, found)
	for _, p := range op.parameters {
		p.check(source, found)
	}
	switch {
	case len(r.Body) == 0:
		if op.isRequired {
			found.add(Problem{Location: Body, Code: "required", Message: "Send a body. The operation requires one."})
		}
	case op.body == nil:
		found.add(Problem{Location: Body, Code: "unexpected", Message: "Remove the body. The operation takes none."})
	default:
		op.body.check(r.Header.Get("Content-Type"), r.Body, found)
	}
	return found.sorted(), nil
}

// Response checks a response of an operation and lists its problems in a
// stable order. An unknown operation is a NotFound fault.
func (v *Validator) Response(operationID string, status int, header http.Header, body []byte) ([]Problem, error) {
	work := v.limits.Work
	return v.ResponseWithin(operationID, status, header, body, &work)
}

// ResponseWithin is Response with the work that is left for it, which it reduces by the
// applications of schemas to values. A check that needs more has the problem "work".
func (v *Validator) ResponseWithin(operationID string, status int, header http.Header, body []byte, left *int) ([]Problem, error) {
	op, err := v.operation(operationID)
	if err != nil {
		return nil, err
	}
	found := &report{limits: v.limits}
	found.limits.Work = min(found.limits.Work, *left)
	defer func() { *left = max(0, *left-found.work) }()
	answer := op.response(status)
	if answer == nil {
		found.add(Problem{Location: Status, Code: "status", Message: "Document the status " + text(status) + ", or respond with a documented one."})
		return found.sorted(), nil
	}
	source := newSource(Request{Header: header}, found)
	for _, h := range answer.headers {
		h.check(source, found)
	}
	isBare := op.placed.Method == http.MethodHead || status < 200 || status == http.StatusNoContent || status == http.StatusNotModified
	switch {
	case len(body) == 0:
		if answer.body != nil && !isBare && answer.body.needsBytes() {
			found.add(Problem{Location: Body, Code: "required", Message: "Send a body. The response documents one."})
		}
	case answer.body == nil:
		found.add(Problem{Location: Body, Code: "unexpected", Message: "Remove the body, or document it. The response documents none."})
	default:
		answer.body.check(header.Get("Content-Type"), body, found)
	}
	return found.sorted(), nil
}

// Warnings lists what is not checked of an operation. An unknown operation is a
// NotFound fault.
func (v *Validator) Warnings(operationID string) ([]Warning, error) {
	op, err := v.operation(operationID)
	if err != nil {
		return nil, err
	}
	return slices.Clone(op.warnings), nil
}

// operation returns an operation, compiled.
func (v *Validator) operation(id string) (*operation, error) {
	op := v.operations[id]
	if op == nil {
		return nil, fault.New(fault.NotFound, "The document has no operation %s.", id)
	}
	op.once.Do(func() {
		v.compiling.Lock()
		defer v.compiling.Unlock()
		if v.request == nil {
			v.request, v.response = newSide(v.root, "readOnly"), newSide(v.root, "writeOnly")
		}
		v.compile(op)
	})
	return op, nil
}
