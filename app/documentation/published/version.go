package published

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/fault"
	"heliograph/db/models"
)

// Version is a released version: its index, and methods that read and compile parts
// when they are needed. Its Frame is empty.
type Version struct {
	content.Version
	index
	Slug        string
	Number      int // of the release, counting from one
	PublishedAt time.Time
	Faults      map[string]model.Fault // what its introduction says of error codes

	id       int64
	release  int64
	baseURL  string          // of the product; see at
	contract json.RawMessage // the servers of the API description
	base     *base
	shelf    *shelf
}

// base identifies what the operations of a version are compiled with: the items
// of its frame. Releases that share these revisions share the base.
type base struct {
	items []models.PublishedItem
	whole bool // operations refer to each other, so that they are part of it
}

// ReleaseID returns the id of the release that the version is of.
func (v *Version) ReleaseID() int64 { return v.release }

// compiled returns a part of a version and makes it if it is missing. Errors
// and panics are recorded under the name of the part.
func compiled[T any](ctx context.Context, v *Version, key any, name string, build func(context.Context) (T, int, error)) (T, error) {
	return get(ctx, v.shelf, key, func(ctx context.Context) (value T, size int, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("compiling it panicked: %v", r)
			}
			if err != nil && !isUnread(err) && !IsBroken(err) {
				err = v.broken(ctx, name, err)
			}
		}()
		return build(ctx)
	})
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
