package spec

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/fault"
)

// assembler puts a frame and its operations together as one OpenAPI 3.1
// document, the reverse of [Read]: operations in the order given, variants under
// the x-variants of their base. Two operations with one method and path are a
// Conflict fault.
type assembler struct {
	root  *node
	rest  map[string]*node // what the frame keeps of each path
	items map[string]*node // the Path Items made so far
	paths *node
	real  map[*node]string // the path of the document, by operation
}

func newAssembler(frame json.RawMessage) (*assembler, error) {
	root, err := decode(frame)
	if err != nil {
		return nil, fmt.Errorf("reading the frame: %w", err)
	}
	if !root.is(kindObject) {
		return nil, fault.New(fault.Invalid, "The frame of the document is not an object.")
	}
	a := &assembler{root: root, rest: map[string]*node{}, items: map[string]*node{}, paths: object(), real: map[*node]string{}}
	for _, m := range root.entries("paths") {
		a.rest[m.key] = m.value
	}
	return a, nil
}

// add puts one operation into its Path Item and returns it.
func (a *assembler) add(op Operation) (*node, error) {
	raw, path, err := operationNode(op)
	if err != nil {
		return nil, err
	}
	method := strings.ToLower(op.Method)
	a.real[raw] = path
	item := a.item(path)
	base := a.rest[path].get(method)
	if base == nil {
		if item.get(method) != nil {
			return nil, fault.New(fault.Conflict, "The operation %s has the method and path of another, %s %s. Change one of them.", op.ID, op.Method, path)
		}
		item.set(method, raw)
		return raw, nil
	}
	if item.get(method) == nil {
		shared := base.without("x-variants")
		shared.set("x-variants", array())
		item.set(method, shared)
	}
	variants := item.get(method).get("x-variants")
	variants.items = append(variants.items, raw)
	return raw, nil
}

// operationNode decodes the object of an operation and returns the path of the
// document that it belongs to.
func operationNode(op Operation) (raw *node, path string, err error) {
	if raw, err = decode(op.Raw); err != nil {
		return nil, "", fmt.Errorf("reading operation %s: %w", op.ID, err)
	}
	path = cmp.Or(raw.str("x-openapi-path"), op.Path)
	switch {
	case !raw.is(kindObject):
		return nil, "", fault.New(fault.Invalid, "The operation %s is not an object.", op.ID)
	case !slices.Contains(methods, strings.ToLower(op.Method)):
		return nil, "", fault.New(fault.Invalid, "The operation %s has the method %q; use one of %s.", op.ID, op.Method, strings.ToUpper(strings.Join(methods, ", ")))
	case !strings.HasPrefix(path, "/"):
		return nil, "", fault.New(fault.Invalid, "The operation %s has the path %q; begin it with a slash.", op.ID, path)
	}
	raw.remove("x-openapi-path")
	raw.set("operationId", str(op.ID))
	return raw, path, nil
}

// item returns the Path Item of a path, made from what the frame keeps of it.
func (a *assembler) item(path string) *node {
	item := a.items[path]
	if item == nil {
		item = object()
		if rest := a.rest[path]; rest.is(kindObject) {
			item = rest.without(methods...)
		}
		a.items[path] = item
		a.paths.members = append(a.paths.members, member{path, item})
	}
	return item
}

// finish adds what the frame keeps of other paths. A base operation whose
// variants are gone goes too.
func (a *assembler) finish() *node {
	for _, m := range a.root.entries("paths") {
		rest := m.value
		if strings.HasPrefix(m.key, "/") {
			rest = rest.without(methods...)
		}
		if a.items[m.key] == nil && (len(rest.members) > 0 || !rest.is(kindObject)) {
			a.paths.members = append(a.paths.members, member{m.key, rest})
		}
	}
	described := a.root.get("components") != nil || a.root.get("webhooks") != nil
	if len(a.paths.members) > 0 || a.root.get("paths") != nil || !described {
		a.root.set("paths", a.paths)
	}
	return a.root
}
