package published

import (
	"slices"

	"heliograph/db/models"
)

// oldAddress is the address of an item before it moved.
type oldAddress struct {
	parent int64 // zero for a product
	slug   string
}

func newRedirects(list []models.ItemRedirect) map[oldAddress]int64 {
	redirects := make(map[oldAddress]int64, len(list))
	for _, r := range list {
		redirects[oldAddress{r.ParentID, r.Slug}] = r.ItemID
	}
	return redirects
}

// MovedProduct returns the product that had the slug before it moved, nil where
// there is none.
func (s *Snapshot) MovedProduct(slug string) *Product {
	item, ok := s.redirects[oldAddress{0, slug}]
	i := slices.IndexFunc(s.Products, func(p *Product) bool { return p.id == item })
	if !ok || i < 0 {
		return nil
	}
	return s.Products[i]
}

// MovedVersion returns the version that had the slug in a product before it
// moved, nil where there is none.
func (s *Snapshot) MovedVersion(p *Product, slug string) *Version {
	item, ok := s.redirects[oldAddress{p.id, slug}]
	i := slices.IndexFunc(p.Versions, func(v *Version) bool { return v.id == item })
	if !ok || i < 0 {
		return nil
	}
	return p.Versions[i]
}

// MovedGuide returns the guide that had the slug in a product before it moved,
// nil where there is none.
func (s *Snapshot) MovedGuide(p *Product, slug string) *Guide {
	item, ok := s.redirects[oldAddress{p.id, slug}]
	i := slices.IndexFunc(p.Guides, func(g *Guide) bool { return g.id == item })
	if !ok || i < 0 {
		return nil
	}
	return p.Guides[i]
}

// MovedOperation returns the operation that had the slug in a version before it
// moved, and the version of the product that it is in now. It is nil where there
// is none.
func (s *Snapshot) MovedOperation(p *Product, v *Version, slug string) (*Version, *Operation) {
	item, ok := s.redirects[oldAddress{v.id, slug}]
	if !ok {
		return nil, nil
	}
	for _, home := range append([]*Version{v}, p.Versions...) {
		if op := home.itemOperation(item); op != nil {
			return home, op
		}
	}
	return nil, nil
}

// itemOperation returns the operation of an item, nil where the version does not
// have it.
func (v *Version) itemOperation(item int64) *Operation {
	for _, op := range v.Endpoints() {
		if op.item == item {
			return op
		}
	}
	for _, i := range v.base.items {
		if i.ID == item {
			return v.Operation(i.Slug)
		}
	}
	return nil
}
