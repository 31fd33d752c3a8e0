package reference

import (
	"context"
	"net/url"
	"strings"

	"heliograph/app/documentation/openapi/export"
	"heliograph/app/documentation/openapi/postman"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/documentation/published"
)

// CataloguePath returns the path of the version's catalogue as JSON.
func (at Place) CataloguePath() string {
	return "/api/catalog/" + at.Product.Slug + "/" + at.Version.Slug
}

// ExamplesPath returns the path of the examples of an operation as JSON.
func (at Place) ExamplesPath(op *published.Operation) string {
	return at.CataloguePath() + "/" + op.Slug + "/examples"
}

// OpenAPIPath returns the path of the version's OpenAPI document in a form, json
// or yaml.
func (at Place) OpenAPIPath(form string) string {
	return "/openapi/" + at.Product.Slug + "/" + at.Version.Slug + "." + form
}

// OperationOpenAPIPath returns the path of the OpenAPI document of an operation.
func (at Place) OperationOpenAPIPath(op *published.Operation, form string) string {
	return "/openapi/" + at.Product.Slug + "/" + at.Version.Slug + "/" + op.Slug + "." + form
}

// PostmanPath returns the path of the version's collection or environment.
func (at Place) PostmanPath(name string) string {
	return "/postman/" + at.Product.Slug + "/" + at.Version.Slug + "/" + name + ".json"
}

// Files makes the documents that programs take of the documentation.
type Files struct{ Site }

// OpenAPI returns the OpenAPI document of a version, or of one operation where it
// is not nil. [published.IsBroken] holds of the error when it cannot be put
// together.
func (s Files) OpenAPI(ctx context.Context, at Place, op *published.Operation) (*tree.Node, error) {
	a, err := at.Version.Document(ctx)
	if err != nil {
		return nil, err
	}
	if op == nil {
		return s.withMock(at, export.Document(a, s.Server)), nil
	}
	if n := export.Operation(a, op.Slug, s.Server); n != nil {
		if !op.Callback {
			n = s.withMock(at, n)
		}
		return n, nil
	}
	return tree.Object(), nil
}

// withMock adds the mock to the servers of a document.
func (s Files) withMock(at Place, document *tree.Node) *tree.Node {
	if len(at.Version.Endpoints()) > 0 {
		export.AddServer(document, s.URL+at.MockPath(), MockNote, s.URL)
	}
	return document
}

// Collection returns the Postman collection of a version.
func (s Files) Collection(ctx context.Context, at Place) ([]byte, error) {
	source, err := s.postman(ctx, at)
	if err != nil {
		return nil, err
	}
	return postman.Collection(source)
}

// Environment returns the environment of the Postman collection of a version.
func (s Files) Environment(ctx context.Context, at Place) ([]byte, error) {
	source, err := s.postman(ctx, at)
	if err != nil {
		return nil, err
	}
	return postman.Environment(source)
}

func (s Files) postman(ctx context.Context, at Place) (source postman.Source, err error) {
	api, err := at.Version.Compile(ctx)
	if err != nil {
		return source, err
	}
	source = postman.Source{
		ID: at.Product.Slug + "/" + at.Version.Slug, Name: at.Name(), Description: at.Version.Description,
		Base: strings.ReplaceAll(at.Product.Slug, "-", "_") + "_base_url", Server: s.URL, Address: s.Server, Mock: s.URL + at.MockPath(),
	}
	if len(api.Servers) > 0 {
		source.Server = s.Server(api.Servers[0].URL)
	}
	for _, c := range api.Categories {
		source.Folders = append(source.Folders, postman.Folder{Name: c.Name, Description: c.Description, Endpoints: c.Endpoints})
	}
	return source, nil
}

// link is a target of a link set (RFC 9264).
type link struct {
	Href string `json:"href"`
	Type string `json:"type,omitempty"`
}

// APICatalog returns the link set of all APIs (RFC 9727), without the APIs of hidden
// products.
func (s Files) APICatalog(now *published.Snapshot) ([]byte, error) {
	list := []any{}
	for _, p := range now.Products {
		for _, v := range p.VisibleVersions() {
			if p.Hidden {
				continue
			}
			at, anchor := Place{p, v}, s.URL
			if len(v.Servers) > 0 {
				anchor = s.Server(v.Servers[0].URL)
			}
			if u, err := url.Parse(anchor); err != nil || u.Scheme == "" {
				anchor = s.URL
			}
			list = append(list, map[string]any{
				"anchor": anchor,
				"service-desc": []link{
					{s.URL + at.OpenAPIPath("json"), "application/json"}, {s.URL + at.OpenAPIPath("yaml"), "application/yaml"},
				},
				"service-doc":  []link{{s.URL + at.Path(), "text/html"}, {s.URL + TextPath(at.Path()), "text/markdown"}},
				"service-meta": []link{{s.URL + at.CataloguePath(), "application/json"}},
				"status":       []link{{s.URL + "/health", "application/json"}},
			})
		}
	}
	return encode(map[string]any{"linkset": list})
}

// SDKPath returns the path of the page of the version's client libraries.
func (at Place) SDKPath() string { return "/sdk/" + at.Product.Slug + "/" + at.Version.Slug }

// CallPath returns the path of the code that calls an operation with the client libraries.
func (at Place) CallPath(slug string) string { return at.SDKPath() + "/calls/" + slug }
