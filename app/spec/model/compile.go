package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"heliograph/app/spec"
	"heliograph/app/spec/naming"
	"heliograph/app/spec/tree"
)

// Untagged is the category of operations that have no tag.
const Untagged = "Operations"

// Compile makes the model of a release from its parts, as [spec.Read] gives them.
// References that lead nowhere and trees too large for a page are warnings;
// otherwise it fails as [spec.Assemble] does.
func Compile(p spec.Parts) (*API, error) {
	a, err := spec.Assemble(p)
	if err != nil {
		return nil, err
	}
	c := newModeler(a.Root)
	info := a.Root.Get("info")
	api := &API{
		Title: info.Str("title"), Version: info.Str("version"), Description: info.Str("description"),
		Servers: servers(a.Root),
	}
	categories := newCategorizer(a.Root)
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
	root     *tree.Node
	fields   *fielder
	uses     map[string][]*Endpoint // by the name of a schema
	warnings []spec.Warning
	at       string // slug of the endpoint at hand
}

func newModeler(root *tree.Node) *compiler {
	return &compiler{root: root, fields: newFielder(newFlattener(root)), uses: map[string][]*Endpoint{}}
}

func (c *compiler) warn(place, format string, args ...any) {
	c.warnings = append(c.warnings, spec.Warning{Place: place, Message: fmt.Sprintf(format, args...)})
}

// tree makes a tree of fields and says so when it had to be cut.
func (c *compiler) tree(name, path string, schema *tree.Node) *Field {
	field := c.fields.tree(name, path, schema)
	if c.fields.cut {
		c.warn(c.at+"#"+path, "The schema has over %d members or %d levels; the rest is left out.", maxFields, maxLevels)
	}
	return field
}

func (c *compiler) endpoint(op spec.Placed) *Endpoint {
	raw := op.Node
	c.at = op.Slug
	e := &Endpoint{
		ID: op.ID, Slug: op.Slug, Name: op.Name, Category: cmp.Or(op.Category, Untagged),
		Method: op.Method, Path: op.Path, Purpose: op.Purpose,
		Deprecated: raw.True("deprecated"), Servers: servers(raw),
		Auth: c.auth(raw),
	}
	if len(e.Servers) == 0 {
		e.Servers = servers(c.root)
	}
	c.parameters(e, op)
	e.PathParts = pathParts(e)
	body := c.root.Follow(raw.Get("requestBody"))
	e.Bodies = c.bodies(body, "body", true)
	for i := range e.Bodies {
		e.Bodies[i].Required = body.True("required")
		e.Bodies[i].Description = body.Str("description")
	}
	for _, m := range raw.Entries("responses") {
		if !strings.HasPrefix(m.Key, "x-") {
			e.Responses = append(e.Responses, c.response(m.Key, m.Value))
		}
	}
	for name := range c.fields.met {
		c.uses[name] = append(c.uses[name], e)
	}
	clear(c.fields.met)
	return e
}

// servers lists base addresses with their variables filled.
func servers(n *tree.Node) []Server {
	var list []Server
	taken := map[string]bool{}
	for _, s := range n.List("servers") {
		url := s.Str("url")
		for _, v := range s.Entries("variables") {
			url = strings.ReplaceAll(url, "{"+v.Key+"}", v.Value.Get("default").Display())
		}
		slug := naming.Unique(taken, cmp.Or(naming.Slug(s.Str("description")), naming.Slug(url), "server"), "-")
		list = append(list, Server{URL: url, Description: s.Str("description"), Slug: slug})
	}
	return list
}

// pathParts splits a path at its parameters and ties each to its field.
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

func newCategorizer(root *tree.Node) *categorizer {
	z := &categorizer{named: map[string]*Category{}}
	for _, tag := range root.List("tags") {
		z.category(tag.Str("name")).Description = tag.Str("description")
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
