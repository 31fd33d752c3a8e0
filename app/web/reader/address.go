package reader

import (
	"strings"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/views/ui"
)

// address is a page, or a region of it, with the choices of one request.
type address struct {
	path   string
	source source
	choice choice
	region ui.Region // empty for the whole page
}

// find returns the source of the page at a path, false where there is none.
// Every page of the reference and every guide is available as Markdown too,
// unless another page has that address.
func (s *site) find(path string) (source, bool) {
	if src, ok := s.findPage(path); ok {
		return src, true
	}
	if path == homeTextPath {
		return source{kind: homeSource, text: true}, true
	}
	page, isText := strings.CutSuffix(path, reference.TextPath(""))
	if !isText {
		return source{}, false
	}
	src, ok := s.findPage(page)
	src.text = true
	return src, ok && src.hasText()
}

func (s *site) findPage(path string) (source, bool) {
	switch path {
	case "/":
		return source{kind: homeSource}, true
	case "/sitemap.xml":
		return source{kind: sitemapSource}, true
	case setupPath:
		return source{kind: setupSource}, true
	case reference.GuidesPath:
		return source{kind: guidesSource}, true
	}
	if rest, ok := strings.CutPrefix(path, reference.GuidesPath+"/"); ok {
		product, slug, _ := strings.Cut(rest, "/")
		return s.findGuide(product, slug)
	}
	rest, ok := strings.CutPrefix(path, "/docs/")
	if !ok {
		return source{}, false
	}
	slug, rest, inside := strings.Cut(rest, "/")
	p := s.snapshot.Product(slug)
	if p == nil {
		return source{}, false
	}
	if !inside {
		return source{kind: productSource, place: place{product: p}}, true
	}
	return findReference(p, rest)
}

func (s *site) findGuide(product, slug string) (source, bool) {
	p := s.snapshot.Product(product)
	if p == nil {
		return source{}, false
	}
	for i, g := range p.VisibleGuides() {
		if g.Slug == slug {
			return source{kind: guideSource, place: place{product: p}, guide: i}, true
		}
	}
	return source{}, false
}

// findReference finds a page of a version by the rest of its path.
func findReference(p *published.Product, rest string) (source, bool) {
	slug, rest, inside := strings.Cut(rest, "/")
	v := p.Version(slug)
	if v == nil || len(p.VisibleVersions()) == 0 {
		return source{}, false
	}
	at := place{p, v}
	if !inside {
		return source{kind: versionSource, place: at}, true
	}
	if name, ok := strings.CutPrefix(rest, "schemas/"); ok {
		return source{kind: schemaSource, place: at, schema: name}, v.HasSchema(name)
	}
	if rest == "errors" && len(v.Faults) > 0 {
		return source{kind: errorsSource, place: at}, true
	}
	op := v.Operation(rest)
	return source{kind: operationSource, place: at, operation: op}, op != nil
}
