package reader

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// The operations that the homepage links to if the first product has them, and
// the example that it shows of the first one.
const (
	firstID      = "sendMessage"
	firstExample = "text"
	callbacks    = "setWebhook"
)

// Paths of accounts, and of the form for enquiries.
const (
	registerPath    = "/register"
	signInPath      = "/login"
	accountLinkPath = "/account/link"
	contactPath     = "/contact-us"
)

// Home is the address of the homepage.
var Home = Address{path: "/", find: func(*site, parameters) source { return homeSource{} }}

type homeSource struct{ place }

func (homeSource) release(s *site) release { return release{menu: s.menu, scope: s.snapshot.Stamp} }

func (homeSource) samples(bool) ([]model.Server, bool) { return nil, true }

func (homeSource) view(ctx context.Context, s *site, a asked) (page.View, error) {
	home, err := newHomePage(ctx, s, a.choice)
	return page.View{Frame: home.Page, Body: views.Home(home)}, err
}

func (homeSource) markdown(ctx context.Context, s *site, _ choice) (string, error) {
	return s.texts.Index(ctx, s.snapshot, nil)
}

// newHomePage lists the products and counts their contents. It starts with a
// call of the first product.
func newHomePage(ctx context.Context, s *site, c choice) (views.HomePage, error) {
	home := views.HomePage{Page: s.frame(nil)}
	home.Canonical = s.url + "/"
	for _, soon := range []bool{false, true} { // what can be read comes first
		for _, p := range s.snapshot.Products {
			if p.Homepage && !p.Hidden && p.ComingSoon == soon {
				home.Products = append(home.Products, newProductCard(p))
			}
		}
	}
	if len(s.snapshot.Products) == 0 {
		home.First = ui.Link{Label: "Bring your API in", Href: "/admin/imports/new"}
	}
	home.Counts, home.Published = tally(s.snapshot)
	var first *published.Product
	for _, p := range s.snapshot.Products {
		if p.Hidden || p.ComingSoon || len(p.VisibleVersions()) == 0 {
			continue
		}
		if first == nil {
			first = p
		}
		addGuide(&home, p, p == first)
	}
	var err error
	if first != nil {
		err = addFirstCall(ctx, &home, s, firstCall{place{first, first.Latest()}, c})
	}
	wordHome(&home)
	return home, err
}

func newProductCard(p *published.Product) views.ProductCard {
	card := views.ProductCard{Link: ui.Link{Label: p.Name}, Icon: newDrawing(p.Icon), Summary: p.Summary, Accent: p.Accent}
	if p.ComingSoon {
		card.Lifecycle = ui.ComingSoon
		return card
	}
	card.Href = reference.ProductPath(p)
	if v := p.Latest(); v != nil {
		card.Lifecycle = ui.Lifecycle(v.Label)
		card.Facts = []string{"Version " + v.Slug, sizeOfVersion(v)}
	}
	return card
}

// tally counts the products, those to come among them.
func tally(snapshot *published.Snapshot) (counts []views.Count, published views.Published) {
	products := 0
	for _, p := range snapshot.Products {
		if !p.Hidden && (p.ComingSoon || len(p.Versions) > 0) {
			products++
		}
	}
	if noun := "products"; products > 0 {
		if products == 1 {
			noun = "product"
		}
		counts = append(counts, views.Count{Number: strconv.Itoa(products), Noun: noun})
	}
	if last := lastOf(snapshot); !last.IsZero() {
		published = publishedAt(last)
	}
	return counts, published
}

// firstCall is the version with the call on the homepage, and the reader's
// choice of its language.
type firstCall struct {
	place
	choice
}

// addFirstCall adds a call and its response to the homepage, from the
// documentation itself: a message where the product sends messages, otherwise its
// first endpoint. A call that cannot be compiled is left out.
func addFirstCall(ctx context.Context, home *views.HomePage, s *site, at firstCall) error {
	list := at.version.Endpoints()
	if len(list) == 0 {
		return nil
	}
	first := slices.IndexFunc(list, func(op *published.Operation) bool { return op.ID == firstID })
	if first >= 0 {
		home.Keys = ui.Link{Label: "Register", Href: registerPath}
	}
	for _, op := range list {
		link := ui.Link{Label: op.Name, Href: at.endpoint(op)}
		switch op.ID {
		case list[max(0, first)].ID:
			e, err := at.version.Endpoint(ctx, op)
			if published.IsBroken(err) {
				continue
			}
			if err != nil {
				return err
			}
			home.Endpoint = link
			example := slices.IndexFunc(sample.Choices(e), func(c sample.Choice) bool { return c.Example.Name == firstExample })
			home.Request = sampleOf(s, e, at.choice, max(0, example))
			home.Request.Title, home.Request.Quiet = e.Name, false
			home.Languages = at.languageLinks(nil, "")
			home.Answer = firstAnswer(e)
			home.Examples = newSearches(at.place, e)
		case callbacks:
			home.Callbacks = link
		}
	}
	return nil
}

// minCode is the number of digits from which a number is surely an error code.
const minCode = 5

// newSearches suggests searches for parts of an endpoint: its path, a field and
// an error code.
func newSearches(at place, e *model.Endpoint) (list []views.GuideCard) {
	add := func(words, finds string) {
		list = append(list, views.GuideCard{Link: ui.Link{Label: words, Href: "/search?" + url.Values{"q": {words}}.Encode()}, Summary: finds})
	}
	add(e.Method+" "+e.Path[strings.LastIndexByte(e.Path, '/'):], e.Name)
	for f := range e.Fields() {
		if strings.HasPrefix(f.Path, "body") && strings.Contains(f.Name, "_") && f.Description != "" && len(f.Enum) == 0 && len(f.Children) == 0 {
			add(f.Name, markdown.FirstSentence(f.Description))
			break
		}
	}
	for _, r := range e.Responses {
		faults := newErrors(at, r)
		i := slices.IndexFunc(faults, func(f views.Fault) bool { return len(f.Code) >= minCode })
		if !strings.HasPrefix(r.Status, "2") && i >= 0 {
			add(faults[i].Code, faults[i].Cause)
			break
		}
	}
	return list
}

// addGuide links to the guide that a product starts with. For the first product it is
// the button too.
func addGuide(home *views.HomePage, p *published.Product, isFirst bool) {
	guides := p.OwnGuides()
	if len(guides) == 0 {
		return
	}
	card := newGuideCard(p, guides[0])
	if isFirst {
		home.Begin = card.Link
	}
	home.Guides = append(home.Guides, card)
}

// firstAnswer returns the first example of the first response.
func firstAnswer(e *model.Endpoint) ui.Code {
	for _, r := range e.Responses {
		for _, b := range r.Bodies {
			for _, example := range b.Examples {
				return ui.Code{Title: r.Status + " " + r.Title, Language: reference.Syntax(b.ContentType), Text: example.Value}
			}
		}
	}
	return ui.Code{}
}
