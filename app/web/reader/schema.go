package reader

import (
	"context"
	"net/http"
	"net/url"

	"heliograph/app/documentation/openapi/markdown"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/reference"
	"heliograph/app/web/page"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// Schema is the address of a named schema.
var Schema = Address{path: "/docs/:product/:version/schemas/:schema", find: func(s *site, in parameters) source {
	at, ok := findVersion(s, in)
	if !ok || !at.version.HasSchema(in.Param("schema")) {
		return nil
	}
	return schemaSource{at, in.Param("schema")}
}}

type schemaSource struct {
	place
	name string
}

func (schemaSource) read(_ *http.Request, query url.Values, a asked) (asked, error) {
	a.field = fieldIn(query)
	return a, nil
}

func (src schemaSource) view(ctx context.Context, s *site, a asked) (page.View, error) {
	named, err := src.named(ctx)
	if err != nil {
		return page.View{}, err
	}
	schema := newSchemaPage(s, src.place, named, a)
	return page.View{Frame: schema.Page, Body: views.Schema(schema)}, nil
}

func (src schemaSource) markdown(ctx context.Context, s *site, _ choice) (string, error) {
	return s.texts.Schema(ctx, src.reference(), src.name)
}

// namedSchema is a schema with the operations that use it.
type namedSchema struct {
	*model.Schema
	users   []listing
	example string // indented JSON, from the examples of the users; may be empty
}

// shownExample returns the example of the operations that use the schema. Without
// one it is made up from the examples of its members, unless these lack values.
func (s namedSchema) shownExample() string {
	return reference.SchemaExample(s.Schema, s.example)
}

func (src schemaSource) named(ctx context.Context) (named namedSchema, err error) {
	if named.Schema, err = src.version.Schema(ctx, src.name); err != nil {
		return named, err
	}
	users, err := src.version.Users(ctx, src.name)
	if err != nil {
		return named, err
	}
	o, err := src.purposes(ctx, users)
	if err != nil {
		return named, err
	}
	named.users = o.list(users)
	named.example, err = src.version.SchemaExample(ctx, src.name, users)
	return named, err
}

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
