package search

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"heliograph/db/models"
)

// schemas are the named schemas of a description, and where readers see each:
// in the body or the answer of an endpoint that is nearest to it.
type schemas struct {
	components map[string]map[string]any // kind of component → name → component
	webhooks   map[string]any            // by name
	seen       map[string]sight
}

// sight is where a schema shows.
type sight struct {
	depth int // schemas around it
	row   models.SearchRow
	crumb string
}

func newSchemas(frame []byte) *schemas {
	var document struct {
		Components map[string]map[string]any `json:"components"`
		Webhooks   map[string]any            `json:"webhooks"`
	}
	// A frame that was compiled is JSON; one without components has no names.
	_ = json.Unmarshal(frame, &document)
	return &schemas{components: document.Components, webhooks: document.Webhooks, seen: map[string]sight{}}
}

// collect notes which schemas an operation shows.
func (s *schemas) collect(raw []byte, p *page) {
	var operation struct {
		RequestBody any            `json:"requestBody"`
		Responses   map[string]any `json:"responses"`
	}
	if json.Unmarshal(raw, &operation) != nil {
		return
	}
	look := func(node any, crumb string) {
		s.walk(node, sight{row: p.row, crumb: crumb}, map[string]bool{})
	}
	look(operation.RequestBody, "Body")
	for _, status := range slices.Sorted(maps.Keys(operation.Responses)) {
		look(operation.Responses[status], "Response "+status)
	}
}

// sent notes which schemas a callback shows.
func (s *schemas) sent(p *page) {
	s.walk(s.webhooks[p.endpoint.Path], sight{row: p.row, crumb: "Body"}, map[string]bool{})
}

func (s *schemas) walk(node any, at sight, open map[string]bool) {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			s.walk(item, at, open)
		}
	case map[string]any:
		if ref, ok := node["$ref"].(string); ok {
			s.follow(ref, at, open)
			return
		}
		for _, name := range slices.Sorted(maps.Keys(node)) {
			if name != "example" && name != "examples" && name != "headers" {
				s.walk(node[name], at, open)
			}
		}
	}
}

func (s *schemas) follow(ref string, at sight, open map[string]bool) {
	kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
	if open[ref] || s.components[kind][name] == nil {
		return
	}
	open[ref] = true
	if kind == "schemas" {
		if known, ok := s.seen[name]; !ok || at.depth < known.depth {
			s.seen[name] = at
		}
		at.depth++
	}
	s.walk(s.components[kind][name], at, open)
}

// schemaRows makes a row of each schema that shows somewhere.
func (w *writer) schemaRows() {
	for _, name := range slices.Sorted(maps.Keys(w.schemas.seen)) {
		at := w.schemas.seen[name]
		schema, ok := w.schemas.components["schemas"][name].(map[string]any)
		if !ok || w.version.API.Schema(name) == nil {
			continue
		}
		row := at.row
		row.URL = w.url + "/schemas/" + url.PathEscape(name)
		row.Kind, row.Title, row.Weight = "schema", name, schemaWeight-0.02*float32(min(at.depth, 10))
		row.Breadcrumb = append(slices.Clone(row.Breadcrumb), at.crumb)
		title, _ := schema["title"].(string)
		description, _ := schema["description"].(string)
		row.Body = w.text(description)
		row.Names, row.Alias, row.Others = indexed(name, title), squeeze(title), indexed(append(enumerated(schema), w.version.SchemasSearchedAs[name]...)...)
		members := w.schemas.members(schema, 0)
		row.Text = indexed(members...)
		if row.Body == "" && len(members) > 0 {
			row.Body = "Has " + strings.Join(members, ", ") + "."
		}
		w.add(row)
	}
}

// enumerated lists the words that a schema may hold.
func enumerated(schema map[string]any) (list []string) {
	values, _ := schema["enum"].([]any)
	for _, value := range values {
		if text, ok := value.(string); ok {
			list = append(list, text)
		}
	}
	return list
}

// maxExtended is how many schemas a schema may extend, one after another, for
// its members to be listed.
const maxExtended = 4

// members names the members of a schema, after the members of what it extends.
func (s *schemas) members(schema map[string]any, extended int) (names []string) {
	if ref, ok := schema["$ref"].(string); ok {
		target, _ := s.components["schemas"][strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any)
		schema = target
	}
	if extended < maxExtended {
		parts, _ := schema["allOf"].([]any)
		for _, part := range parts {
			if object, ok := part.(map[string]any); ok {
				names = append(names, s.members(object, extended+1)...)
			}
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	return append(names, slices.Sorted(maps.Keys(properties))...)
}
