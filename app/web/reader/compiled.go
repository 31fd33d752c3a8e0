package reader

import (
	"context"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader"
)

// compiledOperation is a compiled operation with its entry of the index.
type compiledOperation struct {
	*model.Endpoint
	op     *published.Operation
	past   past
	recent []views.RecentChange
}

func (at place) compile(ctx context.Context, op *published.Operation) (compiledOperation, error) {
	e, err := at.version.Endpoint(ctx, op)
	if err != nil {
		return compiledOperation{}, err
	}
	return compiledOperation{e, op, pastOf(ctx, at, op), at.recent(ctx, op)}, nil
}

// namedSchema is a schema with the operations that use it.
type namedSchema struct {
	*model.Schema
	users   []listing
	example string // indented JSON, from the examples of the users; may be empty
}

// shownExample returns the example of the operations that use the schema. Without
// one it is made up from the examples of its members, unless these lack values.
func (s namedSchema) shownExample() string {
	return reference.SchemaExample(s.Schema, s.example)
}

func (at place) namedSchema(ctx context.Context, name string) (named namedSchema, err error) {
	if named.Schema, err = at.version.Schema(ctx, name); err != nil {
		return named, err
	}
	users, err := at.version.Users(ctx, name)
	if err != nil {
		return named, err
	}
	o, err := at.purposes(ctx, users)
	if err != nil {
		return named, err
	}
	named.users = o.list(users)
	named.example, err = at.version.SchemaExample(ctx, name, users)
	return named, err
}

// listing is an operation with the first sentences of its purpose, for lists.
type listing struct {
	*published.Operation
	purpose string // Markdown
}

// overview holds what the page of a version needs beyond the index.
type overview struct {
	purposes map[*published.Operation]string
	auth     [][]model.AuthScheme
}

func (at place) overview(ctx context.Context) (overview, error) {
	o, err := at.purposes(ctx, at.version.Operations())
	if err == nil {
		o.auth, err = at.version.Auth(ctx)
	}
	return o, err
}

// purposes returns an overview with the purposes of operations only.
func (at place) purposes(ctx context.Context, ops []*published.Operation) (overview, error) {
	list, err := at.version.Purposes(ctx, ops)
	o := overview{purposes: map[*published.Operation]string{}}
	for i, purpose := range list {
		o.purposes[ops[i]] = purpose
	}
	return o, err
}

// list adds the purposes to operations.
func (o overview) list(ops []*published.Operation) []listing {
	list := make([]listing, len(ops))
	for i, op := range ops {
		list[i] = listing{op, o.purposes[op]}
	}
	return list
}
