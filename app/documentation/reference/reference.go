// Package reference writes published documentation as Markdown: products,
// versions, endpoints, callbacks, schemas and guides. The portal serves these
// texts, and readers paste them into other tools.
//
// It also knows the addresses of documentation, so that every output links to the
// same pages.
package reference

import (
	"net/url"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
)

// GuidesPath is the path of the product guide. Guides are below it, by product.
const GuidesPath = "/productguide"

// Receiver stands for the address of a callback, which differs by reader.
const Receiver = "your webhook address"

// MockNote describes the mock of a version beside its address.
const MockNote = "Mock server: answers from this documentation and sends nothing"

// MockGuide is the path of the guide about mocks.
const MockGuide = GuidesPath + "/portal/mock-server"

// NotServed marks an operation that nothing serves yet.
const NotServed = "Not served yet"

// Site writes texts for an installation.
type Site struct {
	URL  string // public, without a slash at its end
	Name string // of the portal; empty is the default
}

// Title names the documentation as a whole.
func (s Site) Title() string { return strings.TrimSpace(s.Name + " API documentation") }

// Server returns the base address that readers call, without a slash at its end.
// A server on localhost, or one without a host, is this installation.
func (s Site) Server(raw string) string {
	if path, own := openapi.OwnPath(raw); own {
		raw = s.URL + "/" + strings.TrimPrefix(path, "/")
	}
	return strings.TrimSuffix(raw, "/")
}

// Base returns the server that the samples of an endpoint call, by the index of
// the endpoint's servers.
func (s Site) Base(e *model.Endpoint, server int) string {
	if len(e.Servers) == 0 {
		return s.URL
	}
	return s.Server(e.Servers[server].URL)
}

// GuideText returns the Markdown of a guide with the addresses of this
// installation.
func (s Site) GuideText(g *published.Guide) string {
	return strings.ReplaceAll(g.Text, openapi.ExampleURL, s.URL)
}

// textURL returns the address of a page as Markdown.
func (s Site) textURL(path string) string { return s.URL + TextPath(path) }

// TextPath returns the path of a page as Markdown.
func TextPath(path string) string { return path + ".md" }

// ProductPath returns the path of a product's page.
func ProductPath(p *published.Product) string { return "/docs/" + p.Slug }

// GuidePath returns the path of a guide.
func GuidePath(p *published.Product, g *published.Guide) string {
	return GuidesPath + "/" + p.Slug + "/" + g.Slug
}

// Place is a version of a product.
type Place struct {
	Product *published.Product
	Version *published.Version
}

// Name returns the name of the version with its product: "Business Messaging 3.0".
func (at Place) Name() string { return at.Product.Name + " " + at.Version.Slug }

// Path returns the path of the version's page.
func (at Place) Path() string { return ProductPath(at.Product) + "/" + at.Version.Slug }

// MockPath returns the start of the paths of the version's mock.
func (at Place) MockPath() string { return "/mock/" + at.Product.Slug + "/" + at.Version.Slug }

// Operation returns the path of the page of an endpoint or a callback.
func (at Place) Operation(op *published.Operation) string { return at.Path() + "/" + op.Slug }

// Schema returns the path of the page of a named schema.
func (at Place) Schema(name string) string { return at.Path() + "/schemas/" + url.PathEscape(name) }

// Errors returns the path of the page of the version's error codes.
func (at Place) Errors() string { return at.Path() + "/errors" }

// Successor returns the version to read instead: the recommended one, else the
// latest. It is nil when that is the version itself.
func (at Place) Successor() *published.Version {
	to := at.Product.Version(at.Version.MigrateTo)
	if to == nil {
		to = at.Product.Latest()
	}
	if to == at.Version {
		return nil
	}
	return to
}

// CallbackGuide returns the guide of the product about receiving callbacks, by
// its title; nil where there is none.
func (at Place) CallbackGuide() *published.Guide {
	for _, g := range at.Product.VisibleGuides() {
		title := strings.ToLower(g.Title)
		if strings.Contains(title, "callback") || strings.Contains(title, "webhook") {
			return g
		}
	}
	return nil
}
