package published

import (
	"slices"
	"sync"

	"heliograph/app/documentation/compare"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
)

// index holds what lists and addresses need of a version.
type index struct {
	Servers    []model.Server
	Categories []*Category // of endpoints, in reading order
	Callbacks  []*Category // of callbacks, likewise
	Schemas    []string    // names of the schemas that have a page, sorted

	operations []*Operation // endpoints, then callbacks, in reading order
	endpoints  int          // how many of the operations are endpoints
	bySlug     map[string]int
	heads      []openapi.Operation // of the endpoints, in the order of the document
	serves     func(method, path string) bool
	matches    func() map[string]*Operation
	unserved   func() map[*Operation]bool
}

// Category is a group of endpoints or of callbacks.
type Category struct {
	Name, Slug  string
	Description string // Markdown
	Operations  []*Operation
}

// Operation holds what lists and addresses need of an endpoint or a callback.
type Operation struct {
	ID, Slug, Name string
	Category       string // name of its Category
	Method, Path   string // as [model.Endpoint] has them
	Callback       bool
	Deprecated     bool

	order    int            // in the document
	item     int64          // zero for a callback
	revision int64          // zero for a callback that is part of the frame
	purpose  string         // of such a callback
	security string         // JSON, empty where the document's holds
	servers  []model.Server // its own
	refs     []string
	size     int // of its content, in bytes
}

// Endpoints returns the endpoints in reading order.
func (x *index) Endpoints() []*Operation { return x.operations[:x.endpoints] }

// Operations returns the endpoints, then the callbacks. Each has a page.
func (x *index) Operations() []*Operation { return x.operations }

// Groups returns the categories of endpoints, then of callbacks.
func (x *index) Groups() []*Category { return slices.Concat(x.Categories, x.Callbacks) }

// Operation returns the endpoint or callback with the slug, nil when there is
// none.
func (x *index) Operation(slug string) *Operation {
	if i, ok := x.bySlug[slug]; ok {
		return x.operations[i]
	}
	return nil
}

// Neighbours returns the operations before and after another one in reading
// order, nil at the ends.
func (x *index) Neighbours(op *Operation) (previous, next *Operation) {
	i := x.bySlug[op.Slug]
	if i > 0 {
		previous = x.operations[i-1]
	}
	if i+1 < len(x.operations) {
		next = x.operations[i+1]
	}
	return previous, next
}

// ServersOf lists the servers of an operation, as [model.Endpoint] has them.
func (x *index) ServersOf(op *Operation) []model.Server {
	switch {
	case op.Callback:
		return nil
	case len(op.servers) > 0:
		return op.servers
	}
	return x.Servers
}

// HasSchema reports whether a named schema has a page.
func (x *index) HasSchema(name string) bool {
	_, found := slices.BinarySearch(x.Schemas, name)
	return found
}

// Twin returns the operation of the version that corresponds to one of another
// version, nil when there is none. Operations correspond by operationId, else
// by method and path, else by slug. The operation may be nil.
func (x *index) Twin(op *Operation) *Operation {
	if op == nil {
		return nil
	}
	if i, ok := x.bySlug[op.Slug]; ok && x.operations[i] == op {
		return op
	}
	byName := x.matches()
	for _, name := range twinNames(op) {
		if twin := byName[name]; twin != nil {
			return twin
		}
	}
	return nil
}

// newMatches returns a function that maps the twinNames of operations, built at
// its first use.
func (x *index) newMatches() func() map[string]*Operation {
	return sync.OnceValue(func() map[string]*Operation { return twins(x.operations) })
}

// twinNames lists the names by which an operation is found in other versions,
// the surest first.
func twinNames(e *Operation) [3]string {
	return compare.Identity{ID: e.ID, Method: e.Method, Path: e.Path, Slug: e.Slug, Callback: e.Callback}.Names()
}

func twins(endpoints []*Operation) map[string]*Operation {
	byName := map[string]*Operation{}
	for _, e := range endpoints {
		for _, name := range twinNames(e) {
			if byName[name] == nil {
				byName[name] = e
			}
		}
	}
	return byName
}
