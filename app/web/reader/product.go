package reader

import (
	"context"
	"net/url"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// Product is the address of a product.
var Product = Address{path: "/docs/:product", find: findProduct}

type productSource struct{ place }

func findProduct(s *site, in parameters) source {
	if p := s.snapshot.Product(in.Param("product")); p != nil {
		return productSource{place{product: p}}
	}
	return nil
}

func (src productSource) view(ctx context.Context, s *site, _ asked) (page.View, error) {
	product, err := newProductPage(ctx, s, src.product)
	return page.View{Frame: product.Page, Body: views.Product(product)}, err
}

func (src productSource) markdown(_ context.Context, s *site, _ choice) (string, error) {
	return s.texts.Product(src.product), nil
}

// newProductPage returns the page of a product with its versions. A product
// that is coming soon has no versions.
func newProductPage(ctx context.Context, s *site, p *published.Product) (views.ProductPage, error) {
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
	if !p.ComingSoon && len(p.VisibleVersions()) > 0 {
		product.Changelog = changelogPath(p)
	}
	product.Canonical, product.Compare = s.canonical(p, reference.ProductPath(p)), reference.ComparePath(p)
	if p.ComingSoon {
		product.Lifecycle = ui.ComingSoon
		product.Soon = p.Name + " has no documentation yet. Its first version will be published on this page. Tell us what you plan with it, and we write to you about it."
		product.Tell = ui.Link{Label: "Tell me when " + p.Name + " is there", Href: contactPath + "?" + url.Values{"page": {reference.ProductPath(p)}}.Encode()}
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
	for _, g := range p.OwnGuides() {
		product.Guides = append(product.Guides, newGuideCard(p, g))
	}
	if v := p.Latest(); v != nil && !p.ComingSoon {
		return product, addCall(ctx, s, place{p, v}, &product)
	}
	return product, nil
}

// addCall adds a call of the first endpoint with its answer, and what a caller needs. An
// endpoint that cannot be compiled is left out.
func addCall(ctx context.Context, s *site, at place, product *views.ProductPage) error {
	for _, op := range at.version.Endpoints() {
		if op.Deprecated {
			continue
		}
		e, err := at.version.Endpoint(ctx, op)
		if published.IsBroken(err) {
			continue
		}
		if err != nil {
			return err
		}
		product.Call = ui.Link{Label: op.Name, Href: at.endpoint(op)}
		product.Request, product.Answer = sampleOf(s, e, choice{}, 0), firstAnswer(e)
		product.Request.Quiet = false // no choice of languages stands above it
		for _, scheme := range newEndpointAuth(e) {
			if len(product.Needs) == 0 && scheme.Sends != "" {
				product.Needs = append(product.Needs, ui.Pair{Key: scheme.Name, Value: scheme.Sends, Mono: true})
			}
		}
		product.Needs = append(product.Needs, ui.Pair{Key: "Base URL", Value: s.texts.Base(e, 0), Mono: true})
		return nil
	}
	return nil
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
	if ended := v.EndedOn(); ended != "" && card.Lifecycle == ui.Retired {
		card.Facts = append(card.Facts, "Ended "+reference.Day(ended))
	} else if v.SunsetOn != "" {
		card.Facts = append(card.Facts, "Ends "+reference.Day(v.SunsetOn))
	}
	return card
}
