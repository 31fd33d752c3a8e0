package portal

import (
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

// newProductPage returns the page of a product with its versions. A product
// that is coming soon has no versions.
func newProductPage(s *site, p *published.Product) views.ProductPage {
	product := views.ProductPage{
		Page:        s.frame(p),
		Name:        p.Name,
		Icon:        newDrawing(p.Icon),
		Description: prose(p.Description),
	}
	product.Crumbs = []ui.Link{{Label: "Products", Href: "/"}, {Label: p.Name, Current: true}}
	product.Title, product.Description = p.Name, prose(p.Description)
	product.Page.Description = p.Summary
	product.Page.Text, product.Address = reference.TextPath(reference.ProductPath(p)), s.url+reference.ProductPath(p)
	product.Changelog = changelogPath(p)
	product.Canonical, product.Compare = s.canonical(p, reference.ProductPath(p)), reference.ComparePath(p)
	if p.ComingSoon {
		product.Lifecycle = ui.ComingSoon
	}
	for _, v := range p.VisibleVersions() {
		product.Versions = append(product.Versions, newVersionCard(place{p, v}))
	}
	if v := p.Latest(); v != nil && !p.ComingSoon {
		at := place{p, v}
		product.Reference = ui.Link{Label: "Read the reference", Href: at.path()}
		for _, c := range v.Groups() {
			product.Topics = append(product.Topics, views.Topic{
				Link: ui.Link{Label: c.Name, Href: at.category(c)}, Summary: markdown.FirstSentence(c.Description), Size: at.sizeOf(c),
			})
		}
	}
	for _, g := range p.VisibleGuides() {
		product.Guides = append(product.Guides, newGuideCard(p, g))
	}
	return product
}

func newVersionCard(at place) views.VersionCard {
	v := at.version
	card := views.VersionCard{
		Link:      ui.Link{Label: "Version " + v.Slug, Href: at.path()},
		Lifecycle: ui.Lifecycle(v.Label),
		Facts:     []string{sizeOfVersion(v)},
	}
	if v.ReleasedOn != "" {
		card.Facts = append(card.Facts, "Released "+reference.Day(v.ReleasedOn))
	}
	if v.DeprecatedOn != "" && card.Lifecycle == ui.Deprecated {
		card.Facts = append(card.Facts, "Deprecated "+reference.Day(v.DeprecatedOn))
	}
	if ended := reference.Ended(v); ended != "" && card.Lifecycle == ui.Retired {
		card.Facts = append(card.Facts, "Ended "+reference.Day(ended))
	} else if v.SunsetOn != "" {
		card.Facts = append(card.Facts, "Ends "+reference.Day(v.SunsetOn))
	}
	return card
}
