package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"heliograph/app/channels/simulate"
	"heliograph/app/documentation/card"
	"heliograph/app/documentation/console"
	"heliograph/app/documentation/feedback"
	"heliograph/app/documentation/mcp"
	"heliograph/app/documentation/media"
	"heliograph/app/documentation/mock"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/sdk/builds"
	"heliograph/app/documentation/search"
	"heliograph/app/operation/theme"
	"heliograph/app/people/contact"
	"heliograph/app/people/identity"
	"heliograph/app/web/assistant"
	pages "heliograph/app/web/channels/simulate"
	"heliograph/app/web/people/enquiry"
	"heliograph/app/web/reader"
	feedbackpage "heliograph/app/web/reader/feedback"
	"heliograph/views/layout"
)

// PortalDeps holds the dependencies of the documentation's pages.
type PortalDeps struct {
	// Documentation is what is published. Without it a server has no
	// portal, no accounts and no administration.
	Documentation *published.Documentation
	// Cards draw and keep the pictures of pages. Without them all pages have the
	// same one.
	Cards *card.Cards
	// Serves reports whether the channel APIs answer a method and a documented
	// path. Without it every documented operation counts as served.
	Serves func(method, path string) bool
	// Authenticate returns the caller of an API key, and CheckURL refuses addresses that
	// are not public: for callbacks of the mock server.
	Authenticate func(ctx context.Context, key string) (identity.Caller, error)
	CheckURL     func(ctx context.Context, url string) error
	// Accepts returns the channel for which an operation accepts messages, "" for none.
	Accepts func(method, path string) string
	// SDKs gives readers the archives of client libraries. Without it none can be read.
	SDKs *builds.Service
	// Search finds things in the documentation.
	Search *search.Engine
	// Media is the gallery of files. Without it there is none.
	Media *media.Library
	// Callbacks signs the callbacks of the message simulators.
	Callbacks simulate.Signer
	// Sandbox sends texts of the simulators in sandboxes.
	Sandbox pages.Sender
	// Console sends the calls of the API console to public addresses.
	Console console.Sender
}

// portalPages holds the handlers of the documentation.
type portalPages struct {
	pages     *reader.Pages
	search    *reader.Search
	assistant *assistant.Endpoint
	contact   *enquiry.Handlers
	feedback  *feedbackpage.Handlers
}

func newPortal(s *Server) portalPages {
	pages := reader.New(reader.Deps{
		Documentation: s.deps.Documentation,
		Cards:         s.deps.Cards,
		PublicURL:     s.deps.Config.PublicURL,
		Limiter:       s.limiter,
		Counted:       s.deps.Insight != nil,
		Console:       s.deps.Settings.ConsoleShown,
		Library:       builds.LibraryFor,
		Brand:         func() *layout.Brand { return s.brands.Of(theme.Public) },
	})
	server := mcp.New(mcp.Deps{
		Documentation: s.deps.Documentation,
		Search:        s.deps.Search,
		Site:          reference.Site{URL: strings.TrimSuffix(s.deps.Config.PublicURL, "/")},
		Name:          func() string { return s.brands.Of(theme.Public).Name },
	})
	return portalPages{
		pages, reader.NewSearch(pages, s.deps.Search, s.limiter),
		assistant.New(assistant.Deps{Server: server, Limiter: s.limiter, PublicURL: s.deps.Config.PublicURL}),
		&enquiry.Handlers{Frame: pages.Frame, PublicURL: strings.TrimSuffix(s.deps.Config.PublicURL, "/"), Gate: s.gates[identity.Account], Contacts: newContacts(s)},
		&feedbackpage.Handlers{Frame: pages.Frame, Asks: pages.AsksReaders, Answers: &feedback.Service{DB: s.deps.DB, Keyring: s.deps.Keyring, Limiter: s.limiter}},
	}
}

// newContacts returns the rules of enquiries.
func newContacts(s *Server) *contact.Service {
	d := s.deps
	return contact.New(contact.Options{
		DB: d.DB, Keyring: d.Keyring, Settings: d.Settings, Jobs: d.Jobs, Mail: d.Notifications, Limiter: s.limiter, PublicURL: d.Config.PublicURL,
	})
}

