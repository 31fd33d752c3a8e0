package catalogue

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"heliograph/app/content"
	"heliograph/app/spec"
	"heliograph/db"
	"heliograph/db/models"
	"heliograph/db/queries"
)

// Snapshot is everything that is published at one moment.
type Snapshot struct {
	Products []*Product // in their order
	key      string     // of the releases within
}

// Product is a published product.
type Product struct {
	content.Product
	Slug     string
	Versions []*Version // latest first
	Guides   []*Guide   // in reading order
	release  int64
}

// Guide is a published guide page.
type Guide struct {
	content.Guide
	Slug        string
	PublishedAt time.Time // when its text went public
}

// Version is a released version with its compiled description.
type Version struct {
	content.Version
	Slug        string
	Number      int // of the release, counting from one
	PublishedAt time.Time
	API         *spec.API
	Faults      map[string]spec.Fault // what its introduction says of error codes
	endpoints   []*spec.Endpoint      // in reading order
	operations  []*spec.Endpoint      // the endpoints, then the callbacks
	twins       map[string]*spec.Endpoint
	release     int64
}

// Product returns the product with the slug; nil when none is published.
func (s *Snapshot) Product(slug string) *Product {
	i := slices.IndexFunc(s.Products, func(p *Product) bool { return p.Slug == slug })
	if i < 0 {
		return nil
	}
	return s.Products[i]
}

// Version returns the version with the slug; nil when none is published.
func (p *Product) Version(slug string) *Version {
	i := slices.IndexFunc(p.Versions, func(v *Version) bool { return v.Slug == slug })
	if i < 0 {
		return nil
	}
	return p.Versions[i]
}

// Latest is the version to read first: the newest that is Current, else the
// newest; nil for a product without documentation.
func (p *Product) Latest() *Version {
	for _, v := range p.Versions {
		if v.Label == content.Current {
			return v
		}
	}
	if len(p.Versions) == 0 {
		return nil
	}
	return p.Versions[0]
}

// Endpoints returns the endpoints in reading order.
func (v *Version) Endpoints() []*spec.Endpoint { return v.endpoints }

// Operations returns the endpoints and after them the callbacks, each of which
// has a page.
func (v *Version) Operations() []*spec.Endpoint { return v.operations }

// Groups returns the categories of all operations in the same order.
func (v *Version) Groups() []*spec.Category { return slices.Concat(v.API.Categories, v.API.Callbacks) }

// Endpoint returns the endpoint or callback with the slug and its neighbours in
// reading order; all nil when there is none.
func (v *Version) Endpoint(slug string) (previous, found, next *spec.Endpoint) {
	i := slices.IndexFunc(v.operations, func(e *spec.Endpoint) bool { return e.Slug == slug })
	if i < 0 {
		return nil, nil, nil
	}
	if i > 0 {
		previous = v.operations[i-1]
	}
	if i+1 < len(v.operations) {
		next = v.operations[i+1]
	}
	return previous, v.operations[i], next
}

// load makes the snapshot of now, taking over from the old one what was not
// released anew; nothing new gives the old one itself.
func load(ctx context.Context, q db.Querier, old *Snapshot) (*Snapshot, error) {
	scopes, err := queries.ScopeList(ctx, q)
	if err != nil {
		return nil, err
	}
	latest, err := queries.ReleaseListLatest(ctx, q)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{key: keyOf(scopes, latest)}
	if s.key == old.key {
		return old, nil
	}
	products := map[int64]*Product{}
	for _, scope := range scopes {
		if scope.Kind != "product" || latest[scope.ID].ID == 0 {
			continue
		}
		p, err := loadProduct(ctx, q, scope, latest[scope.ID])
		if err != nil {
			return nil, err
		}
		products[scope.ID] = p
		s.Products = append(s.Products, p)
	}
	for _, scope := range scopes {
		p := products[scope.ParentID]
		if scope.Kind != "version" || p == nil || latest[scope.ID].ID == 0 {
			continue
		}
		v, err := loadVersion(ctx, q, scope, latest[scope.ID], old.Product(p.Slug))
		if err != nil {
			return nil, err
		}
		p.Versions = append(p.Versions, v)
	}
	slices.SortStableFunc(s.Products, func(a, b *Product) int { return a.Order - b.Order })
	for _, p := range s.Products {
		slices.SortStableFunc(p.Versions, func(a, b *Version) int { return content.CompareVersions(b.Slug, a.Slug) })
	}
	return s, nil
}

// keyOf changes whenever another set of releases is public.
func keyOf(scopes []models.Item, latest map[int64]models.Release) string {
	var b strings.Builder
	for _, scope := range scopes {
		fmt.Fprintf(&b, "%d:%d ", scope.ID, latest[scope.ID].ID)
	}
	return b.String()
}

func loadProduct(ctx context.Context, q db.Querier, scope models.Item, release models.Release) (*Product, error) {
	items, err := queries.ReleaseItemList(ctx, q, release.ID)
	if err != nil {
		return nil, err
	}
	since, err := queries.ReleaseItemSince(ctx, q, release.ID)
	if err != nil {
		return nil, err
	}
	p := &Product{Slug: scope.Slug, release: release.ID}
	for _, item := range items {
		switch item.Kind {
		case "product":
			err = json.Unmarshal(item.Content, &p.Product)
		case "guide":
			g := &Guide{Slug: item.Slug, PublishedAt: since[item.ID]}
			err = json.Unmarshal(item.Content, &g.Guide)
			p.Guides = append(p.Guides, g)
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s %s: %w", item.Kind, item.Slug, err)
		}
	}
	slices.SortStableFunc(p.Guides, func(a, b *Guide) int { return a.Order - b.Order })
	return p, nil
}

func loadVersion(ctx context.Context, q db.Querier, scope models.Item, release models.Release, before *Product) (*Version, error) {
	if before != nil {
		if v := before.Version(scope.Slug); v != nil && v.release == release.ID {
			return v, nil
		}
	}
	items, err := queries.ReleaseItemList(ctx, q, release.ID)
	if err != nil {
		return nil, err
	}
	content, parts, err := Assemble(items)
	if err != nil {
		return nil, err
	}
	v := &Version{Version: content, Slug: scope.Slug, Number: release.Number, PublishedAt: release.PublishedAt, release: release.ID}
	if v.API, err = spec.Compile(parts); err != nil {
		return nil, fmt.Errorf("compiling version %s: %w", scope.Slug, err)
	}
	for _, category := range v.Groups() {
		v.operations = append(v.operations, category.Endpoints...)
	}
	callback := slices.IndexFunc(v.operations, func(e *spec.Endpoint) bool { return e.Callback })
	if callback < 0 {
		callback = len(v.operations)
	}
	v.endpoints = v.operations[:callback:callback]
	v.Faults = spec.Faults(content.Description)
	v.twins = twins(v.operations)
	return v, nil
}
