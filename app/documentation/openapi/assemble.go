package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/lists"
)

// Assembly is a document that was put together from its parts.
type Assembly struct {
	Root       *tree.Node // the document, OpenAPI 3.1
	Operations []Placed   // in the order of the parts
	Callbacks  []Placed   // of the parts, then the ones that only the frame has
}

// Placed is an operation with its place in the document.
type Placed struct {
	Operation
	Route   string     // the path of the document, or the name of the webhook
	Pointer string     // JSON pointer of the operation object
	Node    *tree.Node // the operation object with what it has from its path
}

// Assemble puts the parts of a document together, the reverse of [Read]: what
// was read and not changed gives the document back, its keys in order. Parts
// may be added, removed, renamed and reordered; operations stand in the order
// given, variants under the x-variants of their base. A frame may also hold
// schemas, webhooks and tags itself; a part of the same name takes the place of
// one of those.
//
// Two parts for one place (a method and path, a schema's name) are a Conflict
// fault, and what is no description an Invalid one.
func Assemble(p Parts) (*Assembly, error) {
	root, err := decode(p.Frame, "the frame")
	if err != nil {
		return nil, err
	}
	a := &assembler{root: root}
	if err := a.schemas(p.Schemas); err != nil {
		return nil, err
	}
	if err := a.tags(p.Categories); err != nil {
		return nil, err
	}
	calls, err := entries(p.Operations, false)
	if err != nil {
		return nil, err
	}
	sent, err := entries(p.Callbacks, true)
	if err != nil {
		return nil, err
	}
	if err := a.items("paths", calls); err != nil {
		return nil, err
	}
	if err := a.items("webhooks", sent); err != nil {
		return nil, err
	}
	if err := a.share(); err != nil {
		return nil, err
	}
	result := &Assembly{Root: root, Operations: placed(calls), Callbacks: placed(sent)}
	result.Callbacks = append(result.Callbacks, FrameCallbacks(root, p)...)
	return result, nil
}

// decode reads the JSON object of a part.
func decode(raw json.RawMessage, name string) (*tree.Node, error) {
	n, err := tree.Read(raw)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if !n.Is(tree.KindObject) {
		return nil, fault.New(fault.Invalid, "What is stored of %s is not an object.", name)
	}
	return n, nil
}

// assembler puts parts into the frame of a document.
type assembler struct {
	root   *tree.Node
	shared []*sharing
}

// sharing is a Path Item that refers to another one, with the operations that
// it had when it was read.
type sharing struct {
	key, path string
	list      []*entry
}

// items puts operations into the Path Items of paths or webhooks.
func (a *assembler) items(key string, list []*entry) error {
	kept := a.root.Get(key)
	if kept != nil && !kept.Is(tree.KindObject) {
		return nil
	}
	byPath := map[string][]*entry{}
	var given, known []string
	for _, e := range list {
		if byPath[e.Route] == nil {
			given = append(given, e.Route)
		}
		byPath[e.Route] = append(byPath[e.Route], e)
	}
	templates := map[string]*tree.Node{}
	for _, m := range a.root.Entries(key) {
		known = append(known, m.Key)
		templates[m.Key] = m.Value
	}
	made := tree.Object()
	for _, path := range order(given, known) {
		rest, had := templates[path]
		if had && len(byPath[path]) == 0 && (!rest.Is(tree.KindObject) || key == "paths" && !strings.HasPrefix(path, "/")) {
			made.Append(path, rest)
			continue
		}
		if !had {
			rest = tree.Object()
		}
		if item, _ := sharedItem(a.root, rest); item != nil {
			a.shared = append(a.shared, &sharing{key, path, byPath[path]})
			made.Append(path, rest)
			continue
		}
		item, err := a.item(key, path, rest, byPath[path])
		if err != nil {
			return err
		}
		if len(item.Members) > 0 || !had || len(rest.Members) == 0 {
			made.Append(path, item)
		}
	}
	a.put(key, made)
	return nil
}

// put gives the document its paths or webhooks. It has paths unless it has
// components or webhooks alone.
func (a *assembler) put(key string, made *tree.Node) {
	alone := a.root.Get("components") == nil && a.root.Get("webhooks") == nil && key == "paths"
	if len(made.Members) > 0 || a.root.Get(key) != nil || alone {
		a.root.Set(key, made)
	}
}

// item makes a Path Item of what the frame keeps of it and its operations.
func (a *assembler) item(key, path string, rest *tree.Node, list []*entry) (*tree.Node, error) {
	item := tree.Object()
	byMethod := map[string][]*entry{}
	var given, known []string
	for _, e := range list {
		method := strings.ToLower(e.Method)
		if byMethod[method] == nil {
			given = append(given, method)
		}
		byMethod[method] = append(byMethod[method], e)
	}
	for _, m := range rest.Members {
		known = append(known, m.Key)
	}
	for _, name := range order(given, known) {
		kept, own := rest.Get(name), byMethod[name]
		switch {
		case len(own) == 0 && slices.Contains(methods, name) && (key == "paths" || !kept.Is(tree.KindObject)):
		case len(own) == 0:
			item.Append(name, kept)
		case key == "paths" && kept.Is(tree.KindObject):
			item.Append(name, kept.Without())
		case len(own) > 1:
			return nil, fault.New(fault.Conflict, "The operation %s has the method and path of another, %s %s. Change one of them.", own[1].ID, own[1].Method, path)
		default:
			item.Append(name, tree.Null())
		}
	}
	pointer := "/" + key + "/" + tree.Escape(path)
	hoist(a.root, item, "parameters", list)
	hoist(a.root, item, "servers", list)
	for i, m := range item.Members {
		own := byMethod[m.Key]
		for j, e := range own {
			e.identify()
			e.Pointer = pointer + "/" + m.Key
			if m.Value.Is(tree.KindObject) {
				e.Pointer += "/x-variants/" + strconv.Itoa(j)
			} else {
				item.Members[i].Value = e.node
			}
		}
		if len(own) > 0 && m.Value.Is(tree.KindObject) {
			m.Value.Set("x-variants", variants(own))
		}
	}
	return item, nil
}

func variants(list []*entry) *tree.Node {
	made := tree.Array()
	for _, e := range list {
		made.Items = append(made.Items, e.node)
	}
	return made
}

// order merges two lists of names. Given names keep their order. A name that is
// only known comes after the known name before it.
func order(given, known []string) []string {
	isGiven := lists.Set(given)
	var merged []string
	after := map[string][]string{}
	begun, last := false, ""
	for _, name := range known {
		switch {
		case isGiven[name]:
			begun, last = true, name
		case begun:
			after[last] = append(after[last], name)
		default:
			merged = append(merged, name)
		}
	}
	for _, name := range given {
		merged = append(append(merged, name), after[name]...)
	}
	return merged
}

// JoinFrame returns the frame with the schemas, callbacks and categories in it,
// for callers that store only operations as items.
func JoinFrame(p Parts) (json.RawMessage, error) {
	root, err := decode(p.Frame, "the frame")
	if err != nil {
		return nil, err
	}
	a := &assembler{root: root}
	sent, err := entries(p.Callbacks, true)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(a.schemas(p.Schemas), a.tags(p.Categories), a.items("webhooks", sent), a.share()); err != nil {
		return nil, err
	}
	return root.JSON(), nil
}