// routes lists the pages that everybody reads.
func (p portalPages) routes() []Route {
	return []Route{
		{Name: "home", Method: http.MethodGet, Path: "/", Access: Public, Handler: p.pages.Serve(reader.Home)},
		{Name: "sitemap", Method: http.MethodGet, Path: "/sitemap.xml", Access: Public, Handler: p.pages.Serve(reader.Sitemap)},
		{Name: "card", Method: http.MethodGet, Path: "/card/:hash/*", Access: Public, Handler: p.pages.ServeCard},
		{Name: "docs", Method: http.MethodGet, Path: "/docs", Access: Public, Handler: p.pages.Products},
		{Name: "products", Method: http.MethodGet, Path: "/products", Access: Public, Handler: p.pages.Products},
		{Name: "product", Method: http.MethodGet, Path: "/docs/:product", Access: Public, Handler: p.pages.Serve(reader.Product)},
		{Name: "changelog", Method: http.MethodGet, Path: "/docs/:product/changelog", Access: Public, Handler: p.pages.Changelog},
		{Name: "changelog.atom", Method: http.MethodGet, Path: "/docs/:product/changelog.atom", Access: Public, Handler: p.pages.Changelog},
		{Name: "changelog.md", Method: http.MethodGet, Path: "/docs/:product/changelog.md", Access: Public, Handler: p.pages.Changelog},
		{Name: "changelog.json", Method: http.MethodGet, Path: "/docs/:product/changelog.json", Access: Public, Handler: p.pages.Changelog},
		{Name: "compare", Method: http.MethodGet, Path: "/docs/:product/compare", Access: Public, Handler: p.pages.Compare},
		{Name: "compare.md", Method: http.MethodGet, Path: "/docs/:product/compare.md", Access: Public, Handler: p.pages.Compare},
		{Name: "compare.json", Method: http.MethodGet, Path: "/docs/:product/compare.json", Access: Public, Handler: p.pages.Compare},
		{Name: "version", Method: http.MethodGet, Path: "/docs/:product/:version", Access: Public, Handler: p.pages.Serve(reader.Version)},
		{Name: "errors", Method: http.MethodGet, Path: "/docs/:product/:version/errors", Access: Public, Handler: p.pages.Serve(reader.Errors)},
		{Name: "errors.text", Method: http.MethodGet, Path: "/docs/:product/:version/errors.md", Access: Public, Handler: p.pages.Text(reader.Errors)},
		{Name: "endpoint", Method: http.MethodGet, Path: "/docs/:product/:version/:endpoint", Access: Public, Handler: p.pages.Serve(reader.Operation)},
		{Name: "schema", Method: http.MethodGet, Path: "/docs/:product/:version/schemas/:schema", Access: Public, Handler: p.pages.Serve(reader.Schema)},
		{Name: "guides", Method: http.MethodGet, Path: "/productguide", Access: Public, Handler: p.pages.Serve(reader.Guides)},
		{Name: "home.text", Method: http.MethodGet, Path: "/index.md", Access: Public, Handler: p.pages.Text(reader.Home)},
		{Name: "guides.text", Method: http.MethodGet, Path: "/productguide.md", Access: Public, Handler: p.pages.Text(reader.Guides)},
		{Name: "guide", Method: http.MethodGet, Path: "/productguide/:product/:guide", Access: Public, Handler: p.pages.Serve(reader.Guide)},
		{Name: "api.catalog", Method: http.MethodGet, Path: "/api/catalog", Access: Public, Handler: p.pages.ServeFile(reader.CatalogueFile)},
		{Name: "api.catalog.version", Method: http.MethodGet, Path: "/api/catalog/:product/:version", Access: Public, Handler: p.pages.ServeFile(reader.CatalogueFile)},
		{Name: "api.catalog.examples", Method: http.MethodGet, Path: "/api/catalog/:product/:version/:endpoint/examples", Access: Public, Handler: p.pages.ServeFile(reader.ExamplesFile)},
		{Name: "openapi", Method: http.MethodGet, Path: "/openapi/:product/:version", Access: Public, Handler: p.pages.ServeFile(reader.OpenAPIFile)},
		{Name: "openapi.endpoint", Method: http.MethodGet, Path: "/openapi/:product/:version/:endpoint", Access: Public, Handler: p.pages.ServeFile(reader.OpenAPIFile)},
		{Name: "postman.collection", Method: http.MethodGet, Path: "/postman/:product/:version/collection.json", Access: Public, Handler: p.pages.ServeFile(reader.CollectionFile)},
		{Name: "postman.environment", Method: http.MethodGet, Path: "/postman/:product/:version/environment.json", Access: Public, Handler: p.pages.ServeFile(reader.EnvironmentFile)},
		{Name: "mcp.setup", Method: http.MethodGet, Path: "/mcp-setup", Access: Public, Handler: p.pages.Serve(reader.Setup)},
		{Name: "mcp.setup.text", Method: http.MethodGet, Path: "/mcp-setup.md", Access: Public, Handler: p.pages.Text(reader.Setup)},
		{Name: "mcp", Method: http.MethodPost, Path: "/mcp", Access: Public, Handler: p.assistant.Serve},
		{Name: "mcp.show", Method: http.MethodGet, Path: "/mcp", Access: Public, Handler: p.assistant.Serve},
		{Name: "llms", Method: http.MethodGet, Path: "/llms.txt", Access: Public, Handler: p.pages.ServeFile(reader.IndexFile)},
		{Name: "llms.known", Method: http.MethodGet, Path: "/.well-known/llms.txt", Access: Public, Handler: p.pages.ServeFile(reader.IndexFile)},
		{Name: "llms.full", Method: http.MethodGet, Path: "/llms-full.txt", Access: Public, Handler: p.pages.ServeFile(reader.FullTextFile)},
		{Name: "llms.product", Method: http.MethodGet, Path: "/docs/:product/llms.txt", Access: Public, Handler: p.pages.ServeFile(reader.IndexFile)},
		{Name: "llms.product.full", Method: http.MethodGet, Path: "/docs/:product/llms-full.txt", Access: Public, Handler: p.pages.ServeFile(reader.FullTextFile)},
		{Name: "apis", Method: http.MethodGet, Path: "/.well-known/api-catalog", Access: Public, Handler: p.pages.ServeFile(reader.APICatalogFile)},
		{Name: "search", Method: http.MethodGet, Path: "/search", Access: Public, Handler: p.search.Show},
		{Name: "contact.show", Method: http.MethodGet, Path: "/contact-us", Access: Visitor, Handler: p.contact.Show},
		{Name: "contact", Method: http.MethodPost, Path: "/contact-us", Access: Visitor, Handler: p.contact.Submit},
		{Name: "contact.thanks", Method: http.MethodGet, Path: "/contact-us/thanks", Access: Visitor, Handler: p.contact.Thank},
		{Name: "contact.confirm.show", Method: http.MethodGet, Path: "/contact-us/confirm", Access: Visitor, Handler: p.contact.ShowConfirm},
		{Name: "contact.confirm", Method: http.MethodPost, Path: "/contact-us/confirm", Access: Visitor, Handler: p.contact.Confirm},
		{Name: "feedback.show", Method: http.MethodGet, Path: "/feedback", Access: Visitor, Handler: p.feedback.Show},
		{Name: "feedback", Method: http.MethodPost, Path: "/feedback", Access: Visitor, Handler: p.feedback.Save},
		{Name: "feedback.thanks", Method: http.MethodGet, Path: "/feedback/thanks", Access: Visitor, Handler: p.feedback.Thank},
		{Name: "copied", Method: http.MethodPost, Path: "/copied", Access: Public, Handler: p.pages.Copied, BodyLimit: 1 << 10},
		{Name: "api.search", Method: http.MethodGet, Path: "/api/search", Access: Public, Handler: p.search.API},
	}
}

// serves reports whether a table has a route for a method and a documented path.
func serves(table []Route, method, path string) bool {
	if strings.HasPrefix(path, mock.Prefix+"/") {
		return true // its own routing takes every method
	}
	return slices.ContainsFunc(table, func(r Route) bool {
		return (r.Method == method || r.Method == anyMethod) && openapi.SamePath(strings.Split(strings.Trim(r.Path, "/"), "/"), path)
	})
}
