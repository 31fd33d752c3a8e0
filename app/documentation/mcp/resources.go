package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
)

// markdownType is the content type of pages.
const markdownType = "text/markdown"

// scheme begins the addresses of resources.
const scheme = "docs://"

func versionURI(at reference.Place) string { return scheme + at.Product.Slug + "/" + at.Version.Slug }

func endpointURI(at reference.Place, op *published.Operation) string {
	return versionURI(at) + "/endpoints/" + op.Slug
}

func guideURI(p *published.Product, g *published.Guide) string {
	return scheme + p.Slug + "/guides/" + g.Slug
}

// addResources adds the versions and guides, and templates for everything else.
func (l library) addResources(server *mcp.Server) {
	for _, p := range l.products() {
		for _, v := range p.VisibleVersions() {
			at := reference.Place{Product: p, Version: v}
			server.AddResource(&mcp.Resource{URI: versionURI(at), Name: at.Name(), Title: at.Name(), Description: "Overview with all endpoints", MIMEType: markdownType}, l.read)
		}
		for _, g := range p.VisibleGuides() {
			server.AddResource(&mcp.Resource{URI: guideURI(p, g), Name: g.Title, Title: g.Title, Description: g.Summary, MIMEType: markdownType}, l.read)
		}
	}
	for _, t := range []mcp.ResourceTemplate{
		{URITemplate: scheme + "{product}/{version}", Name: "version", Title: "Version", Description: "Overview of a version with all endpoints", MIMEType: markdownType},
		{URITemplate: scheme + "{product}/{version}/endpoints/{endpoint}", Name: "endpoint", Title: "Endpoint", Description: "Everything about one endpoint", MIMEType: markdownType},
		{URITemplate: scheme + "{product}/guides/{+path}", Name: "guide", Title: "Guide", Description: "A guide of a product", MIMEType: markdownType},
		{URITemplate: scheme + "{product}/{version}/openapi", Name: "openapi", Title: "OpenAPI document", Description: "The version as OpenAPI 3.1", MIMEType: "application/json"},
	} {
		server.AddResourceTemplate(&t, l.read)
	}
}

// read returns a resource. What is not published and what never was are alike.
func (l library) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	parts := strings.Split(strings.TrimPrefix(uri, scheme), "/")
	p := l.product(parts[0])
	if p == nil || len(parts) < 2 || !strings.HasPrefix(uri, scheme) {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	var text string
	var err error
	contentType := markdownType
	v := p.Version(parts[1])
	at := reference.Place{Product: p, Version: v}
	switch {
	case parts[1] == "guides" && len(parts) == 3:
		i := slices.IndexFunc(p.VisibleGuides(), func(g *published.Guide) bool { return g.Slug == parts[2] })
		if i < 0 {
			return nil, mcp.ResourceNotFoundError(uri)
		}
		text = l.Site.Guide(p, p.VisibleGuides()[i])
	case v == nil:
		return nil, mcp.ResourceNotFoundError(uri)
	case len(parts) == 2:
		text, err = l.Site.Version(ctx, at)
	case len(parts) == 3 && parts[2] == "openapi":
		n, failed := reference.Files{Site: l.Site}.OpenAPI(ctx, at, nil)
		if err = failed; err == nil {
			text, contentType = n.Pretty(), "application/json"
		}
	case len(parts) == 4 && parts[2] == "endpoints" && v.Operation(parts[3]) != nil:
		text, err = l.Site.Operation(ctx, at, v.Operation(parts[3]), reference.Choice{})
	default:
		return nil, mcp.ResourceNotFoundError(uri)
	}
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: contentType, Text: text}}}, nil
}

// maxCompletions is the most values that the protocol allows in a completion.
const maxCompletions = 100

// complete completes the arguments of resources and prompts. Versions depend on
// the product, and endpoints on the version.
func (l library) complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	given := map[string]string{}
	if c := req.Params.Context; c != nil {
		given = c.Arguments
	}
	var all []string
	switch p := l.product(given["product"]); req.Params.Argument.Name {
	case "product":
		for _, p := range l.products() {
			all = append(all, p.Slug)
		}
	case "version", "from", "to":
		if p != nil {
			for _, v := range p.VisibleVersions() {
				all = append(all, v.Slug)
			}
		}
	case "path":
		if p != nil {
			for _, g := range p.VisibleGuides() {
				all = append(all, g.Slug)
			}
		}
	case "endpoint":
		if p == nil {
			break
		}
		v := p.Version(given["version"])
		if v == nil {
			v = p.Latest()
		}
		for _, op := range v.Operations() {
			all = append(all, op.Slug)
		}
	case "language":
		all = languageSlugs()
	}
	typed := strings.ToLower(req.Params.Argument.Value)
	values := []string{}
	for _, value := range all {
		if strings.HasPrefix(strings.ToLower(value), typed) {
			values = append(values, value)
		}
	}
	total := len(values)
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{
		Values: values[:min(total, maxCompletions)], Total: total, HasMore: total > maxCompletions,
	}}, nil
}
