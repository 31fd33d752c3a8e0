package spec

import (
	"fmt"
	"maps"
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"heliograph/app/fault"
)

// Contract holds the precompiled validators of one document. It is safe for
// concurrent use.
type Contract struct {
	ids        []string
	operations map[string]*promise
	routes     []route
}

// promise is what the document says of the bodies of one operation.
type promise struct {
	method    string
	required  bool // the request has a body
	request   map[string]*check
	responses map[string]map[string]*check // by status, then content type
}

// check validates the bodies of one content type.
type check struct {
	schema *jsonschema.Schema // nil: anything goes
	fields map[string]formField
	err    error // the schema cannot be checked, and why
}

// resource is where the compiler knows the document; nothing is loaded.
const resource = "mem:///doc"

// NewContract compiles a whole document, OpenAPI 3.0 or 3.1. It returns the
// same faults as [Read]. A schema that cannot be compiled, or that multiplies
// beyond what can be checked in reasonable time, makes the checks of its own
// bodies fail and no others.
func NewContract(document []byte) (*Contract, error) {
	s, err := load(document)
	if err != nil {
		return nil, err
	}
	r := &reader{source: s, ids: map[string]bool{}, slugs: map[string]bool{}}
	r.apart()
	compiler := newCompiler()
	if err := compiler.AddResource(resource, s.root.plain()); err != nil {
		return nil, fmt.Errorf("compiling the document: %w", err)
	}
	b := &contractBuilder{root: s.root, compiler: compiler, flattener: newFlattener(s.root), paths: newPathCounter(s.root)}
	c := &Contract{operations: map[string]*promise{}}
	for _, o := range r.operations {
		c.ids = append(c.ids, o.ID)
		c.operations[o.ID] = b.promise(o)
		c.routes = append(c.routes, newRoute(o))
	}
	return c, nil
}

// Operations lists the operation ids in document order, variants included.
func (c *Contract) Operations() []string { return slices.Clone(c.ids) }

// Request checks a request body. An Invalid fault lists the JSON pointers of
// what breaks the contract; Unsupported says that the content type is not
// documented; NotFound that the operation is not.
func (c *Contract) Request(operationID, contentType string, body []byte) error {
	p, err := c.promise(operationID)
	if err != nil {
		return err
	}
	if len(body) == 0 && (len(p.request) == 0 || !p.required) {
		return nil
	}
	if len(p.request) == 0 {
		return fault.New(fault.Invalid, "%s takes no body.", operationID)
	}
	if len(body) == 0 {
		return fault.New(fault.Invalid, "%s needs a body; send one of %s.", operationID, types(p.request))
	}
	return p.checkBody(p.request, contentType, body)
}

// Response checks a response body against the document: a status that is not
// documented is an Invalid fault, as are a missing and a surplus body.
func (c *Contract) Response(operationID string, status int, contentType string, body []byte) error {
	p, err := c.promise(operationID)
	if err != nil {
		return err
	}
	code := strconv.Itoa(status)
	content, known := p.responses[code]
	for _, other := range []string{code[:1] + "XX", "default"} {
		if !known {
			content, known = p.responses[other]
		}
	}
	switch {
	case !known:
		return fault.New(fault.Invalid, "%s does not document the status %d.", operationID, status)
	case p.method == "HEAD", len(content) == 0 && len(body) == 0:
		return nil
	case len(content) == 0:
		return fault.New(fault.Invalid, "%s documents no body for the status %d.", operationID, status)
	case len(body) == 0:
		return fault.New(fault.Invalid, "%s documents a body for the status %d, one of %s.", operationID, status, types(content))
	}
	return p.checkBody(content, contentType, body)
}

func (c *Contract) promise(operationID string) (*promise, error) {
	if p := c.operations[operationID]; p != nil {
		return p, nil
	}
	return nil, fault.New(fault.NotFound, "The document has no operation %s.", operationID)
}

func types(content map[string]*check) string {
	return strings.Join(slices.Sorted(maps.Keys(content)), ", ")
}

// checkBody finds the documented content type, the narrowest first.
func (p *promise) checkBody(content map[string]*check, contentType string, body []byte) error {
	t, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return fault.New(fault.Unsupported, "The content type %.80q cannot be read; send one of %s.", contentType, types(content))
	}
	main, _, _ := strings.Cut(t, "/")
	for _, candidate := range []string{t, main + "/*", "*/*"} {
		if c := content[candidate]; c != nil {
			return c.body(t, params["boundary"], body)
		}
	}
	return fault.New(fault.Unsupported, "The content type %s is not documented; send one of %s.", t, types(content))
}

// contractBuilder compiles the checks of operations.
type contractBuilder struct {
	root      *node
	compiler  *jsonschema.Compiler
	flattener *flattener
	paths     *pathCounter
}

func (b *contractBuilder) promise(o located) *promise {
	p := &promise{method: o.Method, responses: map[string]map[string]*check{}}
	pointer, body := b.resolve(o.pointer + "/requestBody")
	p.required = body.truth("required")
	p.request = b.content(pointer, body)
	for _, m := range o.raw.entries("responses") {
		pointer, response := b.resolve(o.pointer + "/responses/" + escape(m.key))
		p.responses[strings.Replace(strings.ToUpper(m.key), "DEFAULT", "default", 1)] = b.content(pointer, response)
	}
	return p
}

// resolve follows references and returns where they end.
func (b *contractBuilder) resolve(pointer string) (string, *node) {
	for range maxNesting {
		ref := b.root.at(pointer).get("$ref")
		if !ref.is(kindString) {
			break
		}
		pointer = strings.TrimPrefix(ref.text, "#")
		if b.root.at(pointer) == nil {
			pointer = unescapeFragment(pointer)
		}
	}
	return pointer, b.root.at(pointer)
}

func (b *contractBuilder) content(pointer string, n *node) map[string]*check {
	content := map[string]*check{}
	for _, m := range n.entries("content") {
		t, _, err := mime.ParseMediaType(m.key)
		if err != nil {
			t = lower(m.key)
		}
		content[t] = b.check(pointer+"/content/"+escape(m.key)+"/schema", m.value.get("schema"))
	}
	return content
}

func (b *contractBuilder) check(pointer string, schema *node) *check {
	if schema == nil {
		return &check{}
	}
	c := &check{fields: b.formFields(schema)}
	if b.paths.excessive(schema) {
		c.err = fmt.Errorf("the schema at %s multiplies beyond %d branches and is not checked", pointer, maxPaths)
		return c
	}
	c.schema, c.err = b.compiler.Compile(resource + "#" + (&url.URL{Fragment: pointer}).EscapedFragment())
	return c
}

// formFields notes what a form needs to know of the members of a schema.
func (b *contractBuilder) formFields(schema *node) map[string]formField {
	fields := map[string]formField{}
	for _, m := range b.flattener.flatten(schema).node.entries("properties") {
		s := b.flattener.flatten(m.value)
		fields[m.key] = formField{types: s.types(), items: b.flattener.flatten(s.node.get("items")).types()}
	}
	return fields
}
