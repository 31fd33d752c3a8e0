package catalogue

import (
	"encoding/json"
	"fmt"
	"slices"

	"heliograph/app/content"
	"heliograph/app/spec"
	"heliograph/db/models"
)

// Assemble puts the API description of a released version together from its
// items: what the version says of itself, and its operations in order.
func Assemble(items []models.LiveItem) (v content.Version, operations []spec.Operation, err error) {
	type ordered struct {
		content.Endpoint
		slug string
	}
	var endpoints []ordered
	for _, item := range items {
		switch item.Kind {
		case content.KindVersion:
			err = json.Unmarshal(item.Content, &v)
		case content.KindEndpoint:
			e := ordered{slug: item.Slug}
			err = json.Unmarshal(item.Content, &e.Endpoint)
			endpoints = append(endpoints, e)
		}
		if err != nil {
			return v, nil, fmt.Errorf("reading %s %s: %w", item.Kind, item.Slug, err)
		}
	}
	slices.SortStableFunc(endpoints, func(a, b ordered) int { return a.Order - b.Order })
	for _, e := range endpoints {
		operations = append(operations, spec.Operation{
			ID: e.OperationID, Slug: e.slug, Name: e.Name, Category: e.Category,
			Method: e.Method, Path: e.Path, Purpose: e.Purpose, Raw: e.Raw,
		})
	}
	return v, operations, nil
}
