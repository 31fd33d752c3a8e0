// Package spectest judges by an API document what a service was sent and what
// it answered. It is for tests.
package spectest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"heliograph/app/spec"
)

// Contract is what a document promises of the bodies of its operations. It is
// safe for concurrent use.
type Contract struct {
	ids        []string
	operations map[string]*promise
	routes     []route
}

// promise is what the document says of one operation.
type promise struct {
	method    string
	required  bool // the request has a body
	request   map[string]check
	responses map[string]map[string]check // by status, then content type
}

// check validates the bodies of one content type.
type check struct {
	schema *jsonschema.Schema // nil: anything goes
	fields map[string]any     // the schemas of a form's members
}

// resource is where the compiler knows the document, and operations the member
// of it that holds the operations by id; nothing is loaded.
const (
	resource   = "mem:///doc"
	operations = "x-operations"
)

// New compiles a document, OpenAPI 3.0 or 3.1 as JSON or YAML. Its errors are
// those of [spec.Read], and schemas that cannot be compiled.
func New(document []byte) (*Contract, error) {
	read, err := spec.Read(document)
	if err != nil {
		return nil, err
	}
	assembly, err := spec.Assemble(read.Parts)
	if err != nil {
		return nil, err
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(assembly.Root.JSON()))
	if err != nil {
		return nil, err
	}
	root, ok := whole.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the document is not an object")
	}
	byID := map[string]any{}
	root[operations] = byID
	for _, o := range assembly.Operations {
		if byID[o.ID], err = jsonschema.UnmarshalJSON(bytes.NewReader(o.Node.JSON())); err != nil {
			return nil, err
		}
	}
	b := builder{root: root, compiler: jsonschema.NewCompiler()}
	b.compiler.DefaultDraft(jsonschema.Draft2020)
	b.compiler.UseLoader(jsonschema.SchemeURLLoader{})
	b.compiler.AssertFormat()
	if err := b.compiler.AddResource(resource, whole); err != nil {
		return nil, err
	}
	c := &Contract{operations: map[string]*promise{}}
	for _, o := range assembly.Operations {
		c.ids = append(c.ids, o.ID)
		c.routes = append(c.routes, newRoute(o.ID, o.Method, o.Route))
		if c.operations[o.ID], err = b.promise(o.Operation); err != nil {
			return nil, fmt.Errorf("compiling %s: %w", o.ID, err)
		}
	}
	return c, nil
}

// Operations lists the operation ids in document order, variants included.
func (c *Contract) Operations() []string { return slices.Clone(c.ids) }

// Request checks a request body.
func (c *Contract) Request(operationID, contentType string, body []byte) error {
	p := c.operations[operationID]
	switch {
	case p == nil:
		return fmt.Errorf("there is no operation %s", operationID)
	case len(body) == 0 && (len(p.request) == 0 || !p.required):
		return nil
	case len(p.request) == 0:
		return fmt.Errorf("%s takes no body", operationID)
	}
	return checkBody(p.request, contentType, body)
}

// Response checks a response: its status must be documented, as must its body.
func (c *Contract) Response(operationID string, status int, contentType string, body []byte) error {
	p := c.operations[operationID]
	if p == nil {
		return fmt.Errorf("there is no operation %s", operationID)
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
		return fmt.Errorf("%s does not document the status %d", operationID, status)
	case p.method == http.MethodHead, len(content) == 0 && len(body) == 0:
		return nil
	case len(content) == 0:
		return fmt.Errorf("%s documents no body for the status %d", operationID, status)
	}
	return checkBody(content, contentType, body)
}

// checkBody checks a body by the narrowest documented content type.
func checkBody(content map[string]check, contentType string, body []byte) error {
	t, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return fmt.Errorf("the content type %q cannot be read: %w", contentType, err)
	}
	main, _, _ := strings.Cut(t, "/")
	for _, candidate := range []string{t, main + "/*", "*/*"} {
		if c, ok := content[candidate]; ok {
			return c.body(t, params["boundary"], body)
		}
	}
	return fmt.Errorf("the content type %s is not documented, but %s", t, slices.Sorted(maps.Keys(content)))
}

// builder compiles the checks of operations.
type builder struct {
	root     map[string]any
	compiler *jsonschema.Compiler
}

func (b builder) promise(o spec.Operation) (p *promise, err error) {
	at := "/" + operations + "/" + escape(o.ID)
	p = &promise{method: o.Method, responses: map[string]map[string]check{}}
	pointer, request := b.resolve(at + "/requestBody")
	p.required, _ = member(request, "required").(bool)
	if p.request, err = b.content(pointer, request); err != nil {
		return nil, err
	}
	responses, _ := member(b.at(at), "responses").(map[string]any)
	for status := range responses {
		pointer, response := b.resolve(at + "/responses/" + escape(status))
		if p.responses[status], err = b.content(pointer, response); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (b builder) content(pointer string, holder any) (map[string]check, error) {
	checks := map[string]check{}
	content, _ := member(holder, "content").(map[string]any)
	for name, media := range content {
		t, _, err := mime.ParseMediaType(name)
		if err != nil {
			return nil, err
		}
		checks[t] = check{}
		if member(media, "schema") == nil {
			continue
		}
		at := pointer + "/content/" + escape(name) + "/schema"
		schema, err := b.compiler.Compile(resource + "#" + (&url.URL{Fragment: at}).EscapedFragment())
		if err != nil {
			return nil, err
		}
		checks[t] = check{schema, b.fields(at)}
	}
	return checks, nil
}

// fields returns the schemas of the members of an object, references followed.
func (b builder) fields(pointer string) map[string]any {
	at, schema := b.resolve(pointer)
	properties, _ := member(schema, "properties").(map[string]any)
	fields := map[string]any{}
	for name := range properties {
		_, fields[name] = b.resolve(at + "/properties/" + escape(name))
	}
	return fields
}

// resolve follows references and returns where they end.
func (b builder) resolve(pointer string) (string, any) {
	for {
		found := b.at(pointer)
		ref, ok := member(found, "$ref").(string)
		if !ok {
			return pointer, found
		}
		pointer = strings.TrimPrefix(ref, "#")
	}
}

func (b builder) at(pointer string) any {
	var found any = b.root
	for _, name := range strings.Split(pointer, "/")[1:] {
		found = member(found, strings.NewReplacer("~1", "/", "~0", "~").Replace(name))
	}
	return found
}

func member(of any, name string) any {
	object, _ := of.(map[string]any)
	return object[name]
}

func escape(name string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(name) }

// typed reads the text of a form's field as its schema wants it.
func typed(schema any, text string) any {
	switch member(schema, "type") {
	case "integer", "number", "boolean", "object":
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		var value any
		if decoder.Decode(&value) == nil {
			return value
		}
	}
	return text
}
