package published

import (
	"slices"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/db/models"
)

// Snapshot is an index of everything that is published at one moment.
type Snapshot struct {
	Products []*Product // in their order

	// Stamp differs from the stamp of every other snapshot of the process.
	Stamp uint64

	// Pictures are the sizes of the images of the gallery that published pages use,
	// by item, the largest first.
	Pictures map[string][]models.GalleryPicture

	bySlug    map[string]*Product
	redirects map[oldAddress]int64 // items by the addresses that they had before
	withheld  []*Broken
	releases  map[int64]int64 // the latest release of each scope
	indexed   map[int64]int64 // the same, of the scopes that are in Products or withheld
}

// Product is a published product.
type Product struct {
	content.Product
	Slug     string
	Versions []*Version // latest first
	Guides   []*Guide   // in reading order

	// Stamp changes with every release of the product or of one of its
	// versions, and with nothing else.
	Stamp uint64

	id       int64
	release  int64
	withheld []*Broken
}

// Guide is a published guide page.
type Guide struct {
	content.Guide
	Slug        string
	PublishedAt time.Time // when its text went public

	id int64
}

// Broken is a published product or version that cannot be shown, because its
// content cannot be read.
type Broken struct {
	Slug   string
	Number int // of the release, counting from one
	Err    error

	release int64
}

// Product returns the product with the slug; nil when none is published.
func (s *Snapshot) Product(slug string) *Product { return s.bySlug[slug] }

// Broken returns the product with the slug if it is published but cannot be
// shown, else nil.
func (s *Snapshot) Broken(slug string) *Broken { return brokenOf(s.withheld, slug) }

// Version returns the version with the slug; nil when none is published.
func (p *Product) Version(slug string) *Version {
	i := slices.IndexFunc(p.Versions, func(v *Version) bool { return v.Slug == slug })
	if i < 0 {
		return nil
	}
	return p.Versions[i]
}

// Broken returns the version with the slug if it is published but cannot be
// shown, else nil.
func (p *Product) Broken(slug string) *Broken { return brokenOf(p.withheld, slug) }

func brokenOf(list []*Broken, slug string) *Broken {
	i := slices.IndexFunc(list, func(b *Broken) bool { return b.Slug == slug })
	if i < 0 {
		return nil
	}
	return list[i]
}

// VisibleVersions returns the versions that readers see, latest first. A product
// that is coming soon has none.
func (p *Product) VisibleVersions() []*Version {
	if p.ComingSoon {
		return nil
	}
	return p.Versions
}

// VisibleGuides returns the guides that readers see, in reading order. A product
// that is coming soon has none.
func (p *Product) VisibleGuides() []*Guide {
	if p.ComingSoon {
		return nil
	}
	return p.Guides
}

// OwnGuides returns the visible guides that stand with the product, and not in a section
// for every product. All guides of a hidden product stand with it.
func (p *Product) OwnGuides() []*Guide {
	if p.Hidden {
		return p.VisibleGuides()
	}
	return slices.DeleteFunc(slices.Clone(p.VisibleGuides()), func(g *Guide) bool { return g.Section != "" })
}

// GuideSection is guides for readers of every product.
type GuideSection struct {
	Title  string
	Guides []SectionGuide
}

// SectionGuide is a guide of a section, with the product that its address names.
type SectionGuide struct {
	*Guide
	Product *Product
}

// GuideSections returns the sections for readers of every product, in the order of their
// first guides. Hidden products have none.
func (s *Snapshot) GuideSections() (list []GuideSection) {
	for _, p := range s.Products {
		if p.Hidden {
			continue
		}
		for _, g := range p.VisibleGuides() {
			if g.Section == "" {
				continue
			}
			i := slices.IndexFunc(list, func(had GuideSection) bool { return had.Title == g.Section })
			if i < 0 {
				i = len(list)
				list = append(list, GuideSection{Title: g.Section})
			}
			list[i].Guides = append(list[i].Guides, SectionGuide{g, p})
		}
	}
	return list
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
