package model

import "heliograph/app/documentation/openapi"

// ownGroup is the category of callbacks that have no tag, or the tag of
// endpoints. Callbacks and endpoints are listed separately.
const ownGroup = "Callbacks"

// callbacks compiles the webhooks of the document.
func (c *compiler) callbacks(list []openapi.Placed, calls *categorizer) []*Category {
	categories := newCategorizer(c.graph)
	for _, op := range grouped(list, calls) {
		categories.add(c.callback(op))
	}
	return categories.used()
}

func (c *compiler) callback(op openapi.Placed) *Endpoint {
	e := c.endpoint(op)
	e.Callback, e.Servers, e.PathParts, e.Auth = true, nil, nil, nil
	return e
}

// grouped gives callbacks the categories in which their pages list them.
func grouped(list []openapi.Placed, calls *categorizer) []openapi.Placed {
	for i, op := range list {
		if known := calls.named[op.Category]; op.Category == "" || known != nil && len(known.Endpoints) > 0 {
			list[i].Category = ownGroup
		}
	}
	return list
}
