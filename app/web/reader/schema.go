package reader

import (
	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/reference"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// newSchemaPage returns the page of a named schema. Fields that are named
// schemas link to pages of their own.
func newSchemaPage(s *site, at place, named namedSchema, a asked) views.SchemaPage {
	anchors := map[string]bool{}
	for f := range named.Root.Fields() {
		anchors[f.Path] = true
	}
	nearest, lost := findField(anchors, a.field, "schema")
	rows := newRows(at, nearest, len(anchors))
	rows.schema = named.Name
	schema := views.SchemaPage{
		Page:      s.frameOf(at),
		Nav:       newNav(at, nil, a.filter),
		Notice:    newNotice(at, nil),
		Lost:      lost,
		Name:      named.Name,
		Whole:     rows.whole(named.Root, 0),
		Endpoints: newEndpointRows(at, named.users),
		Published: newPublished(at),
	}
	for i, e := range named.users {
		if e.Callback {
			schema.Endpoints[i].Path = reference.Receiver
		}
	}
	if example := named.shownExample(); example != "" {
		schema.Example = ui.Code{Title: "Example", Language: "json", Text: example}
	}
	schema.HasNav = true
	schema.Crumbs = append(crumbs(at.product), ui.Link{Label: at.version.Slug, Href: at.path()}, ui.Link{Label: "Schemas", Href: at.path() + "#schemas"}, ui.Link{Label: named.Name, Current: true})
	schema.Title = named.Name + " schema – " + at.name()
	schema.Description = markdown.Summary(named.Root.Description)
	if len(schema.Description) < 20 {
		schema.Description = "The schema " + named.Name + " of " + at.name() + ": its fields, an example and the endpoints that use it."
	}
	schema.Text, schema.Address = reference.TextPath(at.schema(named.Name)), s.url+at.schema(named.Name)
	schema.Canonical = s.canonical(at.product, at.homeOf(named.Name).schema(named.Name))
	schema.Nav.Overview.Current = false
	for i, v := range at.product.VisibleVersions() {
		schema.Nav.Versions[i].Note = "without this schema"
		if v.HasSchema(named.Name) {
			schema.Nav.Versions[i].Note, schema.Nav.Versions[i].Href = "", place{at.product, v}.schema(named.Name)
		}
	}
	return schema
}
