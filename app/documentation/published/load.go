package published

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// stamps numbers the snapshots and products of the process.
var stamps atomic.Uint64

// loading is one load of a snapshot. It reads new releases with few statements,
// each for all of them. The contents of a release never change, so the result
// is consistent with the first statement.
type loading struct {
	shelf    *shelf
	old, now *Snapshot
	before   before
	scopes   []models.PublishedScope
	items    map[int64][]models.PublishedItem // by release, of those that changed
	since    map[int64]time.Time              // by revision of a guide
	contents map[int64]json.RawMessage        // by revision: products, guides, frames
	outlines map[int64]outline                // by revision of an endpoint
	edit     func(*loading)                   // changes the items before they are read; may be nil
}

// before finds the parts of the old snapshot by their items and revisions, since
// items move.
type before struct {
	products   map[int64]*Product
	versions   map[int64]*Version
	operations map[int64]*Operation // by revision
	revisions  map[int64]bool       // of versions
}

func newBefore(old *Snapshot) before {
	b := before{map[int64]*Product{}, map[int64]*Version{}, map[int64]*Operation{}, map[int64]bool{}}
	for _, p := range old.Products {
		b.products[p.id] = p
		for _, v := range p.Versions {
			b.versions[v.id] = v
			for _, op := range v.Endpoints() {
				b.operations[op.revision] = op
				b.revisions[op.revision] = true
			}
			for _, item := range v.base.items {
				b.revisions[item.RevisionID] = true
			}
		}
	}
	return b
}

// load returns the current snapshot. It reuses the unchanged parts of the old
// one, and returns the old one if nothing was released.
func load(ctx context.Context, q db.Querier, s *shelf, old *Snapshot) (*Snapshot, error) {
	l := &loading{shelf: s, old: old}
	var err error
	if l.scopes, err = queries.PublishedScopeList(ctx, q, 0); err != nil {
		return nil, err
	}
	var changed []int64
	releases := map[int64]int64{}
	for _, scope := range l.scopes {
		releases[scope.ID] = scope.ReleaseID
		if old.indexed[scope.ID] != scope.ReleaseID {
			changed = append(changed, scope.ReleaseID)
		}
	}
	if old.releases != nil && maps.Equal(releases, old.releases) {
		return old, nil
	}
	l.before = newBefore(old)
	l.now = &Snapshot{Stamp: stamps.Add(1), bySlug: map[string]*Product{}, releases: releases, indexed: map[int64]int64{}}
	redirects, err := queries.PublishedRedirectList(ctx, q)
	if err != nil {
		return nil, err
	}
	l.now.redirects = newRedirects(redirects)
	if err := l.read(ctx, q, changed); err != nil {
		return nil, err
	}
	if err := l.products(ctx); err != nil {
		return nil, err
	}
	return l.now, nil
}

// read reads the parts of changed releases that the old snapshot does not have.
func (l *loading) read(ctx context.Context, q db.Querier, changed []int64) (err error) {
	if l.items, err = queries.PublishedItemList(ctx, q, changed); err != nil {
		return err
	}
	if l.since, err = queries.PublishedSince(ctx, q, changed); err != nil {
		return err
	}
	if l.edit != nil {
		l.edit(l)
	}
	var contents, outlines []int64
	for _, items := range l.items {
		for _, item := range items {
			switch {
			case l.before.revisions[item.RevisionID]:
			case item.Kind == content.KindEndpoint:
				outlines = append(outlines, item.RevisionID)
			default:
				contents = append(contents, item.RevisionID)
			}
		}
	}
	if l.outlines, err = l.shelf.outlines(ctx, outlines); err != nil {
		return err
	}
	for _, revision := range outlines {
		if _, ok := l.outlines[revision]; !ok {
			contents = append(contents, revision)
		}
	}
	l.contents, err = l.shelf.contents(ctx, contents)
	return err
}

