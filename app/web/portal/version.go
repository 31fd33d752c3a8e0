package portal

import (
	"fmt"
	"slices"

	"heliograph/app/spec"
	views "heliograph/views/portal"
	"heliograph/views/ui"
)

// newVersionPage introduces a version and lists its endpoints.
func newVersionPage(s site, at place) views.VersionPage {
	v := at.version
	text := at.introduce()
	version := views.VersionPage{
		Page:        s.frameOf(at),
		Nav:         newNav(at, nil),
		Crumbs:      append(crumbs(at.product), ui.Link{Label: v.Slug, Current: true}),
		Notice:      newNotice(at, nil),
		Name:        at.name(),
		Lifecycle:   ui.Lifecycle(v.Label),
		Description: text.lead,
		AuthNote:    text.auth,
		Auth:        versionAuth(v.Endpoints()),
		Text:        text.rest,
		Topics:      text.topics,
		Notes:       at.prose(v.Notes),
		Size:        count(len(v.Endpoints()), "endpoint", "endpoints"),
		Published:   newPublished(at),
	}
	version.HasNav = true
	version.Title = at.name()
	version.Page.Description = summary(v.Description)
	if version.Page.Description == "" {
		version.Page.Description = at.product.Summary
	}
	version.Page.Text, version.Address = asText(at.path()), s.url+at.path()
	version.Canonical = s.canonical(at.product, at.path())
	for _, server := range v.API.Servers {
		version.Servers = append(version.Servers, views.Server{URL: s.server(server.URL), Note: server.Description})
	}
	for _, c := range v.API.Categories {
		version.Categories = append(version.Categories, newCategory(at, c))
	}
	for _, c := range v.API.Callbacks {
		version.Callbacks = append(version.Callbacks, newCategory(at, c))
	}
	for _, schema := range v.API.Schemas {
		version.Schemas = append(version.Schemas, ui.Link{Label: schema.Name, Href: at.schema(schema.Name)})
	}
	return version
}

func newCategory(at place, c *spec.Category) views.Category {
	category := views.Category{ID: categoryID(c), Title: c.Name, Size: sizeOf(c), Description: at.prose(c.Description)}
	category.Endpoints = newEndpointRows(at, c.Endpoints)
	return category
}

func newEndpointRows(at place, endpoints []*spec.Endpoint) []views.EndpointRow {
	list := make([]views.EndpointRow, len(endpoints))
	for i, e := range endpoints {
		list[i] = views.EndpointRow{NavLink: newNavLink(at, e), Summary: first(e.Purpose)}
	}
	return list
}

// categoryID is apart from the ids of the page's own sections.
func categoryID(c *spec.Category) string { return "category-" + c.Slug }

func newPublished(at place) views.Published {
	published := publishedAt(at.version.PublishedAt)
	published.Release = fmt.Sprintf("release %d", at.version.Number)
	return published
}

// versionAuth lists every way to authenticate that some endpoint takes.
func versionAuth(endpoints []*spec.Endpoint) []views.AuthScheme {
	var list [][]spec.AuthScheme
	for _, e := range endpoints {
		for _, alternative := range e.Auth {
			known := slices.ContainsFunc(list, func(other []spec.AuthScheme) bool {
				return slices.EqualFunc(alternative, other, func(a, b spec.AuthScheme) bool { return a.Name == b.Name })
			})
			if !known && len(alternative) > 0 {
				list = append(list, alternative)
			}
		}
	}
	return newAuth(list)
}
