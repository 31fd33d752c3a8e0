// Package mcp answers the Model Context Protocol with the published
// documentation: five tools, resources, completions and two prompts. It reads the
// published documentation and the search only, so that nothing unpublished can appear,
// and it leaves out hidden products.
//
// A tool result has the same facts twice, as compact Markdown and as structured
// content, because clients give their models only one of the two. Each is at
// most maxText characters long. Wrong arguments are results that say what to
// change. Lists have a fixed order and opaque cursors, which belong to one query
// and one state of the documentation.
//
// The server keeps no sessions. Handler serves one server for each product scope
// and replaces them when something is published.
package mcp

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/documentation/search"
	"heliograph/app/lists"
)

// Limits of requests. MaxBody is in bytes, MaxBatch in messages.
const (
	MaxBody  = 64 << 10
	MaxBatch = 10
)

// callTimeout is the longest that a message is worked on.
const callTimeout = 10 * time.Second

// freshFor is how long clients may keep lists and resources, in milliseconds.
const freshFor = 60_000

// Deps holds the dependencies of a Server.
type Deps struct {
	Documentation *published.Documentation
	Search        *search.Engine
	// Site writes texts with the public address.
	Site reference.Site
	// Name returns the name of the portal, empty for the default one; may be nil.
	Name func() string
}

// Server answers MCP requests. Use New.
type Server struct {
	deps Deps

	mu     sync.Mutex
	stamp  uint64
	name   string
	scoped map[string]*mcp.Server // by the slug of a product, empty for all
}

// New returns a server.
func New(deps Deps) *Server { return &Server{deps: deps} }

// Handler returns the HTTP handler of the protocol. It checks neither Host nor
// Origin nor the rate of calls: the caller does. The query ?product= limits it to
// one product.
func (s *Server) Handler() http.Handler {
	return mcp.NewStreamableHTTPHandler(s.serverFor, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: MaxBody, PropagateRequestCancellation: true, DisableLocalhostProtection: true,
	})
}

// serverFor returns the server for the scope of a request. An unknown product has
// none, and the request is answered 400.
func (s *Server) serverFor(r *http.Request) *mcp.Server {
	now := s.deps.Documentation.Snapshot()
	slug := r.URL.Query().Get("product")
	l := library{Deps: s.deps, now: now, scope: slug}
	if s.deps.Name != nil {
		l.Site.Name = s.deps.Name()
	}
	if slug != "" && l.product(slug) == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stamp != now.Stamp || s.name != l.Site.Name || s.scoped == nil {
		s.stamp, s.name, s.scoped = now.Stamp, l.Site.Name, map[string]*mcp.Server{}
	}
	if s.scoped[slug] == nil {
		s.scoped[slug] = l.server()
	}
	return s.scoped[slug]
}

// library is what one server offers: the products of a snapshot, or one of them.
type library struct {
	Deps
	now   *published.Snapshot
	scope string // slug of the only product, empty for all
}

func (l library) server() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "heliograph-docs", Title: l.Site.Title(), Version: "1.1", WebsiteURL: l.Site.URL}, &mcp.ServerOptions{
		Instructions: l.instructions(),
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Completions: &mcp.CompletionCapabilities{},
		},
		CompletionHandler: l.complete,
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.TTLMs, c.CacheScope = freshFor, "public"
		},
	})
	server.AddReceivingMiddleware(protect)
	l.addTools(server)
	l.addResources(server)
	l.addPrompts(server)
	return server
}

// protect bounds the time of a message and survives a panic of its handler. The
// SDK runs handlers in goroutines of its own, where a panic would end the process.
func protect(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		defer func() {
			if r := recover(); r != nil {
				slog.ErrorContext(ctx, "an MCP handler panicked", "method", method, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
				result, err = nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "Something went wrong on our side. Try again in a moment."}
			}
		}()
		return next(ctx, method, req)
	}
}

// products lists the products that are offered.
func (l library) products() (list []*published.Product) {
	for _, p := range l.now.Products {
		if !p.Hidden && len(p.VisibleVersions()) > 0 && (l.scope == "" || p.Slug == l.scope) {
			list = append(list, p)
		}
	}
	return list
}

// product returns a product that is offered, nil where there is none.
func (l library) product(slug string) *published.Product {
	return lists.First(l.products(), func(p *published.Product) bool { return strings.EqualFold(p.Slug, slug) })
}

// maxInstructions is how much of the instructions clients read, in characters.
const maxInstructions = 2048

// instructions tells a model when to use the server.
func (l library) instructions() string {
	names := lists.Map(l.products(), func(p *published.Product) string { return fmt.Sprintf("%s (%s)", p.Name, p.Slug) })
	text := "Use this server for questions about the APIs of " + strings.Join(names, ", ") + ": their endpoints, fields, errors and code.\n" +
		"Start with search_api_docs, or with list_endpoints for an overview. Then call get_endpoint for everything about one endpoint, with code in the language of the user.\n" +
		"Without a version, tools answer for the current one, and each answer names its version. Say so where a version is deprecated.\n" +
		"Do not guess fields that get_endpoint does not list. Keep placeholders such as <API_KEY> in code: never ask the user for a key."
	if r := []rune(text); len(r) > maxInstructions {
		text = string(r[:maxInstructions])
	}
	return text
}