// products fills the snapshot.
func (l *loading) products(ctx context.Context) error {
	byID := map[int64]*Product{}
	for _, scope := range l.scopes {
		if scope.Kind != content.KindProduct {
			continue
		}
		l.now.indexed[scope.ID] = scope.ReleaseID
		p, err := l.product(scope)
		if err != nil {
			l.now.withheld = append(l.now.withheld, &Broken{scope.Slug, scope.Number, err, scope.ReleaseID})
			continue
		}
		byID[scope.ID] = p
		l.now.Products = append(l.now.Products, p)
	}
	if err := l.versions(ctx, byID); err != nil {
		return err
	}
	slices.SortStableFunc(l.now.Products, func(a, b *Product) int { return a.Order - b.Order })
	for i, p := range l.now.Products {
		slices.SortStableFunc(p.Versions, func(a, b *Version) int { return content.CompareVersions(b.Slug, a.Slug) })
		if before := l.before.products[p.id]; before != nil && before.equal(p) {
			p = before // so that its Stamp stays
			l.now.Products[i] = p
		}
		l.now.bySlug[p.Slug] = p
	}
	return nil
}

// equal reports whether nothing of a product was released between two loads.
func (p *Product) equal(other *Product) bool {
	return p.release == other.release && slices.Equal(p.Versions, other.Versions) &&
		slices.EqualFunc(p.withheld, other.withheld, func(a, b *Broken) bool { return a.release == b.release })
}

// product reads a product and its guides; its versions are added later.
func (l *loading) product(scope models.PublishedScope) (*Product, error) {
	p := &Product{Slug: scope.Slug, Stamp: stamps.Add(1), id: scope.ID, release: scope.ReleaseID}
	if b := l.old.Broken(scope.Slug); b != nil && b.release == scope.ReleaseID {
		return nil, b.Err
	}
	if before := l.before.products[scope.ID]; before != nil && before.release == scope.ReleaseID {
		p.Product, p.Guides = before.Product, before.Guides
		return p, nil
	}
	for _, item := range l.items[scope.ReleaseID] {
		var into any
		switch item.Kind {
		case content.KindProduct:
			into = &p.Product
		case content.KindGuide:
			g := &Guide{Slug: item.Slug, PublishedAt: l.since[item.RevisionID], id: item.ID}
			p.Guides = append(p.Guides, g)
			into = &g.Guide
		default: // of a later version of the program
			continue
		}
		if err := json.Unmarshal(l.contents[item.RevisionID], into); err != nil {
			return nil, fmt.Errorf("reading %s %s: %w", item.Kind, item.Slug, err)
		}
	}
	slices.SortStableFunc(p.Guides, func(a, b *Guide) int { return a.Order - b.Order })
	return p, nil
}

// versions adds versions to their products. Changed versions are indexed in
// parallel.
func (l *loading) versions(ctx context.Context, products map[int64]*Product) error {
	found := make([]*Version, len(l.scopes))
	failed := make([]error, len(l.scopes))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var running sync.WaitGroup
	for i, scope := range l.scopes {
		p := products[scope.ParentID]
		if scope.Kind != content.KindVersion || p == nil {
			continue
		}
		l.now.indexed[scope.ID] = scope.ReleaseID
		if found[i], failed[i] = l.unchanged(scope); found[i] != nil || failed[i] != nil {
			continue
		}
		running.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			found[i], failed[i] = l.version(ctx, scope)
		})
	}
	running.Wait()
	for i, scope := range l.scopes {
		p := products[scope.ParentID]
		switch {
		case isUnread(failed[i]):
			return failed[i]
		case failed[i] != nil:
			p.withheld = append(p.withheld, &Broken{scope.Slug, scope.Number, failed[i], scope.ReleaseID})
		case found[i] != nil:
			p.Versions = append(p.Versions, found[i].at(p.baseURL()))
		}
	}
	return nil
}

// unchanged returns the version of a scope, or the error that keeps it from
// being shown, if it was not released again.
func (l *loading) unchanged(scope models.PublishedScope) (*Version, error) {
	if v := l.before.versions[scope.ID]; v != nil && v.release == scope.ReleaseID {
		return v, nil
	}
	for _, p := range l.old.Products {
		if b := p.Broken(scope.Slug); b != nil && b.release == scope.ReleaseID {
			return nil, b.Err
		}
	}
	return nil, nil
}
