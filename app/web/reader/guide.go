package reader

import (
	"context"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/lists"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// Guides is the address of the list of guides.
var Guides = Address{path: reference.GuidesPath, find: func(*site, parameters) source { return guidesSource{} }}

type guidesSource struct{ place }

func (guidesSource) release(s *site) release { return release{menu: s.menu, guides: s.guides} }

func (guidesSource) view(_ context.Context, s *site, _ asked) (page.View, error) {
	all := newGuidesPage(s)
	return page.View{Frame: all.Page, Body: views.Guides(all)}, nil
}

func (guidesSource) markdown(_ context.Context, s *site, _ choice) (string, error) {
	return s.texts.Guides(s.snapshot), nil
}

// newGuidesPage lists the guides of all listed products.
func newGuidesPage(s *site) views.GuidesPage {
	all := views.GuidesPage{
		Page: s.frame(nil),
		Nav:  newGuideNav(s, nil, nil),
	}
	all.HasNav = true
	all.Crumbs = []ui.Link{{Label: "Home", Href: "/"}, {Label: "Product guide", Current: true}}
	all.Title, all.Page.Description = "Product guide", "How to send a first message, receive callbacks, retry, and go on from there."
	all.Canonical = s.url + reference.GuidesPath
	markSection(all.Links)
	for _, p := range s.snapshot.Products {
		if p.Hidden || len(p.OwnGuides()) == 0 {
			continue
		}
		product := views.GuideProduct{ID: "guides-" + p.Slug, Name: p.Name, Accent: p.Accent}
		if v := p.Latest(); v != nil {
			product.Reference = ui.Link{Label: "Reference", Href: place{p, v}.path()}
		}
		for _, g := range p.OwnGuides() {
			addGuideCard(&product, p, g)
		}
		all.Products = append(all.Products, product)
	}
	for _, section := range s.snapshot.GuideSections() {
		part := views.GuideProduct{ID: sectionID(section.Title), Name: section.Title}
		for _, g := range section.Guides {
			addGuideCard(&part, g.Product, g.Guide)
		}
		all.Products = append(all.Products, part)
	}
	return all
}

// Guide is the address of a guide.
var Guide = Address{path: reference.GuidesPath + "/:product/:guide", find: findGuide}

// guideSource is the guide at an index among the guides of its product.
type guideSource struct {
	place
	index int
}

func findGuide(s *site, in parameters) source {
	p := s.snapshot.Product(in.Param("product"))
	if p == nil {
		return nil
	}
	for i, g := range p.VisibleGuides() {
		if g.Slug == in.Param("guide") {
			return guideSource{place{product: p}, i}
		}
	}
	return nil
}

func (src guideSource) release(s *site) release {
	return release{menu: s.menu, scope: src.product.Stamp, guides: s.guides}
}

// The Markdown of a guide has its code in every language.
func (guideSource) samples(text bool) ([]model.Server, bool) { return nil, !text }

func (src guideSource) view(_ context.Context, s *site, a asked) (page.View, error) {
	guide := newGuidePage(s, src.product, src.index, a.choice)
	return page.View{Frame: guide.Page, Body: views.Guide(guide)}, nil
}

func (src guideSource) markdown(_ context.Context, s *site, _ choice) (string, error) {
	return s.texts.Guide(src.product, src.product.VisibleGuides()[src.index]), nil
}

// newGuidePage returns the page of a guide, with links to its neighbours. Code
// in several languages starts with the one that the reader chose.
func newGuidePage(s *site, p *published.Product, i int, c choice) views.GuidePage {
	g := p.VisibleGuides()[i]
	text, headings := markdown.RenderPage(s.texts.GuideText(g), languages[c.language].Name)
	text = place{p, p.Latest()}.linkCodes(text)
	guide := views.GuidePage{
		Page: s.frame(nil),
		Nav:  newGuideNav(s, p, g),
		Name: g.Title, Summary: g.Summary, Text: ui.HTML(text), Minutes: readingMinutes(g.Text), Published: publishedAt(g.PublishedAt),
	}
	home := ui.Link{Label: p.Name, Href: reference.ProductPath(p)}
	inSection := g.Section != "" && !p.Hidden
	if inSection {
		home = ui.Link{Label: g.Section, Href: reference.GuidesPath + "#" + sectionID(g.Section)}
	}
	guide.Crumbs = []ui.Link{{Label: "Product guide", Href: reference.GuidesPath}, home, {Label: g.Title, Current: true}}
	guide.Path = reference.GuidePath(p, g)
	guide.HasNav = true
	if !inSection {
		guide.Accent = p.Accent
	}
	guide.Title, guide.Page.Description = g.Title+" – "+home.Label, g.Summary
	guide.Page.Text, guide.Address = reference.TextPath(reference.GuidePath(p, g)), s.url+reference.GuidePath(p, g)
	guide.Canonical = s.canonical(p, reference.GuidePath(p, g))
	markSection(guide.Links)
	for _, h := range headings {
		if h.Level < 4 {
			guide.Contents = append(guide.Contents, views.ContentsLink{Link: ui.Link{Label: h.Text, Href: "#" + h.ID}, Nested: h.Level == 3})
		}
	}
	guide.Previous = ui.Link{Label: "Product guide", Href: reference.GuidesPath}
	links := neighbours(s, p, g)
	at := slices.IndexFunc(links, func(l ui.Link) bool { return l.Current })
	if at > 0 {
		guide.Previous = ui.Link{Label: links[at-1].Label, Href: links[at-1].Href}
	}
	if at+1 < len(links) {
		guide.Next = links[at+1]
	}
	return guide
}

// neighbours are the guides that stand with a guide, in reading order: of its product, or
// of its section.
func neighbours(s *site, p *published.Product, current *published.Guide) (links []ui.Link) {
	if current.Section == "" || p.Hidden {
		return guideLinks(p, p.OwnGuides(), current)
	}
	for _, section := range s.snapshot.GuideSections() {
		if section.Title == current.Section {
			links = sectionLinks(section, current)
		}
	}
	return links
}

func guideLinks(p *published.Product, list []*published.Guide, current *published.Guide) (links []ui.Link) {
	return lists.Map(list, func(g *published.Guide) ui.Link {
		return ui.Link{Label: g.Title, Href: reference.GuidePath(p, g), Current: g == current}
	})
}

func sectionLinks(section published.GuideSection, current *published.Guide) (links []ui.Link) {
	for _, g := range section.Guides {
		links = append(links, ui.Link{Label: g.Title, Href: reference.GuidePath(g.Product, g.Guide), Current: g.Guide == current})
	}
	return links
}

// sectionID is the anchor of a section for readers of every product.
func sectionID(title string) string { return "section-" + slug(title) }

// addGuideCard adds a guide to the last group of a list, or to a new one.
func addGuideCard(to *views.GuideProduct, p *published.Product, g *published.Guide) {
	if n := len(to.Groups); n == 0 || to.Groups[n-1].Title != g.Group {
		to.Groups = append(to.Groups, views.GuideCards{Title: g.Group})
	}
	group := &to.Groups[len(to.Groups)-1]
	group.Cards = append(group.Cards, newGuideCard(p, g))
}

// wordsPerMinute is how fast people read technical text.
const wordsPerMinute = 180

// readingMinutes returns how long a text takes to read, code included.
func readingMinutes(text string) int {
	return max(1, (len(strings.Fields(text))+wordsPerMinute/2)/wordsPerMinute)
}

// newGuideNav lists the guides by product, then the sections for every product. It lists
// a hidden product on that product's own guides only.
func newGuideNav(s *site, of *published.Product, current *published.Guide) views.GuideNav {
	nav := views.GuideNav{Overview: ui.Link{Label: "Product guide", Href: reference.GuidesPath, Current: current == nil}}
	for _, p := range s.snapshot.Products {
		if p.Hidden && p != of || len(p.OwnGuides()) == 0 {
			continue
		}
		nav.Groups = append(nav.Groups, views.GuideGroup{Title: p.Name, Icon: newDrawing(p.Icon), Accent: p.Accent, Links: guideLinks(p, p.OwnGuides(), current)})
	}
	for _, section := range s.snapshot.GuideSections() {
		nav.Groups = append(nav.Groups, views.GuideGroup{Title: section.Title, Links: sectionLinks(section, current)})
	}
	return nav
}

func newGuideCard(p *published.Product, g *published.Guide) views.GuideCard {
	return views.GuideCard{Link: ui.Link{Label: g.Title, Href: reference.GuidePath(p, g)}, Summary: g.Summary}
}

// markSection marks the product guide as current in the header.
func markSection(links []ui.Link) {
	for i := range links {
		links[i].Current = links[i].Href == reference.GuidesPath
	}
}
