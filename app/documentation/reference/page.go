package reference

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/published"
)

// Product returns the page of a product: its description, versions and guides.
func (s Site) Product(p *published.Product) string {
	w := s.newWriter(p.Name, p.Summary, ProductPath(p))
	w.block("%s", below(p.Description, 2))
	if len(p.VisibleVersions()) > 0 {
		w.block("## Versions")
	}
	for _, v := range p.VisibleVersions() {
		w.WriteString(fmt.Sprintf("- [%s](%s), %s\n", v.Slug, s.textURL(Place{p, v}.Path()), strings.ToLower(cmp.Or(v.Label, "current"))))
	}
	w.WriteString("\n")
	if len(p.OwnGuides()) > 0 {
		w.block("## Guides")
	}
	for _, g := range p.OwnGuides() {
		w.WriteString(s.guideLine(p, g))
	}
	return w.String()
}

// Version returns the page of a version: its description, servers and
// operations.
func (s Site) Version(ctx context.Context, at Place) (string, error) {
	v := at.Version
	w := s.newWriter(at.Name(), cmp.Or(v.Label, "Current"), at.Path())
	w.notice(at, nil)
	w.block("%s", below(v.Description, 2))
	if len(v.Servers) > 0 {
		w.block("## Base URL")
	}
	for _, server := range v.Servers {
		w.block("`%s` %s", s.Server(server.URL), server.Description)
	}
	if len(v.Endpoints()) > 0 {
		w.block("`%s` %s", s.URL+at.MockPath(), MockNote)
	}
	if v.Notes != "" {
		w.block("## Release notes")
		w.block("%s", below(v.Notes, 3))
	}
	for _, c := range v.Groups() {
		w.block("## %s", c.Name)
		w.block("%s", below(c.Description, 3))
		if err := w.operations(ctx, at, c.Operations); err != nil {
			return "", err
		}
	}
	return w.String(), nil
}

// Guide returns the page of a guide.
func (s Site) Guide(p *published.Product, g *published.Guide) string {
	w := s.newWriter(g.Title, cmp.Or(g.Section, p.Name)+" guide", GuidePath(p, g))
	w.block("%s", g.Summary)
	w.block("%s", below(s.GuideText(g), 2))
	return w.String()
}

// Schema returns the page of a named schema: its fields, an example and the
// operations that use it. [published.IsBroken] holds of the error when it cannot
// be compiled.
func (s Site) Schema(ctx context.Context, at Place, name string) (string, error) {
	schema, err := at.Version.Schema(ctx, name)
	if err != nil {
		return "", err
	}
	users, err := at.Version.Users(ctx, name)
	if err != nil {
		return "", err
	}
	cut, err := at.Version.SchemaExample(ctx, name, users)
	if err != nil {
		return "", err
	}
	w := s.newWriter(name, at.Name()+" schema", at.Schema(name))
	w.notice(at, nil)
	w.whole(schema.Root)
	if example := SchemaExample(schema, cut); example != "" {
		w.block("## Example")
		w.code("json", example)
	}
	if len(users) > 0 {
		w.block("## Used by")
		err = w.operations(ctx, at, users)
	}
	return w.String(), err
}

// SchemaExample returns the example to show of a schema: the part that was cut from
// the examples of operations, else the generated one. It returns "" where the
// generated one has a text without any example.
func SchemaExample(schema *model.Schema, cut string) string {
	if cut == "" && !strings.Contains(schema.Example, `"string"`) {
		return schema.Example
	}
	return cut
}
