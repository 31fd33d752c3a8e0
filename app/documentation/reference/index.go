package reference

import (
	"context"
	"fmt"
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/published"
	"heliograph/app/lists"
)

// fullTextPath is the path of everything as Markdown, for language models. The one of a
// product is below its page.
const fullTextPath = "/llms-full.txt"

// maxIndex is the size from which an index leaves out the purposes of endpoints,
// in bytes.
const maxIndex = 100_000

// Index returns the list of all pages as Markdown (llmstxt.org), or of the pages of
// one product where it is not nil. It lists the latest version of each product.
func (s Site) Index(ctx context.Context, now *published.Snapshot, of *published.Product) (string, error) {
	text, err := s.index(ctx, now, of, true)
	if err == nil && len(text) > maxIndex {
		text, err = s.index(ctx, now, of, false)
	}
	return text, err
}

func (s Site) index(ctx context.Context, now *published.Snapshot, of *published.Product, withPurposes bool) (string, error) {
	w := &writer{site: s}
	s.introduce(w, now, of)
	for _, p := range included(now, of) {
		w.block("## %s", p.Name)
		w.WriteString(fmt.Sprintf("- [%s](%s): %s\n", p.Name, s.textURL(ProductPath(p)), p.Summary))
		for _, g := range listed(p, of) {
			w.WriteString(s.guideLine(p, g))
		}
		if v := p.Latest(); v != nil && !p.ComingSoon {
			at := Place{p, v}
			w.WriteString(fmt.Sprintf("- [%s](%s): all endpoints\n", at.Name(), s.textURL(at.Path())))
			var purposes []string
			if withPurposes {
				var err error
				if purposes, err = v.Purposes(ctx, v.Operations()); err != nil {
					return "", err
				}
			}
			for i, op := range v.Operations() {
				w.WriteString(fmt.Sprintf("- [%s](%s): %s", op.Name, s.textURL(at.Operation(op)), OperationLine(op)))
				if withPurposes {
					if purpose := markdown.FirstSentence(purposes[i]); purpose != "" {
						w.WriteString(". " + purpose)
					}
				}
				w.WriteString("\n")
			}
		}
		w.WriteString("\n")
	}
	if of == nil {
		s.guideSections(w, now)
	}
	s.optional(w, now, of)
	return w.String(), nil
}

// introduce writes the title and the summary of an index.
func (s Site) introduce(w *writer, now *published.Snapshot, of *published.Product) {
	if of != nil {
		w.block("# %s", of.Name)
		w.block("> %s", of.Summary)
		return
	}
	names := lists.Map(included(now, nil), func(p *published.Product) string { return p.Name })
	w.block("# %s", s.Title())
	w.block("> Documentation of %s. Every page is Markdown at its address with .md at the end, or with Accept: text/markdown.", strings.Join(names, ", "))
	w.block("An assistant reads the same documentation over the Model Context Protocol at %s.", s.URL+"/mcp")
}

// optional writes the links to documents for other tools.
func (s Site) optional(w *writer, now *published.Snapshot, of *published.Product) {
	w.block("## OpenAPI")
	for _, p := range included(now, of) {
		for _, v := range p.VisibleVersions() {
			at := Place{p, v}
			w.WriteString(fmt.Sprintf("- [%s as OpenAPI](%s)\n", at.Name(), s.URL+at.OpenAPIPath("json")))
		}
	}
	w.WriteString("\n")
	w.block("## Client libraries")
	for _, p := range included(now, of) {
		for _, v := range p.VisibleVersions() {
			at := Place{p, v}
			w.WriteString(fmt.Sprintf("- [%s for Node.js, Python and other languages](%s)\n", at.Name(), s.textURL(at.SDKPath())))
		}
	}
	w.WriteString("\n")
	w.block("## Optional")
	for _, p := range included(now, of) {
		for _, v := range p.VisibleVersions() {
			if at := (Place{p, v}); v != p.Latest() {
				w.WriteString(fmt.Sprintf("- [%s](%s): %s\n", at.Name(), s.textURL(at.Path()), strings.ToLower(v.Label)))
			}
		}
	}
	full := s.URL + fullTextPath
	if of != nil {
		full = s.URL + ProductPath(of) + fullTextPath
	}
	w.WriteString(fmt.Sprintf("- [Everything in one document](%s)\n", full))
}

// included lists the products of an index: those with documentation that are not
// hidden, or the one that it is about.
func included(now *published.Snapshot, of *published.Product) []*published.Product {
	if of != nil {
		return []*published.Product{of}
	}
	return lists.Where(now.Products, func(p *published.Product) bool {
		return !p.Hidden && len(p.VisibleVersions())+len(p.VisibleGuides()) > 0
	})
}

// listed are the guides that an index of everything has under a product, and an index
// of the product alone.
func listed(p, of *published.Product) []*published.Guide {
	if of != nil {
		return p.VisibleGuides()
	}
	return p.OwnGuides()
}

// FullText returns every guide and every page of the latest versions in one
// Markdown document, or the pages of one product where it is not nil.
func (s Site) FullText(ctx context.Context, now *published.Snapshot, of *published.Product) (string, error) {
	w := &writer{site: s}
	s.introduce(w, now, of)
	for _, p := range included(now, of) {
		pages := lists.Map(p.VisibleGuides(), func(g *published.Guide) string { return s.Guide(p, g) })
		if v := p.Latest(); v != nil && !p.ComingSoon {
			at := Place{p, v}
			overview, err := s.Version(ctx, at)
			if err != nil {
				return "", err
			}
			api, err := v.Compile(ctx)
			if err != nil {
				return "", err
			}
			pages = append(append(pages, overview), s.operations(at, api)...)
		}
		for _, page := range pages {
			w.WriteString(page + "\n---\n\n")
		}
	}
	return w.String(), nil
}

// Guides returns the list of all guides as Markdown: by product, then the sections for
// readers of every product.
func (s Site) Guides(now *published.Snapshot) string {
	w := s.newWriter("Product guide", "Guides of all products", GuidesPath)
	for _, p := range included(now, nil) {
		if len(p.OwnGuides()) == 0 {
			continue
		}
		w.block("## %s", p.Name)
		for _, g := range p.OwnGuides() {
			w.WriteString(s.guideLine(p, g))
		}
		w.WriteString("\n")
	}
	s.guideSections(w, now)
	return w.String()
}

// guideSections lists the guides for readers of every product.
func (s Site) guideSections(w *writer, now *published.Snapshot) {
	for _, section := range now.GuideSections() {
		w.block("## %s", section.Title)
		for _, g := range section.Guides {
			w.WriteString(s.guideLine(g.Product, g.Guide))
		}
		w.WriteString("\n")
	}
}

// guideLine names a guide in a list.
func (s Site) guideLine(p *published.Product, g *published.Guide) string {
	return fmt.Sprintf("- [%s](%s): %s\n", g.Title, s.textURL(GuidePath(p, g)), g.Summary)
}
