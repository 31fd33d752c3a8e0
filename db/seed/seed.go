// Package seed holds the first content: the contracts of the channel APIs and
// of the portal's own routes as OpenAPI 3.1 documents, and the products that
// publish them, with their guides.
package seed

import "embed"

// Files holds products.json, the documents that it names, guides by product, and
// searched_as.tsv and synonyms.tsv: what people call a page who have not read it, and
// words that mean the same. In practice is the product that administrators learn on.
//
//go:embed products.json searched_as.tsv synonyms.tsv *.yaml guides practice
var Files embed.FS

// Glossary lists the words of contracts and guides, each with those that are never
// written in its place, divided by tabs. Lines that start with # are comments.
//
//go:embed glossary.tsv
var Glossary string
