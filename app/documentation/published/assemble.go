package published

import (
	"encoding/json"
	"fmt"
	"slices"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/openapi"
	"heliograph/db/models"
)

// Assemble collects the API description of a released version from its items:
// the content of the version, and the parts in their order. Earlier releases
// have schemas, callbacks and categories in their frame.
func Assemble(items []models.LiveItem) (v content.Version, p openapi.Parts, err error) {
	order := map[string]int{} // of operations and schemas, by kind and slug
	for _, item := range items {
		switch item.Kind {
		case content.KindVersion:
			err = json.Unmarshal(item.Content, &v)
			p.Frame = v.Frame
		case content.KindEndpoint, content.KindCallback:
			var e content.Endpoint
			err = json.Unmarshal(item.Content, &e)
			order[item.Slug] = e.Order
			o := openapi.Operation{ID: e.OperationID, Slug: item.Slug, Name: e.Name, Category: e.Category, Method: e.Method, Path: e.Path, Purpose: e.Purpose, Raw: e.Raw}
			if item.Kind == content.KindEndpoint {
				p.Operations = append(p.Operations, o)
			} else {
				p.Callbacks = append(p.Callbacks, o)
			}
		case content.KindSchema:
			var s content.Schema
			err = json.Unmarshal(item.Content, &s)
			order[item.Kind+" "+item.Slug] = s.Order
			p.Schemas = append(p.Schemas, openapi.Schema{Name: s.Name, Slug: item.Slug, Raw: s.Raw})
		case content.KindCategory:
			var c content.Category
			err = json.Unmarshal(item.Content, &c)
			order[item.Kind+" "+item.Slug] = c.Order
			p.Categories = append(p.Categories, openapi.Tag{Name: c.Name, Slug: item.Slug, Description: c.Description, Raw: c.Raw})
		}
		if err != nil {
			return v, p, fmt.Errorf("reading %s %s: %w", item.Kind, item.Slug, err)
		}
	}
	operations := func(a, b openapi.Operation) int { return order[a.Slug] - order[b.Slug] }
	slices.SortStableFunc(p.Operations, operations)
	slices.SortStableFunc(p.Callbacks, operations)
	slices.SortStableFunc(p.Schemas, func(a, b openapi.Schema) int {
		return order[content.KindSchema+" "+a.Slug] - order[content.KindSchema+" "+b.Slug]
	})
	slices.SortStableFunc(p.Categories, func(a, b openapi.Tag) int {
		return order[content.KindCategory+" "+a.Slug] - order[content.KindCategory+" "+b.Slug]
	})
	return v, p, nil
}
