package portal

import (
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

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
		if p.Hidden || len(p.VisibleGuides()) == 0 {
			continue
		}
		product := views.GuideProduct{ID: "guides-" + p.Slug, Name: p.Name, Accent: p.Accent}
		if v := p.Latest(); v != nil {
			product.Reference = ui.Link{Label: "Reference", Href: place{p, v}.path()}
		}
		for _, g := range p.VisibleGuides() {
			if n := len(product.Groups); n == 0 || product.Groups[n-1].Title != g.Group {
				product.Groups = append(product.Groups, views.GuideCards{Title: g.Group})
			}
			group := &product.Groups[len(product.Groups)-1]
			group.Cards = append(group.Cards, newGuideCard(p, g))
		}
		all.Products = append(all.Products, product)
	}
	return all
}

// newGuidePage returns the page of a guide, with links to its neighbours. Code
// in several languages starts with the one that the reader chose.
func newGuidePage(s *site, p *published.Product, i int, c choice) views.GuidePage {
	list := p.VisibleGuides()
	g := list[i]
	text, headings := markdown.RenderPage(s.texts.GuideText(g), languages[c.language].Name)
	text = place{p, p.Latest()}.linkCodes(text)
	guide := views.GuidePage{
		Page: s.frame(nil),
		Nav:  newGuideNav(s, p, g),
		Name: g.Title, Summary: g.Summary, Text: ui.HTML(text), Minutes: readingMinutes(g.Text), Published: publishedAt(g.PublishedAt),
	}
	guide.Crumbs = []ui.Link{
		{Label: "Product guide", Href: reference.GuidesPath}, {Label: p.Name, Href: reference.ProductPath(p)}, {Label: g.Title, Current: true},
	}
	guide.Path = reference.GuidePath(p, g)
	guide.HasNav, guide.Accent = true, p.Accent
	guide.Title, guide.Page.Description = g.Title+" – "+p.Name, g.Summary
	guide.Page.Text, guide.Address = reference.TextPath(reference.GuidePath(p, g)), s.url+reference.GuidePath(p, g)
	guide.Canonical = s.canonical(p, reference.GuidePath(p, g))
	markSection(guide.Links)
	for _, h := range headings {
		if h.Level < 4 {
			guide.Contents = append(guide.Contents, views.ContentsLink{Link: ui.Link{Label: h.Text, Href: "#" + h.ID}, Nested: h.Level == 3})
		}
	}
	guide.Previous = ui.Link{Label: "Product guide", Href: reference.GuidesPath}
	if i > 0 {
		guide.Previous = ui.Link{Label: list[i-1].Title, Href: reference.GuidePath(p, list[i-1])}
	}
	if i+1 < len(list) {
		guide.Next = ui.Link{Label: list[i+1].Title, Href: reference.GuidePath(p, list[i+1])}
	}
	return guide
}

// wordsPerMinute is how fast people read technical text.
const wordsPerMinute = 180

// readingMinutes returns how long a text takes to read, code included.
func readingMinutes(text string) int {
	return max(1, (len(strings.Fields(text))+wordsPerMinute/2)/wordsPerMinute)
}

// newGuideNav lists the guides by product. It lists a hidden product on that
// product's own guides only.
func newGuideNav(s *site, of *published.Product, current *published.Guide) views.GuideNav {
	nav := views.GuideNav{Overview: ui.Link{Label: "Product guide", Href: reference.GuidesPath, Current: current == nil}}
	for _, p := range s.snapshot.Products {
		if p.Hidden && p != of || len(p.VisibleGuides()) == 0 {
			continue
		}
		group := views.GuideGroup{Title: p.Name, Icon: newDrawing(p.Icon), Accent: p.Accent}
		for _, g := range p.VisibleGuides() {
			group.Links = append(group.Links, ui.Link{Label: g.Title, Href: reference.GuidePath(p, g), Current: g == current})
		}
		nav.Groups = append(nav.Groups, group)
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
