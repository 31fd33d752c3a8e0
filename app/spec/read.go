package spec

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Document is an API description taken apart into what is edited and released
// separately.
type Document struct {
	Title, Version, Description string

	// Frame is the document without the operations that stand alone: openapi,
	// info, servers, tags, security, components, webhooks, in order. Its paths
	// keep what belongs to a path and the base operations of variants.
	Frame      json.RawMessage
	Operations []Operation // in document order
	Warnings   []Warning   // what was read leniently
}

// Operation is one operation of a document, whole enough to stand alone.
type Operation struct {
	ID       string // operationId, made up from method and path when missing, unique in the document
	Slug     string // kebab-case of ID, unique in the document
	Name     string // summary, else a readable form of ID
	Category string // first tag, "" when it has none
	Method   string // upper case
	Path     string // as readers see it: x-path, else the path of the document
	Purpose  string // description, Markdown

	// Raw is the operation object with the parameters and servers of its path
	// merged in and $refs kept. x-openapi-path holds the path of the document
	// where Path differs from it.
	Raw json.RawMessage
}

// methods are the members of a Path Item that hold operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// Read takes an OpenAPI 3.0 or 3.1 document (JSON or YAML, at most 10 MiB)
// apart. Errors are Invalid or TooLarge faults that say where and what to
// change; structural ones name the JSON pointer of each place in Fields.
func Read(data []byte) (*Document, error) {
	s, err := load(data)
	if err != nil {
		return nil, err
	}
	r := &reader{source: s, ids: map[string]bool{}, slugs: map[string]bool{}}
	frame := r.apart()
	info := s.root.get("info")
	d := &Document{
		Title: info.str("title"), Version: info.str("version"), Description: info.str("description"),
		Frame: frame.json(), Warnings: s.warnings,
	}
	for _, o := range r.operations {
		d.Operations = append(d.Operations, o.Operation)
	}
	return d, nil
}

// located is an operation and where its document keeps it.
type located struct {
	Operation
	raw     *node
	pointer string // JSON pointer of the operation object
	path    string // the path of the document
}

type reader struct {
	*source
	operations []located
	ids, slugs map[string]bool
}

// apart lists the operations and returns what remains without them.
func (r *reader) apart() *node {
	paths := object()
	for _, m := range r.root.entries("paths") {
		pointer := "/paths/" + escape(m.key)
		item := m.value
		if ref := item.get("$ref"); ref.is(kindString) {
			if to := target(r.root, ref.text); to.is(kindObject) {
				item, pointer = to, strings.TrimPrefix(ref.text, "#")
			}
		}
		rest := item
		if strings.HasPrefix(m.key, "/") {
			rest = r.pathItem(m.key, pointer, item)
		}
		if !rest.is(kindObject) || len(rest.members) > 0 {
			paths.members = append(paths.members, member{m.key, rest})
		}
	}
	frame := r.root.without()
	if frame.get("paths") != nil {
		frame.set("paths", paths)
	}
	return frame
}

// pathItem lists the operations of a path and returns what remains of it: its
// own members, and the base operations of variants.
func (r *reader) pathItem(path, pointer string, item *node) *node {
	rest := item.without(append(methods, "parameters", "servers")...)
	for _, m := range item.members {
		if !slices.Contains(methods, m.key) || !m.value.is(kindObject) {
			continue
		}
		variants := m.value.list("x-variants")
		if len(variants) == 0 {
			r.add(m.key, path, pointer+"/"+m.key, inherit(r.root, item, m.value))
			continue
		}
		rest.set(m.key, inherit(r.root, item, m.value.without("x-variants")))
		for i, v := range variants {
			at := pointer + "/" + m.key + "/x-variants/" + strconv.Itoa(i)
			if v.str("x-path") == "" {
				r.warn(at, "The variant has no x-path; it is shown with the path that all variants share.")
			}
			r.add(m.key, path, at, inherit(r.root, item, v))
		}
	}
	return rest
}

// inherit returns an operation with the parameters and servers of its path.
func inherit(root, item, operation *node) *node {
	raw := operation.without("x-openapi-path")
	if raw.get("servers") == nil && item.get("servers") != nil {
		raw.set("servers", item.get("servers"))
	}
	own := raw.list("parameters")
	var merged []*node
	for _, p := range item.list("parameters") {
		if !slices.ContainsFunc(own, func(o *node) bool { return sameParameter(root, p, o) }) {
			merged = append(merged, p)
		}
	}
	if len(merged) > 0 {
		raw.set("parameters", array(append(merged, own...)...))
	}
	return raw
}

// sameParameter reports whether two parameters have one name and place.
func sameParameter(root, a, b *node) bool {
	a, b = follow(root, a), follow(root, b)
	return a.str("name") == b.str("name") && a.str("in") == b.str("in")
}

// add lists an operation under a unique id and slug.
func (r *reader) add(method, path, pointer string, raw *node) {
	id := raw.str("operationId")
	if id == "" {
		id = madeUpID(method, path)
	}
	if free := unique(r.ids, id, ""); free != raw.str("operationId") {
		if free != id {
			r.warn(pointer, "The operationId %.80q is taken by an earlier operation; this one is %.80q.", id, free)
		}
		id = free
		raw.set("operationId", str(id))
	}
	shown := cmp.Or(raw.str("x-path"), path)
	if shown != path {
		raw.set("x-openapi-path", str(path))
	}
	o := described(id, raw)
	o.Slug = unique(r.slugs, cmp.Or(slugify(id), slugify(method+" "+path)), "-")
	o.Method, o.Path, o.Raw = strings.ToUpper(method), shown, raw.json()
	r.operations = append(r.operations, located{o, raw, pointer, path})
}

// described is an operation as far as its object alone tells it.
func described(id string, raw *node) Operation {
	o := Operation{
		ID:      id,
		Name:    cmp.Or(strings.TrimSpace(raw.str("summary")), readable(id), id),
		Purpose: raw.str("description"),
	}
	if tags := raw.list("tags"); len(tags) > 0 {
		o.Category = tags[0].text
	}
	return o
}

// follow resolves a reference within a document, and references behind it. It
// returns n where there is none, and nil where it leads nowhere or in a circle.
func follow(root, n *node) *node {
	for range maxNesting {
		ref := n.get("$ref")
		if !ref.is(kindString) {
			return n
		}
		n = target(root, ref.text)
	}
	return nil
}
