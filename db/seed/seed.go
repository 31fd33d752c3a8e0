// Package seed holds the first content: the contracts of the channel APIs and
// of the portal's own routes as OpenAPI 3.1 documents, and the products that
// publish them.
package seed

import "embed"

// Files holds products.json and the documents that it names.
//
//go:embed products.json *.yaml
var Files embed.FS
