package openapi

import (
	"cmp"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
	"heliograph/app/lists"
)

// entry is an operation that is being put into a document.
type entry struct {
	Placed
	node     *tree.Node                       // the operation object of the document
	marks    map[string]map[*tree.Node]string // what it has from its path, as JSON, by member
	original string                           // operationId of its object
}

// entries decodes operations.
func entries(list []Operation, webhooks bool) ([]*entry, error) {
	var made []*entry
	for _, op := range list {
		raw, err := decode(op.Raw, "the operation "+op.ID)
		if err != nil {
			return nil, err
		}
		e := &entry{Placed: Placed{Operation: op, Route: op.Path}, node: raw, marks: map[string]map[*tree.Node]string{}, original: raw.Str("operationId")}
		method := strings.ToLower(op.Method)
		if !slices.Contains(methods, method) {
			return nil, fault.New(fault.Invalid, "The operation %s has the method %q; use one of %s.", op.ID, op.Method, strings.ToUpper(strings.Join(methods, ", ")))
		}
		if route := raw.Str(pathKey); route != "" && !webhooks {
			e.Route = route
			if raw.Str("x-path") != op.Path {
				raw.Set("x-path", tree.String(op.Path))
			}
		}
		if !webhooks && !strings.HasPrefix(e.Route, "/") {
			return nil, fault.New(fault.Invalid, "The operation %s has the path %q; begin it with a slash.", op.ID, e.Route)
		}
		raw.Remove(pathKey)
		e.apply()
		for _, key := range []string{"parameters", "servers"} {
			e.marks[key] = unmark(raw, key)
		}
		e.Node = raw.Without()
		made = append(made, e)
	}
	return made, nil
}

// Place decodes an operation and finds its route, as [Assemble] does for all
// operations of a document.
func Place(op Operation) (Placed, error) {
	list, err := entries([]Operation{op}, false)
	if err != nil {
		return Placed{}, err
	}
	return list[0].Placed, nil
}

// apply writes the edited fields of an operation into its object.
func (e *entry) apply() {
	read := described(cmp.Or(e.ID, e.original), e.node)
	if e.Name != "" && e.Name != read.Name {
		e.node.Set("summary", tree.String(e.Name))
	}
	setText(e.node, "description", e.Purpose)
	if e.Category == read.Category {
		return
	}
	tags := slices.Clone(e.node.List("tags"))
	if len(tags) > 0 {
		tags = tags[1:]
	}
	if e.Category != "" {
		tags = slices.Insert(tags, 0, tree.String(e.Category))
	}
	e.node.Set("tags", tree.Array(tags...))
}

// setText gives an object a text member, or removes it when the text is empty.
func setText(n *tree.Node, key, text string) {
	switch {
	case n.Str(key) == text:
	case text == "":
		n.Remove(key)
	default:
		n.Set(key, tree.String(text))
	}
}

// identify writes the operationId, unless the object has none and the id is the
// one that Read generates.
func (e *entry) identify() {
	if e.original == e.ID || e.ID == "" || e.original == "" && numbered(e.ID, defaultID(strings.ToLower(e.Method), e.Route)) {
		return
	}
	e.node.Set("operationId", tree.String(e.ID))
	e.Node.Set("operationId", tree.String(e.ID))
}

// numbered reports whether a name is the base, or the base with a number.
func numbered(name, base string) bool {
	rest, ok := strings.CutPrefix(name, base)
	return ok && strings.Trim(rest, "0123456789") == ""
}

func placed(list []*entry) []Placed {
	return lists.Map(list, func(e *entry) Placed { return e.Placed })
}
