package openapi

import "encoding/json"

// Document is an API description split into parts.
type Document struct {
	Title, Version, Description string

	Parts
	Warnings []Warning // what was read leniently
}

// Parts are the parts of an API description that are edited and released
// separately. [Assemble] puts them together again.
type Parts struct {
	// Frame is the document without the other parts: openapi, info, servers,
	// security, components and extensions, in order. Its paths and webhooks keep
	// what belongs to a Path Item, with null in the place of each operation;
	// components.schemas and tags stay as empty containers where they were.
	Frame      json.RawMessage
	Operations []Operation // paths, in document order
	Callbacks  []Operation // webhooks, in document order
	Schemas    []Schema    // components.schemas, in document order
	Categories []Tag       // tags, in document order
}

// Operation is one operation of a document with all that it needs. The other
// fields win over Raw where they differ.
type Operation struct {
	ID       string // operationId, made up from method and path when missing, unique in the document
	Slug     string // kebab-case of ID, unique in the document
	Name     string // summary, else a readable form of ID
	Category string // first tag, "" when it has none
	Method   string // upper case
	Path     string // as readers see it: x-path, else the path of the document; the name of a webhook
	Purpose  string // description, Markdown

	// Raw is the operation object with the parameters and servers of its path
	// merged in and $refs kept. What it has from its path is marked with
	// x-openapi-inherited. x-openapi-path holds the path of the document where
	// Path differs from it.
	Raw json.RawMessage
}

// Schema is a schema of a document's components. References use its name.
type Schema struct {
	Name string          // the key in components.schemas
	Slug string          // kebab-case of Name, unique among the schemas
	Raw  json.RawMessage // the Schema Object, $refs kept
}

// Tag is a Tag Object, which groups operations. Name and Description win over
// Raw where they differ.
type Tag struct {
	Name        string
	Slug        string // kebab-case of Name, unique among the tags
	Description string // Markdown
	Raw         json.RawMessage
}

// methods are the members of a Path Item that hold operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// The members that parts have beyond OpenAPI. A document that has them already
// loses them when it is read.
const (
	pathKey      = "x-openapi-path"
	inheritedKey = "x-openapi-inherited"
)

// AddedKey marks a server that an export adds to the servers of the document. [Read]
// leaves such servers out.
const AddedKey = "x-openapi-added"
