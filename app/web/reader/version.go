package reader

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// Version is the address of a version of a product.
var Version = Address{path: "/docs/:product/:version", find: func(s *site, in parameters) source {
	if at, ok := findVersion(s, in); ok {
		return versionSource{at}
	}
	return nil
}}

type versionSource struct{ place }

func (src versionSource) view(ctx context.Context, s *site, a asked) (page.View, error) {
	o, err := src.overview(ctx)
	version := newVersionPage(s, src.place, o, a)
	return page.View{Frame: version.Page, Body: views.Version(version)}, err
}

func (src versionSource) markdown(ctx context.Context, s *site, _ choice) (string, error) {
	return s.texts.Version(ctx, src.reference())
}

// newVersionPage returns the overview of a version with its endpoints.
func newVersionPage(s *site, at place, o overview, a asked) views.VersionPage {
	v := at.version
	text := introduce(at)
	version := views.VersionPage{
		Page:        s.frameOf(at),
		Nav:         newNav(at, nil, a.filter),
		Notice:      newNotice(at, nil),
		Name:        at.name(),
		Lifecycle:   ui.Lifecycle(v.Label),
		Description: text.lead,
		AuthNote:    text.auth,
		Auth:        versionAuth(o.auth),
		IsOpen:      o.auth != nil,
		Text:        text.rest,
		Topics:      text.topics,
		Notes:       at.prose(v.Notes),
		Size:        headingCount(v.ServedEndpoints()),
		Published:   newPublished(at),
	}
	version.HasNav = true
	version.Crumbs = append(crumbs(at.product), ui.Link{Label: v.Slug, Current: true})
	s.addExports(&version.Page, at, nil)
	version.Title = at.name()
	version.Page.Description = markdown.Summary(v.Description)
	version.Page.Description = cmp.Or(version.Page.Description, at.product.Summary)
	version.Page.Text, version.Address = reference.TextPath(at.path()), s.url+at.path()
	version.Canonical = s.canonical(at.product, at.path())
	for _, server := range v.Servers {
		version.Servers = append(version.Servers, views.Server{URL: s.texts.Server(server.URL), Note: server.Description})
	}
	if len(v.Endpoints()) > 0 {
		version.Servers = append(version.Servers, views.Server{URL: s.url + at.reference().MockPath(), Note: reference.MockNote})
	}
	for _, c := range v.Categories {
		version.Categories = append(version.Categories, newCategory(at, c, o))
	}
	for _, c := range v.Callbacks {
		version.Callbacks = append(version.Callbacks, newCategory(at, c, o))
	}
	for _, name := range v.Schemas {
		version.Schemas = append(version.Schemas, ui.Link{Label: name, Href: at.schema(name)})
	}
	return version
}

func newCategory(at place, c *published.Category, o overview) views.Category {
	category := views.Category{ID: categoryID(c), Title: c.Name, Size: headingCount(at.served(c)), Description: at.prose(c.Description)}
	category.Endpoints = newEndpointRows(at, o.list(c.Operations))
	return category
}

func newEndpointRows(at place, operations []listing) []views.EndpointRow {
	list := make([]views.EndpointRow, len(operations))
	for i, op := range operations {
		list[i] = views.EndpointRow{NavLink: newNavLink(at, op.Operation), Summary: markdown.FirstSentence(op.purpose)}
	}
	return list
}

// categoryID returns the id of a category. It cannot be the id of one of the
// page's own sections.
func categoryID(c *published.Category) string { return "category-" + c.Slug }

func newPublished(at place) views.Published {
	published := publishedAt(at.version.PublishedAt)
	published.Release = fmt.Sprintf("release %d", at.version.Number)
	return published
}

// versionAuth removes duplicates from the ways to authenticate.
func versionAuth(alternatives [][]model.AuthScheme) []views.AuthScheme {
	var list [][]model.AuthScheme
	for _, alternative := range alternatives {
		known := slices.ContainsFunc(list, func(other []model.AuthScheme) bool {
			return slices.EqualFunc(alternative, other, func(a, b model.AuthScheme) bool { return a.Name == b.Name })
		})
		if !known && len(alternative) > 0 {
			list = append(list, alternative)
		}
	}
	return newAuth(list)
}

// listing is an operation with the first sentences of its purpose, for lists.
type listing struct {
	*published.Operation
	purpose string // Markdown
}

// overview holds what the page of a version needs beyond the index.
type overview struct {
	purposes map[*published.Operation]string
	auth     [][]model.AuthScheme
}

func (at place) overview(ctx context.Context) (overview, error) {
	o, err := at.purposes(ctx, at.version.Operations())
	if err == nil {
		o.auth, err = at.version.Auth(ctx)
	}
	return o, err
}

// purposes returns an overview with the purposes of operations only.
func (at place) purposes(ctx context.Context, ops []*published.Operation) (overview, error) {
	list, err := at.version.Purposes(ctx, ops)
	o := overview{purposes: map[*published.Operation]string{}}
	for i, purpose := range list {
		o.purposes[ops[i]] = purpose
	}
	return o, err
}

// list adds the purposes to operations.
func (o overview) list(ops []*published.Operation) []listing {
	list := make([]listing, len(ops))
	for i, op := range ops {
		list[i] = listing{op, o.purposes[op]}
	}
	return list
}
