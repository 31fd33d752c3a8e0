package checks

import (
	"fmt"
	"strings"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi/tree"
)

// descriptionChecks finds what an item does not describe.
type descriptionChecks struct{ *finder }

// describe finds missing descriptions.
func (f descriptionChecks) describe() {
	missing := func(field, value, message string) {
		if strings.TrimSpace(value) == "" {
			f.add(nameDescriptions, field, 0, message)
		}
	}
	switch f.item.Kind {
	case content.KindProduct:
		missing("summary", f.product.Summary, "The product has no summary. Lists and search results show it.")
		missing("description", f.product.Description, "The product has no description.")
	case content.KindVersion:
		missing("description", f.version.Description, "The version has no description.")
	case content.KindGuide:
		missing("summary", f.guide.Summary, "The guide has no summary. Lists and search results show it.")
	case content.KindCategory:
		missing("description", f.category.Description, "The category has no description.")
	case content.KindSchema:
		f.fields("The field", f.raw)
	case content.KindEndpoint, content.KindCallback:
		missing("purpose", f.endpoint.Purpose, "The operation has no description.")
		f.describeOperation()
	}
}

func (f descriptionChecks) describeOperation() {
	for _, p := range f.raw.List("parameters") {
		described := strings.TrimSpace(p.Str("description") + p.Get("schema").Str("description"))
		if p.Str("$ref") == "" && p.Str("name") != "" && described == "" {
			f.add(nameDescriptions, "raw", int(p.Line), fmt.Sprintf("The parameter %s has no description.", p.Str("name")))
		}
	}
	for _, m := range f.raw.Get("requestBody").Entries("content") {
		f.fields("The body field", m.Value.Get("schema"))
	}
}

// fields finds the fields of a schema without a description, in the schema itself.
// A field that refers to a schema has the description of that.
func (f descriptionChecks) fields(what string, schema *tree.Node) {
	var names []string
	line := 0
	for _, p := range schema.Entries("properties") {
		if !p.Value.Is(tree.KindObject) || p.Value.Get("$ref") != nil || strings.TrimSpace(p.Value.Str("description")) != "" {
			continue
		}
		if line == 0 {
			line = int(p.Value.Line)
		}
		names = append(names, p.Key)
	}
	switch {
	case len(names) == 1:
		f.add(nameDescriptions, "raw", line, fmt.Sprintf("%s %s has no description.", what, names[0]))
	case len(names) > 1:
		f.add(nameDescriptions, "raw", line, fmt.Sprintf("%ss %s have no description.", what, list(names)))
	}
}

// withoutExample finds bodies without an example.
func (f descriptionChecks) withoutExample() {
	body := f.raw.Get("requestBody")
	f.contents("The request body", body.Entries("content"))
	for _, r := range f.raw.Entries("responses") {
		if strings.HasPrefix(r.Key, "2") {
			f.contents("The response "+r.Key, r.Value.Entries("content"))
		}
	}
}

func (f descriptionChecks) contents(what string, list []tree.Member) {
	for _, m := range list {
		schema := m.Value.Get("schema")
		if !strings.Contains(m.Key, "json") || m.Value.Get("example") != nil || len(m.Value.Entries("examples")) > 0 || schema == nil ||
			schema.Get("example") != nil || len(schema.List("examples")) > 0 || f.hasExample(schema) {
			continue
		}
		f.add(nameExamples, "raw", int(m.Value.Line), fmt.Sprintf("%s has no example in %s.", what, m.Key))
	}
}

// hasExample reports whether a schema of the version that is referred to has an
// example of its own.
func (f descriptionChecks) hasExample(schema *tree.Node) bool {
	name, ok := schemaOf(schema.Str("$ref"))
	if !ok {
		return false
	}
	s := f.world.read().schemas[name]
	return s.Get("example") != nil || len(s.List("examples")) > 0
}
