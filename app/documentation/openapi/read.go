package openapi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/naming"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

// maxParts is the total size of a document's operations in bytes. Paths that
// share one Path Item could otherwise multiply it.
const maxParts = 64 << 20

// Read splits an OpenAPI 3.0 or 3.1 document (JSON or YAML, at most 10 MiB)
// into parts. Errors are Invalid or TooLarge faults with the place and the
// remedy. Structural ones name the JSON pointer of each place in Fields.
func Read(data []byte) (*Document, error) {
	s, err := load(data)
	if err != nil {
		return nil, err
	}
	return s.document()
}

// ReadTree is [Read] for a document that is decoded already. It changes the nodes.
func ReadTree(root *tree.Node) (*Document, error) {
	s, err := loadTree(root)
	if err != nil {
		return nil, err
	}
	return s.document()
}

// document takes a document apart.
func (s *source) document() (d *Document, err error) {
	r := &reader{source: s, ids: s.ids, slugs: map[string]bool{}}
	frame := s.root.Without()
	info := s.root.Get("info")
	d = &Document{Title: info.Str("title"), Version: info.Str("version"), Description: info.Str("description")}
	if d.Operations, err = r.split(frame, "paths"); err != nil {
		return nil, err
	}
	if d.Callbacks, err = r.split(frame, "webhooks"); err != nil {
		return nil, err
	}
	d.Schemas = splitSchemas(frame)
	d.Categories = splitTags(frame)
	d.Frame, d.Warnings = frame.JSON(), s.warnings
	return d, nil
}

// reader makes operations with unique ids and slugs.
type reader struct {
	*source
	ids, slugs map[string]bool
	size       int // bytes of all operations
}

// split moves the operations out of paths or webhooks. The frame keeps the rest
// of each Path Item.
func (r *reader) split(frame *tree.Node, key string) (list []Operation, err error) {
	if frame.Get(key) == nil {
		return nil, nil
	}
	kept := tree.Object()
	frame.Set(key, kept)
	for _, m := range r.root.Entries(key) {
		item, pointer := m.Value, "/"+key+"/"+tree.Escape(m.Key)
		if !item.Is(tree.KindObject) || key == "paths" && !strings.HasPrefix(m.Key, "/") {
			kept.Append(m.Key, item)
			continue
		}
		shared, at := sharedItem(r.root, item)
		if shared == nil {
			kept.Append(m.Key, template(item))
		} else {
			kept.Append(m.Key, referring(item, shared))
			item, pointer = shared, at
		}
		for _, o := range item.Members {
			if !slices.Contains(methods, o.Key) || !o.Value.Is(tree.KindObject) {
				continue
			}
			own := operations(o.Value, pointer+"/"+o.Key)
			for _, one := range own {
				op := r.operation(operationPlace{m.Key, o.Key, one.pointer, shared != nil}, inherit(r.root, item, one.node))
				if r.size += len(op.Raw); r.size > maxParts {
					return nil, fault.New(fault.TooLarge, "The operations of the document are over %d MiB together. Use fewer paths with one Path Item, or fewer parameters for all operations of a path.", maxParts>>20)
				}
				list = append(list, op)
			}
		}
	}
	return list, nil
}

// located is an operation object with its place in the document.
type located struct {
	node    *tree.Node
	pointer string
}

// operations lists the variants of an operation, or the operation itself.
func operations(n *tree.Node, pointer string) []located {
	variants := n.List("x-variants")
	if len(variants) == 0 {
		return []located{{n, pointer}}
	}
	var list []located
	for i, v := range variants {
		list = append(list, located{v, pointer + "/x-variants/" + strconv.Itoa(i)})
	}
	return list
}

// template returns the rest of a Path Item: null for each operation, and the
// base operation of variants without them.
func template(item *tree.Node) *tree.Node {
	kept := tree.Object()
	for _, m := range item.Members {
		switch {
		case !slices.Contains(methods, m.Key) || !m.Value.Is(tree.KindObject):
			kept.Append(m.Key, m.Value)
		case len(m.Value.List("x-variants")) > 0:
			base := m.Value.Without()
			base.Set("x-variants", tree.Array())
			kept.Append(m.Key, base)
		default:
			kept.Append(m.Key, tree.Null())
		}
	}
	return kept
}

