package spec

import (
	"cmp"
	"slices"
	"strings"
)

// ownGroup is the category of callbacks that have no tag, or one of endpoints:
// what is sent is not listed among what is called.
const ownGroup = "Callbacks"

// callbacks compiles what the document has under webhooks, in its order. Ids and
// slugs are made like those of the endpoints and differ from them.
func (c *compiler) callbacks(ops []Operation, calls *categorizer) []*Category {
	ids, slugs := map[string]bool{}, map[string]bool{}
	for _, op := range ops {
		ids[op.ID], slugs[op.Slug] = true, true
	}
	categories := newCategorizer(c.root)
	for _, m := range c.root.entries("webhooks") {
		item := follow(c.root, m.value)
		if !item.is(kindObject) {
			continue
		}
		for _, o := range item.members {
			if !slices.Contains(methods, o.key) || !o.value.is(kindObject) {
				continue
			}
			raw := inherit(c.root, item, o.value)
			op := described(unique(ids, cmp.Or(raw.str("operationId"), m.key), ""), raw)
			op.Slug = unique(slugs, cmp.Or(slugify(op.ID), "callback"), "-")
			op.Method, op.Path = strings.ToUpper(o.key), m.key
			if known := calls.named[op.Category]; op.Category == "" || known != nil && len(known.Endpoints) > 0 {
				op.Category = ownGroup
			}
			e := c.endpoint(op, raw)
			e.Callback, e.Servers, e.PathParts, e.Auth = true, nil, nil, nil
			categories.add(e)
		}
	}
	return categories.used()
}
