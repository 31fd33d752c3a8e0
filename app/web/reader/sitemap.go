package reader

import (
	"context"
	"encoding/xml"
	"time"

	"github.com/labstack/echo/v4"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
)

// maxLocations is the most addresses that a sitemap may have (sitemaps.org).
// Overviews come before the pages that they link to, so that a crawler finds
// the rest.
const maxLocations = 50_000

// Sitemap is the address of the list of pages for search engines.
var Sitemap = Address{path: "/sitemap.xml", find: func(*site, parameters) source { return sitemapSource{} }}

type sitemapSource struct{ place }

func (sitemapSource) release(s *site) release {
	return release{menu: s.menu, scope: s.snapshot.Stamp}
}

func (sitemapSource) file(_ context.Context, s *site) ([]byte, string, error) {
	body, err := s.sitemap()
	return body, echo.MIMEApplicationXMLCharsetUTF8, err
}

// sitemap is the file of the sitemap protocol, 0.9.
type sitemap struct {
	XMLName   xml.Name   `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
	Locations []location `xml:"url"`
}

type location struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod,omitempty"` // RFC 3339
}

// sitemap lists every page that stands for itself, with the time it was
// published.
func (s *site) sitemap() ([]byte, error) {
	var m sitemap
	add := func(path string, changed time.Time) {
		if len(m.Locations) == maxLocations {
			return
		}
		l := location{Address: s.url + path}
		if !changed.IsZero() {
			l.Changed = changed.UTC().Format(time.RFC3339)
		}
		m.Locations = append(m.Locations, l)
	}
	last := lastOf(s.snapshot)
	add("/", last)
	add(reference.GuidesPath, last)
	add(setupPath, last)
	for _, p := range s.snapshot.Products {
		if p.Hidden {
			continue
		}
		add(reference.ProductPath(p), lastPublished(p))
		for _, g := range p.VisibleGuides() {
			add(reference.GuidePath(p, g), g.PublishedAt)
		}
		for i, v := range p.VisibleVersions() {
			if i == 0 {
				add(changelogPath(p), lastPublished(p))
			}
			if i == 1 {
				add(reference.ComparePath(p), lastPublished(p))
			}
			add(place{p, v}.path(), v.PublishedAt)
		}
	}
	for _, p := range s.snapshot.Products {
		for _, v := range p.VisibleVersions() {
			if !p.Hidden {
				addReference(place{p, v}, add)
			}
		}
	}
	body, err := xml.Marshal(m)
	return append([]byte(xml.Header), body...), err
}

// addReference adds the error codes of a version, and its endpoints and schemas that
// have no twin in the latest.
func addReference(at place, add func(path string, changed time.Time)) {
	if len(at.version.Faults) > 0 {
		add(at.reference().Errors(), at.version.PublishedAt)
	}
	for _, op := range at.version.Operations() {
		if at.home(op) == at {
			add(at.endpoint(op), at.version.PublishedAt)
		}
	}
	for _, name := range at.version.Schemas {
		if at.homeOf(name) == at {
			add(at.schema(name), at.version.PublishedAt)
		}
	}
}

// lastOf returns the time of the latest release of a listed product.
func lastOf(s *published.Snapshot) (last time.Time) {
	for _, p := range s.Products {
		if now := lastPublished(p); !p.Hidden && now.After(last) {
			last = now
		}
	}
	return last
}

// lastPublished returns the time of the latest release of a product, zero if it
// has none.
func lastPublished(p *published.Product) (last time.Time) {
	for _, v := range p.VisibleVersions() {
		if v.PublishedAt.After(last) {
			last = v.PublishedAt
		}
	}
	for _, g := range p.VisibleGuides() {
		if g.PublishedAt.After(last) {
			last = g.PublishedAt
		}
	}
	return last
}
