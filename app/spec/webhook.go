package spec

import (
	"cmp"
	"slices"
	"strings"
)

// ownGroup is the category of callbacks that have no tag, or one of endpoints:
// what is sent is not listed among what is called.
const ownGroup = "Callbacks"

// callback is an operation under webhooks.
type callback struct {
	Operation
	raw *node
}

// callbacks compiles what the document has under webhooks.
func (c *compiler) callbacks(ops []Operation, calls *categorizer) []*Category {
	categories := newCategorizer(c.root)
	for _, op := range callbacksOf(c.root, ops, calls) {
		categories.add(c.callback(op))
	}
	return categories.used()
}

func (c *compiler) callback(op callback) *Endpoint {
	e := c.endpoint(op.Operation, op.raw)
	e.Callback, e.Servers, e.PathParts, e.Auth = true, nil, nil, nil
	return e
}

// callbacksOf lists the operations under webhooks, in the order of the
// document. Ids and slugs are made like those of the endpoints and differ from
// them.
func callbacksOf(root *node, ops []Operation, calls *categorizer) (list []callback) {
	ids, slugs := map[string]bool{}, map[string]bool{}
	for _, op := range ops {
		ids[op.ID], slugs[op.Slug] = true, true
	}
	for _, m := range root.entries("webhooks") {
		item := follow(root, m.value)
		if !item.is(kindObject) {
			continue
		}
		for _, o := range item.members {
			if !slices.Contains(methods, o.key) || !o.value.is(kindObject) {
				continue
			}
			raw := inherit(root, item, o.value)
			op := described(unique(ids, cmp.Or(raw.str("operationId"), m.key), ""), raw)
			op.Slug = unique(slugs, cmp.Or(slugify(op.ID), "callback"), "-")
			op.Method, op.Path = strings.ToUpper(o.key), m.key
			if known := calls.named[op.Category]; op.Category == "" || known != nil && len(known.Endpoints) > 0 {
				op.Category = ownGroup
			}
			list = append(list, callback{op, raw})
		}
	}
	return list
}
