package published

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// unreadError is an error of the database. Retrying may help.
type unreadError struct{ err error }

func (e *unreadError) Error() string { return "reading published documentation: " + e.err.Error() }

func (e *unreadError) Unwrap() error { return e.err }

func isUnread(err error) bool {
	var u *unreadError
	return errors.As(err, &u)
}

// contents reads the content of revisions.
func (s *shelf) contents(ctx context.Context, revisions []int64) (map[int64]json.RawMessage, error) {
	if len(revisions) == 0 {
		return nil, nil
	}
	contents, err := queries.RevisionContentList(ctx, s.db, revisions)
	if err != nil {
		return nil, &unreadError{err}
	}
	for revision, raw := range contents {
		contents[revision] = openapi.At(s.url, raw)
	}
	return contents, nil
}

// content returns the content of an endpoint's revision.
func (s *shelf) content(ctx context.Context, revision int64) (json.RawMessage, error) {
	if held, ok := s.peek(contentKey(revision)).(json.RawMessage); ok {
		return held, nil
	}
	contents, err := s.contents(ctx, []int64{revision})
	return contents[revision], err
}

// readOperation reads the content of an endpoint.
func readOperation(slug string, raw json.RawMessage) (openapi.Operation, error) {
	var e content.Endpoint
	if err := json.Unmarshal(raw, &e); err != nil {
		return openapi.Operation{}, fmt.Errorf("reading endpoint %s: %w", slug, err)
	}
	return openapi.Operation{
		ID: e.OperationID, Slug: slug, Name: e.Name, Category: e.Category,
		Method: e.Method, Path: e.Path, Purpose: e.Purpose, Raw: e.Raw,
	}, nil
}

// purpose returns the purpose of an operation if its content or its compiled
// form is in memory.
func (s *shelf) purpose(b *base, op *Operation) (string, bool) {
	if e, ok := s.peek(op.key(b)).(*model.Endpoint); ok {
		return e.Purpose, true
	}
	if raw, ok := s.peek(contentKey(op.revision)).(json.RawMessage); ok {
		operation, err := readOperation(op.Slug, raw)
		return operation.Purpose, err == nil
	}
	return "", false
}

// frame holds what the operations of a base are compiled with, and the content
// of its version.
type frame struct {
	*model.Frame
	version content.Version // without its Frame
	servers json.RawMessage // of its Frame
}

// Assemble collects the API description of a released version from its items:
// the content of the version, and the parts in their order. Earlier releases
// have schemas, callbacks and categories in their frame.
func Assemble(items []models.LiveItem) (v content.Version, p openapi.Parts, err error) {
	order := map[string]int{} // of operations and schemas, by kind and slug
	for _, item := range items {
		switch item.Kind {
		case content.KindVersion:
			err = json.Unmarshal(item.Content, &v)
			p.Frame = v.Frame
		case content.KindEndpoint, content.KindCallback:
			var e content.Endpoint
			err = json.Unmarshal(item.Content, &e)
			order[item.Slug] = e.Order
			o := openapi.Operation{ID: e.OperationID, Slug: item.Slug, Name: e.Name, Category: e.Category, Method: e.Method, Path: e.Path, Purpose: e.Purpose, Raw: e.Raw}
			if item.Kind == content.KindEndpoint {
				p.Operations = append(p.Operations, o)
			} else {
				p.Callbacks = append(p.Callbacks, o)
			}
		case content.KindSchema:
			var s content.Schema
			err = json.Unmarshal(item.Content, &s)
			order[item.Kind+" "+item.Slug] = s.Order
			p.Schemas = append(p.Schemas, openapi.Schema{Name: s.Name, Slug: item.Slug, Raw: s.Raw})
		case content.KindCategory:
			var c content.Category
			err = json.Unmarshal(item.Content, &c)
			order[item.Kind+" "+item.Slug] = c.Order
			p.Categories = append(p.Categories, openapi.Tag{Name: c.Name, Slug: item.Slug, Description: c.Description, Raw: c.Raw})
		}
		if err != nil {
			return v, p, fmt.Errorf("reading %s %s: %w", item.Kind, item.Slug, err)
		}
	}
	operations := func(a, b openapi.Operation) int { return order[a.Slug] - order[b.Slug] }
	slices.SortStableFunc(p.Operations, operations)
	slices.SortStableFunc(p.Callbacks, operations)
	slices.SortStableFunc(p.Schemas, func(a, b openapi.Schema) int {
		return order[content.KindSchema+" "+a.Slug] - order[content.KindSchema+" "+b.Slug]
	})
	slices.SortStableFunc(p.Categories, func(a, b openapi.Tag) int {
		return order[content.KindCategory+" "+a.Slug] - order[content.KindCategory+" "+b.Slug]
	})
	return v, p, nil
}

