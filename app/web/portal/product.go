package portal

import (
	"heliograph/app/catalogue"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

// newProductPage presents a product and its versions; one that is coming soon
// is announced only.
func newProductPage(s *site, p *catalogue.Product) views.ProductPage {
	product := views.ProductPage{
		Page:        s.frame(p),
		Crumbs:      []ui.Link{{Label: "Products", Href: "/"}, {Label: p.Name, Current: true}},
		Name:        p.Name,
		Description: prose(p.Description),
	}
	product.Title, product.Description = p.Name, prose(p.Description)
	product.Page.Description = p.Summary
	product.Page.Text, product.Address = asText(productPath(p)), s.url+productPath(p)
	product.Canonical = s.canonical(p, productPath(p))
	if p.ComingSoon {
		product.Lifecycle = ui.ComingSoon
	}
	for _, v := range documented(p) {
		product.Versions = append(product.Versions, newVersionCard(place{p, v}))
	}
	if v := p.Latest(); v != nil && !p.ComingSoon {
		at := place{p, v}
		product.Reference = ui.Link{Label: "Read the reference", Href: at.path()}
		for _, c := range v.Groups() {
			product.Topics = append(product.Topics, views.Topic{
				Link: ui.Link{Label: c.Name, Href: at.category(c)}, Summary: first(c.Description), Size: sizeOf(c),
			})
		}
	}
	for _, g := range guides(p) {
		product.Guides = append(product.Guides, newGuideCard(p, g))
	}
	return product
}

func newVersionCard(at place) views.VersionCard {
	v := at.version
	card := views.VersionCard{
		Link:      ui.Link{Label: "Version " + v.Slug, Href: at.path()},
		Lifecycle: ui.Lifecycle(v.Label),
		Facts:     []string{count(len(v.Endpoints()), "endpoint", "endpoints")},
	}
	if v.ReleasedOn != "" {
		card.Facts = append(card.Facts, "Released "+day(v.ReleasedOn))
	}
	if v.SunsetOn != "" && card.Lifecycle == ui.Retired {
		card.Facts = append(card.Facts, "Ended "+day(v.SunsetOn))
	} else if v.SunsetOn != "" {
		card.Facts = append(card.Facts, "Ends "+day(v.SunsetOn))
	}
	return card
}