// referring returns the rest of a Path Item that refers to another one: itself,
// and null for each operation of the other.
func referring(item, shared *tree.Node) *tree.Node {
	kept := item.Without()
	for _, m := range shared.Members {
		if slices.Contains(methods, m.Key) && m.Value.Is(tree.KindObject) && item.Get(m.Key) == nil {
			kept.Append(m.Key, tree.Null())
		}
	}
	return kept
}

// sharedItem returns the Path Item that another one refers to, and its JSON
// pointer; nil when it refers to none.
func sharedItem(root, item *tree.Node) (*tree.Node, string) {
	pointer := ""
	for range maxNesting {
		ref := item.Get("$ref")
		if !ref.Is(tree.KindString) {
			break
		}
		item, pointer = root.Target(ref.Text), strings.TrimPrefix(ref.Text, "#")
	}
	if pointer == "" || !item.Is(tree.KindObject) || item.Get("$ref").Is(tree.KindString) {
		return nil, ""
	}
	return item, pointer
}

// operationPlace is where a document has an operation.
type operationPlace struct {
	path, method string
	pointer      string // JSON pointer of the operation object
	shared       bool   // by several paths
}

// operation makes the part of one operation.
func (r *reader) operation(at operationPlace, raw *tree.Node) Operation {
	id := raw.Str("operationId")
	if id == "" {
		id = naming.Unique(r.ids, defaultID(at.method, at.path), "")
	} else if at.shared {
		if free := naming.Unique(r.ids, id, ""); free != id {
			r.warn(at.pointer, "The operationId %.80q is taken by an earlier operation; for %s it is %.80q.", id, at.path, free)
			id = free
		}
	}
	shown, slug := at.path, "callback"
	if strings.HasPrefix(at.path, "/") {
		shown, slug = cmp.Or(raw.Str("x-path"), at.path), naming.Slug(at.method+" "+at.path)
	}
	if strings.Contains(at.pointer, "/x-variants/") && raw.Str("x-path") == "" {
		r.warn(at.pointer, "The variant has no x-path; it is shown with the path that all variants share.")
	}
	if shown != at.path {
		raw.Set(pathKey, tree.String(at.path))
	}
	o := described(id, raw)
	o.Slug = naming.Unique(r.slugs, cmp.Or(naming.Slug(id), slug), "-")
	o.Method, o.Path, o.Raw = strings.ToUpper(at.method), shown, raw.JSON()
	return o
}

// described returns the fields of an operation that its object contains.
func described(id string, raw *tree.Node) Operation {
	o := Operation{
		ID:      id,
		Name:    cmp.Or(strings.TrimSpace(raw.Str("summary")), naming.Readable(id), id),
		Purpose: raw.Str("description"),
	}
	if tags := raw.List("tags"); len(tags) > 0 {
		o.Category = tags[0].Text
	}
	return o
}

// splitSchemas takes the schemas out of the components of a frame.
func splitSchemas(frame *tree.Node) []Schema {
	components := frame.Get("components")
	if !components.Get("schemas").Is(tree.KindObject) {
		return nil
	}
	var list []Schema
	slugs := map[string]bool{}
	for _, m := range components.Entries("schemas") {
		list = append(list, Schema{Name: m.Key, Slug: naming.Unique(slugs, cmp.Or(naming.Slug(m.Key), "schema"), "-"), Raw: m.Value.JSON()})
	}
	components = components.Without()
	components.Set("schemas", tree.Object())
	frame.Set("components", components)
	return list
}

// splitTags takes the tags out of a frame.
func splitTags(frame *tree.Node) []Tag {
	var list []Tag
	slugs := map[string]bool{}
	for _, n := range frame.List("tags") {
		name := n.Str("name")
		list = append(list, Tag{Name: name, Slug: naming.Unique(slugs, cmp.Or(naming.Slug(name), "category"), "-"), Description: n.Str("description"), Raw: n.JSON()})
	}
	if list != nil {
		frame.Set("tags", tree.Array())
	}
	return list
}
