package openapi

import (
	"strconv"

	"heliograph/app/documentation/openapi/tree"
)

// part is the type of an OpenAPI object.
type part string

const (
	partDocument       part = "document"
	partComponents     part = "components"
	partPathItem       part = "path item"
	partOperation      part = "operation"
	partParameter      part = "parameter"
	partHeader         part = "header"
	partRequestBody    part = "request body"
	partResponse       part = "response"
	partMediaType      part = "media type"
	partEncoding       part = "encoding"
	partCallback       part = "callback"
	partExample        part = "example"
	partLink           part = "link"
	partSecurityScheme part = "security scheme"
	partSchema         part = "schema"
)

// shape is the way in which a member holds its parts.
type shape int

const (
	one shape = iota
	list
	byName
)

type rule struct {
	key   string
	shape shape
	part  part
}

// grammar lists the members of each part that hold further parts. Members with
// data (example, default, enum, extensions) are absent, so that a walk does not
// confuse data with descriptions.
var grammar = map[part][]rule{
	partDocument: {{"paths", byName, partPathItem}, {"webhooks", byName, partPathItem}, {"components", one, partComponents}},
	partComponents: {
		{"schemas", byName, partSchema}, {"responses", byName, partResponse}, {"parameters", byName, partParameter},
		{"examples", byName, partExample}, {"requestBodies", byName, partRequestBody}, {"headers", byName, partHeader},
		{"securitySchemes", byName, partSecurityScheme}, {"links", byName, partLink},
		{"callbacks", byName, partCallback}, {"pathItems", byName, partPathItem},
	},
	partPathItem: {
		{"parameters", list, partParameter},
		{"get", one, partOperation}, {"put", one, partOperation}, {"post", one, partOperation}, {"delete", one, partOperation},
		{"options", one, partOperation}, {"head", one, partOperation}, {"patch", one, partOperation}, {"trace", one, partOperation},
	},
	partOperation: {
		{"parameters", list, partParameter}, {"requestBody", one, partRequestBody}, {"responses", byName, partResponse},
		{"callbacks", byName, partCallback}, {"x-variants", list, partOperation},
	},
	partParameter:   {{"schema", one, partSchema}, {"content", byName, partMediaType}, {"examples", byName, partExample}},
	partHeader:      {{"schema", one, partSchema}, {"content", byName, partMediaType}, {"examples", byName, partExample}},
	partRequestBody: {{"content", byName, partMediaType}},
	partResponse:    {{"headers", byName, partHeader}, {"content", byName, partMediaType}, {"links", byName, partLink}},
	partMediaType:   {{"schema", one, partSchema}, {"encoding", byName, partEncoding}, {"examples", byName, partExample}},
	partEncoding:    {{"headers", byName, partHeader}},
	partCallback:    {{"", byName, partPathItem}},
	partSchema: {
		{"properties", byName, partSchema}, {"patternProperties", byName, partSchema}, {"dependentSchemas", byName, partSchema},
		{"$defs", byName, partSchema}, {"definitions", byName, partSchema},
		{"items", one, partSchema}, {"prefixItems", list, partSchema}, {"contains", one, partSchema},
		{"additionalProperties", one, partSchema}, {"propertyNames", one, partSchema},
		{"unevaluatedItems", one, partSchema}, {"unevaluatedProperties", one, partSchema}, {"contentSchema", one, partSchema},
		{"allOf", list, partSchema}, {"anyOf", list, partSchema}, {"oneOf", list, partSchema},
		{"not", one, partSchema}, {"if", one, partSchema}, {"then", one, partSchema}, {"else", one, partSchema},
	},
}

// place is the position of a walk.
type place struct {
	part    part
	pointer string // JSON pointer from the root of the document
	nesting int    // schemas around this one, itself included
}

// walk calls visit for every part under n, parents first. It follows no $ref.
func walk(n *tree.Node, at place, visit func(*tree.Node, place) error) error {
	if n == nil {
		return nil
	}
	if at.part == partSchema {
		at.nesting++
	}
	if err := visit(n, at); err != nil {
		return err
	}
	for _, r := range grammar[at.part] {
		child, pointer := n, at.pointer
		if r.key != "" {
			child, pointer = n.Get(r.key), at.pointer+"/"+r.key
		}
		if child == nil {
			continue
		}
		next := place{part: r.part, nesting: at.nesting}
		if r.shape == one {
			next.pointer = pointer
			if err := walk(child, next, visit); err != nil {
				return err
			}
			continue
		}
		for i, item := range child.Items {
			next.pointer = pointer + "/" + strconv.Itoa(i)
			if err := walk(item, next, visit); err != nil {
				return err
			}
		}
		for _, m := range child.Members {
			next.pointer = pointer + "/" + tree.Escape(m.Key)
			if err := walk(m.Value, next, visit); err != nil {
				return err
			}
		}
	}
	return nil
}
