package published

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/fault"
	"heliograph/db/models"
)

// Version is the index of a released version. Its Frame is empty. Methods read
// and compile parts when they are needed.
type Version struct {
	content.Version
	Slug        string
	Number      int // of the release, counting from one
	PublishedAt time.Time
	Servers     []model.Server
	Faults      map[string]model.Fault // what its introduction says of error codes
	Categories  []*Category            // of endpoints, in reading order
	Callbacks   []*Category            // of callbacks, likewise
	Schemas     []string               // names of the schemas that have a page, sorted

	id         int64
	release    int64
	baseURL    string          // of the product; see at
	contract   json.RawMessage // the servers of the API description
	base       *base
	shelf      *shelf
	operations []*Operation // endpoints, then callbacks, in reading order
	endpoints  int          // how many of the operations are endpoints
	bySlug     map[string]int
	heads      []openapi.Operation // of the endpoints, in the order of the document
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

// base identifies what the operations of a version are compiled with: the items
// of its frame. Releases that share these revisions share the base.
type base struct {
	items []models.PublishedItem
	whole bool // operations refer to each other, so that they are part of it
}

// ReleaseID returns the id of the release that the version is of.
func (v *Version) ReleaseID() int64 { return v.release }

// Endpoints returns the endpoints in reading order.
func (v *Version) Endpoints() []*Operation { return v.operations[:v.endpoints] }

// Operations returns the endpoints, then the callbacks. Each has a page.
func (v *Version) Operations() []*Operation { return v.operations }

// Groups returns the categories of endpoints, then of callbacks.
func (v *Version) Groups() []*Category { return slices.Concat(v.Categories, v.Callbacks) }

// Operation returns the endpoint or callback with the slug, nil when there is
// none.
func (v *Version) Operation(slug string) *Operation {
	if i, ok := v.bySlug[slug]; ok {
		return v.operations[i]
	}
	return nil
}

// Neighbours returns the operations before and after another one in reading
// order, nil at the ends.
func (v *Version) Neighbours(op *Operation) (previous, next *Operation) {
	i := v.bySlug[op.Slug]
	if i > 0 {
		previous = v.operations[i-1]
	}
	if i+1 < len(v.operations) {
		next = v.operations[i+1]
	}
	return previous, next
}

// ServersOf lists the servers of an operation, as [model.Endpoint] has them.
func (v *Version) ServersOf(op *Operation) []model.Server {
	switch {
	case op.Callback:
		return nil
	case len(op.servers) > 0:
		return op.servers
	}
	return v.Servers
}

// HasSchema reports whether a named schema has a page.
func (v *Version) HasSchema(name string) bool {
	_, found := slices.BinarySearch(v.Schemas, name)
	return found
}

// Endpoint compiles an operation of the version. The first caller compiles it,
// and concurrent callers wait. [IsBroken] holds of the error when it cannot be
// compiled.
func (v *Version) Endpoint(ctx context.Context, op *Operation) (*model.Endpoint, error) {
	e, err := compiled(ctx, v, op.key(v.base), op.Slug, func(ctx context.Context) (*model.Endpoint, int, error) {
		f, err := v.frame(ctx)
		if err != nil {
			return nil, 0, err
		}
		if op.Callback {
			e, err := f.Callback(op.Slug, v.heads)
			if err != nil {
				return nil, 0, err
			}
			return e, e.Size(0), nil
		}
		raw, err := v.shelf.content(ctx, op.revision)
		if err != nil {
			return nil, 0, err
		}
		operation, err := readOperation(op.Slug, raw)
		if err != nil {
			return nil, 0, err
		}
		e, err := f.Endpoint(operation)
		if err != nil {
			return nil, 0, err
		}
		v.shelf.drop(contentKey(op.revision))
		return e, e.Size(len(raw)), nil
	})
	if err != nil || v.baseURL == "" || op.Callback {
		return e, err
	}
	moved := *e // shared with releases of another base URL
	moved.Servers = v.ServersOf(op)
	return &moved, nil
}

// Schema compiles a named schema, without its list of endpoints: Users returns
// that.
func (v *Version) Schema(ctx context.Context, name string) (*model.Schema, error) {
	if !v.HasSchema(name) {
		return nil, fault.New(fault.NotFound, "The version has no schema %s.", name)
	}
	return compiled(ctx, v, schemaKey{v.base, name}, "schemas/"+name, func(ctx context.Context) (*model.Schema, int, error) {
		f, err := v.frame(ctx)
		if err != nil {
			return nil, 0, err
		}
		s, err := f.Schema(name)
		if err != nil {
			return nil, 0, err
		}
		return s, s.Size(), nil
	})
}

// mostExampleUsers is how many operations are compiled to find an example.
const mostExampleUsers = 12

// SchemaExample returns an example of a named schema, as indented JSON: a part of
// the examples of operations that use it. It returns "" where they have none.
func (v *Version) SchemaExample(ctx context.Context, name string, users []*Operation) (string, error) {
	for _, op := range users[:min(len(users), mostExampleUsers)] {
		e, err := v.Endpoint(ctx, op)
		if IsBroken(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		if part := e.ExampleOf(name); part != nil {
			return part.Pretty(), nil
		}
	}
	return "", nil
}

// Users lists the operations that use a named schema, in the order of the
// document.
func (v *Version) Users(ctx context.Context, name string) ([]*Operation, error) {
	f, err := v.frame(ctx)
	if err != nil {
		return nil, err
	}
	leads := map[string]bool{} // which references lead to the schema
	var users []*Operation
	for _, op := range v.operations {
		if slices.ContainsFunc(op.refs, func(ref string) bool {
			to, known := leads[ref]
			if !known {
				to = slices.Contains(f.Schemas([]string{ref}), name)
				leads[ref] = to
			}
			return to
		}) {
			users = append(users, op)
		}
	}
	slices.SortStableFunc(users, func(a, b *Operation) int { return a.order - b.order })
	return users, nil
}

// Auth lists the ways to authenticate of all endpoints, as in [model.Endpoint],
// in reading order. It is nil where no endpoint says anything of credentials.
func (v *Version) Auth(ctx context.Context) ([][]model.AuthScheme, error) {
	f, err := v.frame(ctx)
	if err != nil {
		return nil, err
	}
	var list [][]model.AuthScheme
	seen := map[string]bool{}
	for _, op := range v.Endpoints() {
		if seen[op.security] {
			continue
		}
		seen[op.security] = true
		alternatives, err := f.Auth(json.RawMessage(op.security))
		if err != nil {
			return nil, v.broken(ctx, op.Slug, err)
		}
		if alternatives != nil && list == nil {
			list = [][]model.AuthScheme{}
		}
		list = append(list, alternatives...)
	}
	return list, nil
}

// AuthOf lists the ways to authenticate of an endpoint, as in [model.Endpoint].
func (v *Version) AuthOf(ctx context.Context, op *Operation) ([][]model.AuthScheme, error) {
	f, err := v.frame(ctx)
	if err != nil {
		return nil, err
	}
	alternatives, err := f.Auth(json.RawMessage(op.security))
	if err != nil {
		return nil, v.broken(ctx, op.Slug, err)
	}
	return alternatives, nil
}

// Purposes returns the first 1,000 characters of the purpose of each operation,
// or all of it, in Markdown.
func (v *Version) Purposes(ctx context.Context, ops []*Operation) ([]string, error) {
	purposes := make([]string, len(ops))
	missing := map[int64]int{}
	var revisions []int64
	for i, op := range ops {
		if op.revision == 0 {
			purposes[i] = op.purpose
		} else if held, ok := v.shelf.purpose(v.base, op); ok {
			purposes[i] = held
		} else {
			missing[op.revision] = i
			revisions = append(revisions, op.revision)
		}
	}
	outlines, err := v.shelf.outlines(ctx, revisions)
	for revision, o := range outlines {
		purposes[missing[revision]] = o.Purpose
	}
	return purposes, err
}

// Twin returns the operation of the version that corresponds to one of another
// version, nil when there is none. Operations correspond by operationId, else
// by method and path, else by slug. The operation may be nil.
func (v *Version) Twin(op *Operation) *Operation {
	if op == nil {
		return nil
	}
	if i, ok := v.bySlug[op.Slug]; ok && v.operations[i] == op {
		return op
	}
	byName := v.matches()
	for _, name := range twinNames(op) {
		if twin := byName[name]; twin != nil {
			return twin
		}
	}
	return nil
}

// newMatches returns a function that maps the twinNames of operations, built at
// its first use.
func (v *Version) newMatches() func() map[string]*Operation {
	return sync.OnceValue(func() map[string]*Operation { return twins(v.operations) })
}