// readFrame makes the frame of a base. It reads the revisions that are not
// among the contents.
func (s *shelf) readFrame(ctx context.Context, b *base, contents map[int64]json.RawMessage) (*frame, int, error) {
	var missing []int64
	for _, item := range b.items {
		if contents[item.RevisionID] == nil {
			missing = append(missing, item.RevisionID)
		}
	}
	read, err := s.contents(ctx, missing)
	if err != nil {
		return nil, 0, err
	}
	items := make([]models.LiveItem, len(b.items))
	for i, item := range b.items {
		items[i] = models.LiveItem{ID: item.ID, Kind: item.Kind, Slug: item.Slug, Content: contents[item.RevisionID]}
		if items[i].Content == nil {
			items[i].Content = read[item.RevisionID]
		}
	}
	version, parts, err := Assemble(items)
	if err != nil {
		return nil, 0, err
	}
	opened, err := model.OpenFrame(parts)
	if err != nil {
		return nil, 0, err
	}
	servers := serversOf(version.Frame)
	version.Frame = nil
	return &frame{opened, version, servers}, opened.Size() + len(servers), nil
}

// frame returns the frame of the version.
func (v *Version) frame(ctx context.Context) (*frame, error) {
	return compiled(ctx, v, frameKey{v.base}, "", func(ctx context.Context) (*frame, int, error) {
		return v.shelf.readFrame(ctx, v.base, nil)
	})
}

// outline is the part of an endpoint's content that the index needs.
type outline struct {
	OperationID string          `json:"operation_id"`
	Name        string          `json:"name"`
	Category    string          `json:"category"`
	Method      string          `json:"method"`
	Path        string          `json:"path"`
	Order       int             `json:"order"`
	Purpose     string          `json:"purpose"` // its beginning
	Deprecated  json.RawMessage `json:"deprecated"`
	Security    json.RawMessage `json:"security"`
	Servers     json.RawMessage `json:"servers"`
	Refs        []string        `json:"refs"`
	Size        int             `json:"size"` // of the content, in bytes
}

// outlines reads the outlines of revisions. A revision without one is missing
// in the result.
func (s *shelf) outlines(ctx context.Context, revisions []int64) (map[int64]outline, error) {
	if len(revisions) == 0 {
		return nil, nil
	}
	raw, err := queries.RevisionOutlineList(ctx, s.db, revisions)
	if err != nil {
		return nil, &unreadError{err}
	}
	outlines := make(map[int64]outline, len(raw))
	for revision, text := range raw {
		var o outline
		if json.Unmarshal(text, &o) == nil {
			o.Purpose = strings.ReplaceAll(o.Purpose, openapi.ExampleURL, cmp.Or(s.url, openapi.ExampleURL))
			outlines[revision] = o
		}
	}
	return outlines, nil
}

// readAhead reads the content of endpoints of new versions within a quarter of
// the budget, latest versions first. So the pages of an ordinary installation
// are available while the database is down.
func (s *shelf) readAhead(ctx context.Context, old, now *Snapshot) error {
	left := s.budget / 4
	var revisions []int64
	add := func(v *Version) {
		for _, op := range v.Endpoints() {
			if left -= op.size; left < 0 {
				return
			}
			if s.peek(contentKey(op.revision)) == nil && s.peek(op.key(v.base)) == nil {
				revisions = append(revisions, op.revision)
			}
		}
	}
	for _, latest := range []bool{true, false} {
		for _, p := range now.Products {
			for _, v := range p.Versions {
				if (v == p.Latest()) == latest && old.releases[v.id] != v.release {
					add(v)
				}
			}
		}
	}
	contents, err := s.contents(ctx, revisions)
	for revision, raw := range contents {
		s.put(contentKey(revision), raw, len(raw))
	}
	return err
}
