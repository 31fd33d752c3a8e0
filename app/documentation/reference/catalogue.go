package reference

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
)

// The catalogue as JSON, as the contract of the Portal API documents it.
type (
	productEntry struct {
		Slug        string         `json:"slug"`
		Name        string         `json:"name"`
		Summary     string         `json:"summary"`
		Status      string         `json:"status"`
		URL         string         `json:"url,omitempty"`
		Current     string         `json:"current_version,omitempty"`
		MarkdownURL string         `json:"markdown_url,omitempty"`
		Versions    []versionEntry `json:"versions"`
	}
	versionEntry struct {
		Version        string    `json:"version"`
		Lifecycle      string    `json:"lifecycle"`
		ReleasedOn     string    `json:"released_on,omitempty"`
		SunsetOn       string    `json:"sunset_on,omitempty"`
		MigrateTo      string    `json:"migrate_to,omitempty"`
		IsCurrent      bool      `json:"is_current"`
		Release        int       `json:"release"`
		PublishedAt    time.Time `json:"published_at"`
		EndpointCount  int       `json:"endpoint_count"`
		URL            string    `json:"url"`
		MarkdownURL    string    `json:"markdown_url"`
		CatalogueURL   string    `json:"catalogue_url"`
		OpenAPIJSONURL string    `json:"openapi_json_url"`
		OpenAPIYAMLURL string    `json:"openapi_yaml_url"`
		CollectionURL  string    `json:"postman_collection_url"`
		EnvironmentURL string    `json:"postman_environment_url"`
		SDKURL         string    `json:"sdk_url"`
	}
	productReference struct {
		Slug string `json:"slug"`
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	categoryEntry struct {
		Name          string `json:"name"`
		Description   string `json:"description,omitempty"`
		EndpointCount int    `json:"endpoint_count"`
	}
	endpointEntry struct {
		Slug           string            `json:"slug"`
		Name           string            `json:"name"`
		Category       string            `json:"category"`
		Method         string            `json:"method"`
		Path           string            `json:"path"`
		Purpose        string            `json:"purpose"`
		Deprecated     bool              `json:"deprecated"`
		OperationID    string            `json:"operation_id"`
		Authentication []credentialEntry `json:"authentication"`
		URL            string            `json:"url"`
		MarkdownURL    string            `json:"markdown_url"`
		OpenAPIURL     string            `json:"openapi_url"`
		ExamplesURL    string            `json:"examples_url"`
	}
	credentialEntry struct {
		Location string `json:"location"`
		Name     string `json:"name"`
	}
	exampleEntry struct {
		Status    string `json:"status,omitempty"`
		Name      string `json:"name"`
		Summary   string `json:"summary,omitempty"`
		MediaType string `json:"media_type"`
		Value     any    `json:"value"`
	}
)

// Catalogue returns the list of products as JSON, without hidden ones.
func (s Files) Catalogue(now *published.Snapshot) ([]byte, error) {
	list := []productEntry{}
	for _, p := range now.Products {
		if p.Hidden {
			continue
		}
		e := productEntry{Slug: p.Slug, Name: p.Name, Summary: p.Summary, Status: "available", Versions: []versionEntry{}}
		if len(p.VisibleVersions()) == 0 {
			e.Status = "coming_soon"
		} else {
			e.URL, e.MarkdownURL, e.Current = ProductPath(p), TextPath(ProductPath(p)), p.Latest().Slug
		}
		for _, v := range p.VisibleVersions() {
			e.Versions = append(e.Versions, newVersionEntry(Place{p, v}))
		}
		list = append(list, e)
	}
	return encode(map[string]any{"products": list})
}

func newVersionEntry(at Place) versionEntry {
	v := at.Version
	label := cmp.Or(v.Label, content.Current)
	return versionEntry{
		Version: v.Slug, Lifecycle: label, ReleasedOn: v.ReleasedOn, SunsetOn: v.SunsetOn, MigrateTo: v.MigrateTo,
		IsCurrent: v == at.Product.Latest(), Release: v.Number, PublishedAt: v.PublishedAt.UTC().Truncate(time.Second), EndpointCount: len(v.Endpoints()),
		URL: at.Path(), MarkdownURL: TextPath(at.Path()), CatalogueURL: at.CataloguePath(), OpenAPIJSONURL: at.OpenAPIPath("json"), OpenAPIYAMLURL: at.OpenAPIPath("yaml"),
		CollectionURL: at.PostmanPath("collection"), EnvironmentURL: at.PostmanPath("environment"), SDKURL: at.SDKPath(),
	}
}

// VersionCatalogue returns a version with its categories and endpoints as JSON.
func (s Files) VersionCatalogue(ctx context.Context, at Place) ([]byte, error) {
	purposes, err := at.Version.Purposes(ctx, at.Version.Endpoints())
	if err != nil {
		return nil, err
	}
	categories, endpoints := []categoryEntry{}, []endpointEntry{}
	for _, c := range at.Version.Categories {
		categories = append(categories, categoryEntry{c.Name, c.Description, len(c.Operations)})
	}
	for i, op := range at.Version.Endpoints() {
		credentials, err := credentialsOf(ctx, at.Version, op)
		if err != nil {
			return nil, err
		}
		path := at.Operation(op)
		endpoints = append(endpoints, endpointEntry{
			Slug: op.Slug, Name: op.Name, Category: op.Category, Method: op.Method, Path: op.Path, Purpose: markdown.FirstSentence(purposes[i]),
			Deprecated: op.Deprecated, OperationID: op.ID, Authentication: credentials,
			URL: path, MarkdownURL: TextPath(path), OpenAPIURL: at.OperationOpenAPIPath(op, "json"), ExamplesURL: at.ExamplesPath(op),
		})
	}
	base := s.URL
	if len(at.Version.Servers) > 0 {
		base = s.Server(at.Version.Servers[0].URL)
	}
	return encode(map[string]any{
		"product": productReference{at.Product.Slug, at.Product.Name, ProductPath(at.Product)}, "version": newVersionEntry(at),
		"base_url": base, "categories": categories, "endpoints": endpoints,
	})
}

// credentialsOf lists the credentials that an endpoint takes, each once.
func credentialsOf(ctx context.Context, v *published.Version, op *published.Operation) ([]credentialEntry, error) {
	alternatives, err := v.AuthOf(ctx, op)
	list, known := []credentialEntry{}, map[credentialEntry]bool{}
	for _, together := range alternatives {
		for _, scheme := range together {
			c := credentialEntry{scheme.In, scheme.Field}
			if c.Location != "" && !known[c] {
				known[c] = true
				list = append(list, c)
			}
		}
	}
	return list, err
}

// Examples returns the documented examples of an operation as JSON.
func (s Files) Examples(ctx context.Context, at Place, op *published.Operation) ([]byte, error) {
	e, err := at.Version.Endpoint(ctx, op)
	if err != nil {
		return nil, err
	}
	requests, responses := []exampleEntry{}, []exampleEntry{}
	for _, b := range e.Bodies {
		requests = append(requests, newExamples("", b)...)
	}
	for _, r := range e.Responses {
		for _, b := range r.Bodies {
			responses = append(responses, newExamples(r.Status, b)...)
		}
	}
	return encode(map[string]any{
		"product": at.Product.Slug, "version": at.Version.Slug, "endpoint": op.Slug, "method": op.Method, "path": op.Path,
		"requests": requests, "responses": responses,
	})
}

// newExamples lists the examples of a body that the contract has.
func newExamples(status string, b model.Body) (list []exampleEntry) {
	for _, x := range b.Examples {
		if x.Generated {
			continue
		}
		e := exampleEntry{Status: status, Name: x.Name, Summary: x.Summary, MediaType: b.ContentType, Value: x.Value}
		if x.Node != nil && media.KindOf(b.ContentType) != media.Text {
			e.Value = json.RawMessage(x.Node.JSON())
		}
		e.Name = cmp.Or(e.Name, "default")
		list = append(list, e)
	}
	return list
}

// encode writes a value as JSON and leaves <, > and & as they are.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
