package published

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unique"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/db/models"
)

// version indexes a released version. It shares the parts that did not change
// with the release before.
func (l *loading) version(ctx context.Context, scope models.PublishedScope) (v *Version, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("indexing it panicked: %v", r)
		}
	}()
	before := l.before.versions[scope.ID]
	v = &Version{
		Slug: scope.Slug, Number: scope.Number, PublishedAt: scope.PublishedAt,
		id: scope.ID, release: scope.ReleaseID, shelf: l.shelf, index: index{serves: l.shelf.serves, bySlug: map[string]int{}},
	}
	v.matches, v.unserved = v.newMatches(), v.newUnserved()
	items := l.items[scope.ReleaseID]
	ops, err := l.operations(items)
	if err != nil {
		return nil, err
	}
	f, err := l.frame(ctx, v, items, ops, before)
	if err != nil {
		return nil, err
	}
	v.Version, v.contract = f.version, f.servers
	v.Faults = model.Faults(v.Description)
	v.arrange(f, ops)
	return v, nil
}

// operations lists the endpoints of a release in the order of the document.
func (l *loading) operations(items []models.PublishedItem) ([]*Operation, error) {
	var ops []*Operation
	for _, item := range items {
		if item.Kind != content.KindEndpoint {
			continue
		}
		if op := l.before.operations[item.RevisionID]; op != nil {
			if op.Slug != item.Slug {
				moved := *op
				moved.Slug = item.Slug
				op = &moved
			}
			ops = append(ops, op)
			continue
		}
		o, ok := l.outlines[item.RevisionID]
		if !ok {
			var err error
			if o, err = newOutline(item.Slug, l.contents[item.RevisionID]); err != nil {
				return nil, err
			}
		}
		ops = append(ops, newEndpoint(item, o))
	}
	slices.SortStableFunc(ops, func(a, b *Operation) int { return a.order - b.order })
	return ops, nil
}

// newOutline makes the outline of a content for which the database has none.
func newOutline(slug string, raw json.RawMessage) (o outline, err error) {
	op, err := readOperation(slug, raw)
	if err == nil {
		err = json.Unmarshal(raw, &o)
	}
	if err == nil {
		err = json.Unmarshal(op.Raw, &o) // its members deprecated, security and servers
	}
	if err == nil {
		o.Refs, err = model.References(op.Raw)
	}
	if err != nil {
		return o, fmt.Errorf("reading endpoint %s: %w", slug, err)
	}
	o.Size = len(raw)
	return o, nil
}

func newEndpoint(item models.PublishedItem, o outline) *Operation {
	op := &Operation{
		ID: o.OperationID, Slug: item.Slug, Name: o.Name, Category: shared(cmp.Or(o.Category, model.Untagged)), Method: shared(o.Method), Path: o.Path,
		Deprecated: string(o.Deprecated) == "true", order: o.Order, item: item.ID, revision: item.RevisionID, size: o.Size,
	}
	if string(o.Security) != "null" {
		op.security = shared(string(o.Security))
	}
	if len(o.Servers) > 0 {
		op.servers = model.ReadServers(o.Servers)
	}
	if len(o.Refs) > 0 {
		op.refs = make([]string, len(o.Refs))
		for i, ref := range o.Refs {
			op.refs[i] = shared(ref)
		}
	}
	return op
}

// shared returns a text that many operations have, so that it is stored once.
func shared(text string) string { return unique.Make(text).Value() }

// frame finds the base of a version and returns its frame. Releases of the same
// revisions share the base.
func (l *loading) frame(ctx context.Context, v *Version, items []models.PublishedItem, ops []*Operation, before *Version) (*frame, error) {
	b := &base{items: slices.DeleteFunc(slices.Clone(items), func(i models.PublishedItem) bool { return i.Kind == content.KindEndpoint })}
	if before != nil && before.base.whole {
		b.whole, b.items = true, items
	}
	v.base = b
	if before != nil && slices.Equal(before.base.items, b.items) {
		v.base = before.base
	}
	open := func() (*frame, error) {
		return compiled(ctx, v, frameKey{v.base}, "", func(ctx context.Context) (*frame, int, error) {
			return l.shelf.readFrame(ctx, v.base, l.contents)
		})
	}
	f, err := open()
	if err != nil || v.base.whole || !f.RefersToPaths(refsOf(ops)) {
		return f, err
	}
	v.base = &base{items: items, whole: true}
	return open()
}

// refsOf lists the references of operations, each once.
func refsOf(ops []*Operation) []string {
	refs := map[string]bool{}
	for _, op := range ops {
		for _, ref := range op.refs {
			refs[ref] = true
		}
	}
	return slices.Sorted(maps.Keys(refs))
}

// afterEndpoints is larger than the order of any endpoint, because callbacks
// come after endpoints.
const afterEndpoints = 1 << 40

// arrange puts endpoints and callbacks into the order of a page.
func (x *index) arrange(f *frame, ops []*Operation) {
	bySlug := map[string]*Operation{}
	for _, op := range ops {
		x.heads = append(x.heads, openapi.Operation{ID: op.ID, Slug: op.Slug, Name: op.Name, Category: op.Category, Method: op.Method, Path: op.Path})
		bySlug[op.Slug] = op
	}
	listed := f.Outline(x.heads)
	x.Servers = listed.Servers
	callbackRefs := f.CallbackRefs(x.heads)
	x.Categories = x.groups(listed.Categories, func(e *model.Endpoint) *Operation { return bySlug[e.Slug] })
	x.endpoints = len(x.operations)
	x.Callbacks = x.groups(listed.Callbacks, func(e *model.Endpoint) *Operation {
		return &Operation{
			ID: e.ID, Slug: e.Slug, Name: e.Name, Category: e.Category, Method: e.Method, Path: e.Path, Callback: true,
			Deprecated: e.Deprecated, order: afterEndpoints + len(x.operations), purpose: e.Purpose, refs: callbackRefs[e.Slug],
		}
	})
	x.Schemas = f.Frame.Schemas(refsOf(x.operations))
}

// groups adds the operations of categories to the index.
func (x *index) groups(categories []*model.Category, operation func(*model.Endpoint) *Operation) []*Category {
	list := make([]*Category, len(categories))
	for i, c := range categories {
		list[i] = &Category{Name: c.Name, Slug: c.Slug, Description: c.Description}
		for _, e := range c.Endpoints {
			op := operation(e)
			x.bySlug[op.Slug] = len(x.operations)
			x.operations = append(x.operations, op)
			list[i].Operations = append(list[i].Operations, op)
		}
	}
	return list
}
