package portal

import (
	"strings"

	"heliograph/app/catalogue"
	"heliograph/app/spec/markdown"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

// guidePath is the product guide; each guide lies below its product.
const guidePath = "/productguide"

// hereabouts is how the text of a guide names this installation. It does not
// know where it will be published.
const hereabouts = "http://localhost:8080"

func guideAddress(p *catalogue.Product, g *catalogue.Guide) string {
	return guidePath + "/" + p.Slug + "/" + g.Slug
}

// guides lists what a product has to read; nothing while it is coming soon.
func guides(p *catalogue.Product) []*catalogue.Guide {
	if p.ComingSoon {
		return nil
	}
	return p.Guides
}

// newGuidesPage lists every guide of every product that is listed.
func newGuidesPage(s *site) views.GuidesPage {
	all := views.GuidesPage{
		Page:   s.frame(nil),
		Nav:    newGuideNav(s, nil, nil),
		Crumbs: []ui.Link{{Label: "Home", Href: "/"}, {Label: "Product guide", Current: true}},
	}
	all.HasNav = true
	all.Title, all.Page.Description = "Product guide", "How to send a first message, receive callbacks, retry, and go on from there."
	all.Canonical = s.url + guidePath
	markSection(all.Links)
	for _, p := range s.snapshot.Products {
		if p.Hidden || len(guides(p)) == 0 {
			continue
		}
		product := views.GuideProduct{ID: "guides-" + p.Slug, Name: p.Name, Accent: p.Accent}
		if v := p.Latest(); v != nil {
			product.Reference = ui.Link{Label: "Reference", Href: place{p, v}.path()}
		}
		for _, g := range guides(p) {
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

// newGuidePage is a guide of a product, with its neighbours. Code that it has in
// several languages begins with the one that the reader chose.
func newGuidePage(s *site, p *catalogue.Product, i int, c choice) views.GuidePage {
	list := guides(p)
	g := list[i]
	text, headings := markdown.RenderPage(strings.ReplaceAll(g.Text, hereabouts, s.url), languages[c.language].Name)
	guide := views.GuidePage{
		Page: s.frame(nil),
		Nav:  newGuideNav(s, p, g),
		Crumbs: []ui.Link{
			{Label: "Product guide", Href: guidePath}, {Label: p.Name, Href: productPath(p)}, {Label: g.Title, Current: true},
		},
		Name: g.Title, Summary: g.Summary, Text: ui.HTML(text), Published: publishedAt(g.PublishedAt),
	}
	guide.HasNav, guide.Accent = true, p.Accent
	guide.Title, guide.Page.Description = g.Title+" – "+p.Name, g.Summary
	guide.Page.Text, guide.Address = asText(guideAddress(p, g)), s.url+guideAddress(p, g)
	guide.Canonical = s.canonical(p, guideAddress(p, g))
	markSection(guide.Links)
	for _, h := range headings {
		if h.Level < 4 {
			guide.Contents = append(guide.Contents, views.ContentsLink{Link: ui.Link{Label: h.Text, Href: "#" + h.ID}, Nested: h.Level == 3})
		}
	}
	guide.Previous = ui.Link{Label: "Product guide", Href: guidePath}
	if i > 0 {
		guide.Previous = ui.Link{Label: list[i-1].Title, Href: guideAddress(p, list[i-1])}
	}
	if i+1 < len(list) {
		guide.Next = ui.Link{Label: list[i+1].Title, Href: guideAddress(p, list[i+1])}
	}
	return guide
}

// newGuideNav lists the guides by product. A hidden product is there on its own
// guides only.
func newGuideNav(s *site, of *catalogue.Product, current *catalogue.Guide) views.GuideNav {
	nav := views.GuideNav{Overview: ui.Link{Label: "Product guide", Href: guidePath, Current: current == nil}}
	for _, p := range s.snapshot.Products {
		if p.Hidden && p != of || len(guides(p)) == 0 {
			continue
		}
		group := views.GuideGroup{Title: p.Name}
		for _, g := range guides(p) {
			group.Links = append(group.Links, ui.Link{Label: g.Title, Href: guideAddress(p, g), Current: g == current})
		}
		nav.Groups = append(nav.Groups, group)
	}
	return nav
}

func newGuideCard(p *catalogue.Product, g *catalogue.Guide) views.GuideCard {
	return views.GuideCard{Link: ui.Link{Label: g.Title, Href: guideAddress(p, g)}, Summary: g.Summary}
}

// markSection marks the product guide in the header.
func markSection(links []ui.Link) {
	for i := range links {
		links[i].Current = links[i].Href == guidePath
	}
}
