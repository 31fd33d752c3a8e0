package editorial

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial/checks"
	"heliograph/app/documentation/openapi/naming"
	"heliograph/db"
	"heliograph/db/models"
	queries "heliograph/db/queries/documentation"
)

// checkContext finds what the items of a change set are checked against: the
// documentation as it will be after the set, as far as that can be said now.
type checkContext struct {
	q       db.Querier
	set     models.ChangeSet
	changes map[int64]models.Change
	worlds  map[int64]*checks.World // by version, zero for items of the product
	pages   map[string]checks.Page
	slugs   map[int64]string
}

func newCheckContext(q db.Querier, set models.ChangeSet, changes []models.Change) *checkContext {
	s := &checkContext{
		q:       q,
		set:     set,
		changes: map[int64]models.Change{},
		worlds:  map[int64]*checks.World{},
		pages:   map[string]checks.Page{},
		slugs:   map[int64]string{},
	}
	for _, c := range changes {
		s.changes[c.Item.ID] = c
	}
	return s
}

// checksRevision changes when the checks find something else in the same content.
const checksRevision = 2

// basis returns a hash of all that the findings of an item depend on.
func basis(item checks.Item, w *checks.World, hash []byte) []byte {
	sum := sha256.New()
	fmt.Fprintln(sum, checksRevision, item.Path, fmt.Sprintf("%x", hash), w.Hash())
	for _, to := range checks.Links(item) {
		page := w.Pages[to]
		anchors := make([]string, 0, len(page.Anchors))
		for a := range page.Anchors {
			anchors = append(anchors, a)
		}
		slices.Sort(anchors)
		fmt.Fprintln(sum, to, page.Exists, anchors)
	}
	return sum.Sum(nil)
}

// of returns the item of a change with its world.
func (s *checkContext) of(ctx context.Context, c models.Change) (checks.Item, *checks.World, error) {
	item := checks.Item{ID: c.Item.ID, Kind: c.Item.Kind, Slug: slugAfter(c), Content: c.Content}
	version := int64(0)
	switch c.Item.Kind {
	case content.KindEndpoint, content.KindCallback, content.KindSchema, content.KindCategory:
		version = destination(c.Item, c.ParentID)
	}
	world, err := s.world(ctx, version)
	if err != nil {
		return item, nil, err
	}
	if item.Path, err = s.path(ctx, c, version); err != nil {
		return item, nil, err
	}
	for _, to := range checks.Links(item) {
		if _, known := s.pages[to]; !known {
			if s.pages[to], err = s.page(ctx, to); err != nil {
				return item, nil, fmt.Errorf("looking for %s: %w", to, err)
			}
		}
	}
	return item, world, nil
}

func slugAfter(c models.Change) string {
	if c.Action == actionMove {
		return c.Slug
	}
	return c.Item.Slug
}

func (s *checkContext) world(ctx context.Context, version int64) (*checks.World, error) {
	if w := s.worlds[version]; w != nil {
		return w, nil
	}
	w := &checks.World{Pages: s.pages}
	s.worlds[version] = w
	if version == 0 {
		return w, nil
	}
	var err error
	if w.Parts, err = queries.ReleasedPartList(ctx, s.q, version, s.set.ID); err != nil {
		return nil, fmt.Errorf("reading the parts of version %d: %w", version, err)
	}
	if w.Operations, err = queries.ReleasedOperationList(ctx, s.q, version, s.set.ID); err != nil {
		return nil, fmt.Errorf("reading the operations of version %d: %w", version, err)
	}
	return w, nil
}

// path returns the address at which readers will find an item.
func (s *checkContext) path(ctx context.Context, c models.Change, version int64) (string, error) {
	product, err := s.slug(ctx, s.set.ProductID)
	if err != nil {
		return "", err
	}
	switch c.Item.Kind {
	case content.KindProduct:
		return "/docs/" + product, nil
	case content.KindGuide:
		return "/productguide/" + product + "/" + slugAfter(c), nil
	case content.KindVersion:
		return "/docs/" + product + "/" + slugAfter(c), nil
	}
	slug, err := s.slug(ctx, version)
	if err != nil {
		return "", err
	}
	home := "/docs/" + product + "/" + slug
	switch c.Item.Kind {
	case content.KindCategory:
		return home, nil
	case content.KindSchema:
		return home + "/schemas/" + slugAfter(c), nil
	}
	return home + "/" + slugAfter(c), nil
}

// slug returns the slug that an item will have.
func (s *checkContext) slug(ctx context.Context, id int64) (string, error) {
	if c, ok := s.changes[id]; ok {
		return slugAfter(c), nil
	}
	if slug, ok := s.slugs[id]; ok {
		return slug, nil
	}
	item, err := queries.ItemGet(ctx, s.q, id)
	if err != nil {
		return "", fmt.Errorf("reading item %d: %w", id, err)
	}
	s.slugs[id] = item.Slug
	return item.Slug, nil
}

