package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/naming"
)

// Untagged is the category of operations that have no tag.
const Untagged = "Operations"

// Compile compiles the model of a document from its parts, as [spec.Read]
// returns them. References without a target and trees too large for a page are
// warnings. Other errors come from [openapi.Assemble].
func Compile(p openapi.Parts) (*API, error) {
	a, err := openapi.Assemble(p)
	if err != nil {
		return nil, err
	}
	c := newCompiler(graph.New(a.Root))
	info := c.graph.Info()
	api := &API{
		Title: info.Title(), Version: info.Version(), Description: info.Description(),
		Servers: servers(c.graph.Servers()),
	}
	categories := newCategorizer(c.graph)
	for _, op := range a.Operations {
		categories.add(c.endpoint(op))
	}
	api.Categories = categories.used()
	api.Callbacks = c.callbacks(a.Callbacks, categories)
	addSlugs(slices.Concat(api.Categories, api.Callbacks))
	api.Schemas = c.schemas()
	api.Warnings = c.warnings
	return api, nil
}

// compiler makes endpoints of operations, within one document.
type compiler struct {
	graph    *graph.Graph
	bounds   *graph.Bounds
	fields   *fielder
	uses     map[string][]*Endpoint // by the name of a schema
	warnings []openapi.Warning

	placeholders []Placeholder
	at           string // slug of the current endpoint
}

func newCompiler(g *graph.Graph) *compiler {
	return &compiler{graph: g, bounds: graph.NewBounds(), fields: newFielder(newFlattener(g)), uses: map[string][]*Endpoint{}, placeholders: placeholders(g)}
}

func (c *compiler) warn(place, format string, args ...any) {
	c.warnings = append(c.warnings, openapi.Warning{Place: place, Message: fmt.Sprintf(format, args...)})
}

// tree makes a tree of fields. A tree that had to be cut is a warning.
func (c *compiler) tree(name, path string, schema graph.Schema) *Field {
	field := c.fields.tree(name, path, schema)
	if c.fields.cut {
		c.warn(c.at+"#"+path, "The schema has over %d members or %d levels; the rest is left out.", maxFields, maxLevels)
	}
	return field
}

func (c *compiler) endpoint(placed openapi.Placed) *Endpoint {
	op := c.graph.Operation(placed.Method, placed.Route, placed.Node)
	c.at = placed.Slug
	e := &Endpoint{
		ID: placed.ID, Slug: placed.Slug, Name: placed.Name, Category: cmp.Or(placed.Category, Untagged),
		Method: placed.Method, Path: placed.Path, Purpose: placed.Purpose,
		Deprecated: op.Deprecated(), Destructive: op.Node().True("x-destructive"), Servers: servers(op.Servers()), Auth: c.auth(op), Placeholders: c.placeholders,
	}
	c.parameters(e, op)
	e.PathParts = pathParts(e)
	body := op.Body()
	e.Bodies = c.bodies(body.Content(), "body", true)
	for i := range e.Bodies {
		e.Bodies[i].Required = body.Required()
		e.Bodies[i].Description = body.Description()
	}
	for _, r := range op.Responses() {
		e.Responses = append(e.Responses, c.response(r.Name, r.Value))
	}
	for name := range c.fields.met {
		c.uses[name] = append(c.uses[name], e)
	}
	clear(c.fields.met)
	e.Unchecked = !c.bounds.Hold(schemasOf(op))
	return e
}

// schemasOf lists the schemas that requests and responses of an operation are held
// against.
func schemasOf(op graph.Operation) (list []graph.Schema) {
	bodies := func(content []graph.Named[graph.MediaType]) {
		for _, m := range content {
			list = append(list, m.Value.Schema())
		}
	}
	for _, p := range op.Parameters() {
		list = append(list, p.Schema())
		bodies(p.Content())
	}
	bodies(op.Body().Content())
	for _, r := range op.Responses() {
		for _, h := range r.Value.Headers() {
			list = append(list, h.Value.Schema())
		}
		bodies(r.Value.Content())
	}
	return list
}

// servers lists base addresses with their variables filled.
func servers(given []graph.Server) []Server {
	var list []Server
	taken := map[string]bool{}
	for _, s := range given {
		slug := naming.Unique(taken, cmp.Or(naming.Slug(s.Description()), naming.Slug(s.URL()), "server"), "-")
		list = append(list, Server{URL: s.URL(), Description: s.Description(), Slug: slug})
	}
	return list
}

// pathParts splits a path at its parameters and links each to its field.
func pathParts(e *Endpoint) []PathPart {
	parts := splitPath(e.Path)
	for i, part := range parts {
		for _, in := range e.Inputs {
			if part.Parameter != "" && in.In == "path" && in.Field.Name == part.Parameter {
				parts[i].Anchor = in.Field.Path
			}
		}
	}
	return parts
}

// splitPath splits a path at its parameters.
func splitPath(rest string) []PathPart {
	var parts []PathPart
	for rest != "" {
		open := strings.IndexByte(rest, '{')
		end := strings.IndexByte(rest[max(open, 0):], '}')
		if open < 0 || end < 0 {
			return append(parts, PathPart{Text: rest})
		}
		if open > 0 {
			parts = append(parts, PathPart{Text: rest[:open]})
		}
		name := rest[open+1 : open+end]
		parts = append(parts, PathPart{Text: "{" + name + "}", Parameter: name})
		rest = rest[open+end+1:]
	}
	return parts
}

// categorizer groups endpoints in the order of the document's tags.
type categorizer struct {
	list  []*Category
	named map[string]*Category
}

func newCategorizer(g *graph.Graph) *categorizer {
	z := &categorizer{named: map[string]*Category{}}
	for _, tag := range g.Tags() {
		z.category(tag.Name()).Description = tag.Description()
	}
	return z
}

func (z *categorizer) category(name string) *Category {
	if known := z.named[name]; known != nil {
		return known
	}
	category := &Category{Name: name}
	z.named[name] = category
	z.list = append(z.list, category)
	return category
}

func (z *categorizer) add(e *Endpoint) {
	category := z.category(e.Category)
	category.Endpoints = append(category.Endpoints, e)
}

// used returns the categories that have endpoints.
func (z *categorizer) used() []*Category {
	return slices.DeleteFunc(slices.Clone(z.list), func(c *Category) bool { return len(c.Endpoints) == 0 })
}

// addSlugs gives each category a slug of its own.
func addSlugs(categories []*Category) {
	taken := map[string]bool{}
	for _, category := range categories {
		category.Slug = naming.Unique(taken, cmp.Or(naming.Slug(category.Name), "category"), "-")
	}
}
