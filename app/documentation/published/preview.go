package published

import (
	"context"
	"fmt"
	"slices"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// Preview returns what would be published if changes were. It is for those who
// write and review; nothing of it goes into the snapshot that readers get.
func (d *Documentation) Preview(ctx context.Context, changes []models.Change) (*Snapshot, error) {
	owner := int64(0)
	for _, change := range changes {
		owner = max(owner, change.Item.PracticeOf)
	}
	return d.preview(ctx, changes, owner)
}

// Practice returns what is published, and with it the practice product of an
// administrator, which no other snapshot has.
func (d *Documentation) Practice(ctx context.Context, adminUserID int64) (*Snapshot, error) {
	return d.preview(ctx, nil, adminUserID)
}

func (d *Documentation) preview(ctx context.Context, changes []models.Change, practiceOf int64) (*Snapshot, error) {
	old := d.Snapshot()
	l := &loading{shelf: d.shelf, old: old, before: newBefore(old)}
	var err error
	if l.scopes, err = queries.PublishedScopeList(ctx, d.db, practiceOf); err != nil {
		return nil, fmt.Errorf("listing what is published: %w", err)
	}
	p := preview{changes: changes, from: map[int64]int64{}}
	l.scopes = p.scopes(l.scopes)
	l.now = &Snapshot{Stamp: stamps.Add(1), Pictures: old.Pictures, bySlug: map[string]*Product{}, releases: map[int64]int64{}, indexed: map[int64]int64{}}
	var changed []int64
	for _, scope := range l.scopes {
		if old, touched := p.from[scope.ReleaseID]; touched {
			changed = append(changed, old)
		} else if l.old.indexed[scope.ID] != scope.ReleaseID {
			changed = append(changed, scope.ReleaseID)
		}
	}
	l.edit = p.items
	if err := l.read(ctx, d.db, changed); err != nil {
		return nil, fmt.Errorf("reading a preview: %w", err)
	}
	if err := l.products(ctx); err != nil {
		return nil, fmt.Errorf("making a preview: %w", err)
	}
	return l.now, nil
}

// preview is a load with changes on top.
type preview struct {
	changes []models.Change
	from    map[int64]int64 // the release that a made-up one continues, zero for none
}

// scopes gives the scopes that change a release that does not exist: its id is
// below zero. Products and versions that are archived go, new ones come.
func (p *preview) scopes(published []models.PublishedScope) (list []models.PublishedScope) {
	touched := map[int64]bool{}
	for _, c := range p.changes {
		for _, id := range []int64{c.Item.ID, c.Item.ParentID, c.ParentID} {
			touched[id] = true
		}
	}
	known := map[int64]bool{}
	for _, scope := range published {
		known[scope.ID] = true
		c, is := p.change(scope.ID)
		if is && c.Action == "archive" {
			continue
		}
		if is && c.Action == "move" {
			scope.Slug = c.Slug
		}
		if touched[scope.ID] {
			p.from[-scope.ID] = scope.ReleaseID
			scope.ReleaseID = -scope.ID
		}
		list = append(list, scope)
	}
	for _, c := range p.changes {
		if i := c.Item; !known[i.ID] && c.Action != "archive" && (i.Kind == content.KindProduct || i.Kind == content.KindVersion) {
			p.from[-i.ID] = 0
			list = append(list, models.PublishedScope{ID: i.ID, Kind: i.Kind, ParentID: i.ParentID, Slug: slugAfter(c), ReleaseID: -i.ID, Number: 1, PublishedAt: time.Now()})
		}
	}
	return list
}

func (p *preview) change(itemID int64) (models.Change, bool) {
	i := slices.IndexFunc(p.changes, func(c models.Change) bool { return c.Item.ID == itemID })
	if i < 0 {
		return models.Change{}, false
	}
	return p.changes[i], true
}

func slugAfter(c models.Change) string {
	if c.Action == "move" {
		return c.Slug
	}
	return c.Item.Slug
}

// items puts the changes in place of what the releases consist of.
func (p *preview) items(l *loading) {
	for made, release := range p.from {
		var items []models.PublishedItem
		for _, item := range l.items[release] {
			if _, is := p.change(item.ID); !is {
				items = append(items, item)
			}
		}
		for _, c := range p.changes {
			if c.Action == "archive" || p.scopeOf(c) != -made {
				continue
			}
			items = append(items, models.PublishedItem{Kind: c.Item.Kind, Slug: slugAfter(c), ID: c.Item.ID, RevisionID: c.RevisionID})
			if _, known := l.since[c.RevisionID]; !known {
				l.since[c.RevisionID] = time.Now()
			}
		}
		slices.SortFunc(items, func(a, b models.PublishedItem) int { return int(a.ID - b.ID) })
		l.items[made] = items
	}
}

// scopeOf returns the product or version that an item is released with.
func (p *preview) scopeOf(c models.Change) int64 {
	switch {
	case c.Item.Kind == content.KindProduct || c.Item.Kind == content.KindVersion:
		return c.Item.ID
	case c.ParentID != 0:
		return c.ParentID
	}
	return c.Item.ParentID
}