// own are the pages of the portal beside the documentation, by the first part of
// their address.
var own = []string{
	"", "account", "admin", "api", "console", "contact-us", "feedback", "forgot-password", "health", "index.md", "llms.txt", "llms-full.txt", "login", "mcp", "mcp-setup",
	"mcp-setup.md", "openapi", "postman", "productguide.md", "products", "register", "reset-password", "sdk", "search", "simulators", "sitemap.xml",
}

// page returns what readers will find at an address of the portal.
func (s *checkContext) page(ctx context.Context, at string) (checks.Page, error) {
	parts := strings.Split(strings.TrimPrefix(path.Clean(at), "/"), "/")
	switch {
	case parts[0] == "docs" && len(parts) == 1, parts[0] == "productguide" && len(parts) == 1, slices.Contains(own, parts[0]):
		return checks.Page{Exists: true}, nil
	case parts[0] == "docs":
		return s.documentation(ctx, parts[1:])
	case parts[0] == "productguide" && len(parts) == 3:
		product, err := s.at(ctx, content.KindProduct, 0, parts[1])
		if err != nil || product == nil {
			return checks.Page{}, err
		}
		return s.guide(ctx, product.ID, strings.TrimSuffix(parts[2], ".md"))
	}
	return checks.Page{}, nil
}

func (s *checkContext) guide(ctx context.Context, product int64, slug string) (checks.Page, error) {
	guide, err := s.at(ctx, content.KindGuide, product, slug)
	if err != nil || guide == nil || guide.Kind != content.KindGuide {
		return checks.Page{}, err
	}
	raw := s.changes[guide.ID].Content
	if raw == nil {
		live, err := queries.RevisionGet(ctx, s.q, guide.LiveRevisionID)
		if err != nil {
			return checks.Page{}, err
		}
		raw = live.Content
	}
	return checks.Page{Exists: true, Anchors: checks.Anchors(guide.Kind, raw)}, nil
}

// documentation returns the page at an address below /docs.
func (s *checkContext) documentation(ctx context.Context, parts []string) (checks.Page, error) {
	product, err := s.at(ctx, content.KindProduct, 0, strings.TrimSuffix(parts[0], ".md"))
	if err != nil || product == nil || len(parts) > 4 {
		return checks.Page{}, err
	}
	if len(parts) == 1 || len(parts) == 2 && isFile(parts[1]) {
		return checks.Page{Exists: true}, nil
	}
	versions := []*models.Item{}
	if parts[1] == "latest" {
		live, err := queries.ItemListLive(ctx, s.q, product.ID)
		if err != nil {
			return checks.Page{}, err
		}
		for i := range live {
			versions = append(versions, &live[i])
		}
	} else {
		slug := parts[1]
		if len(parts) == 2 {
			slug = strings.TrimSuffix(slug, ".md")
		}
		version, err := s.at(ctx, content.KindVersion, product.ID, slug)
		if err != nil {
			return checks.Page{}, err
		}
		versions = append(versions, version)
	}
	for _, version := range versions {
		if version == nil || version.Kind != content.KindVersion {
			continue
		}
		if found, err := s.part(ctx, version.ID, parts[2:]); err != nil || found {
			return checks.Page{Exists: found}, err
		}
	}
	return checks.Page{}, nil
}

// isFile reports whether the last part of an address is a page that the portal
// makes itself.
func isFile(name string) bool {
	name, _, _ = strings.Cut(name, ".")
	return content.IsReserved(content.KindVersion, name) && name != "latest" || name == "llms" || name == "llms-full"
}

// part reports whether a version has a page.
func (s *checkContext) part(ctx context.Context, version int64, parts []string) (bool, error) {
	switch {
	case len(parts) == 0, len(parts) == 1 && isFile(parts[0]):
		return true, nil
	case len(parts) == 2 && parts[0] != "schemas":
		return false, nil
	}
	kind, slug := content.KindEndpoint, strings.TrimSuffix(parts[len(parts)-1], ".md")
	if len(parts) == 2 {
		name, err := url.PathUnescape(slug)
		if err != nil {
			return false, nil //nolint:nilerr // such an address has no page
		}
		kind, slug = content.KindSchema, naming.Slug(name)
	}
	item, err := s.at(ctx, kind, version, slug)
	return item != nil, err
}

// at returns the item that readers will find at an address, nil for none.
func (s *checkContext) at(ctx context.Context, kind string, parentID int64, slug string) (*models.Item, error) {
	for _, c := range s.changes {
		isRead := c.Action != actionArchive && !c.Item.Trashed
		isThere := destination(c.Item, c.ParentID) == parentID && slugAfter(c) == slug
		// Schemas have addresses of their own, and categories have none.
		isKind := isSchema(c.Item.Kind) == isSchema(kind) && c.Item.Kind != content.KindCategory
		if isRead && isThere && isKind {
			return &c.Item, nil
		}
	}
	item, err := queries.ItemGetAt(ctx, s.q, kind, parentID, slug)
	if err != nil {
		return nil, db.Absent(err, nil, "looking for %s %s", kind, slug)
	}
	visible := item.Public()
	if c, changed := s.changes[item.ID]; changed {
		visible = c.Action != actionArchive && !item.Trashed
	}
	if !visible {
		return nil, nil
	}
	return &item, nil
}

func isSchema(kind string) bool { return kind == content.KindSchema }
