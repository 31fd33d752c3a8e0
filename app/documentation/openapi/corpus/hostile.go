package corpus

import (
	"fmt"
	"strings"
)

// WithSchemas puts schemas into a document with one operation, which sends A0.
func WithSchemas(schemas string) string {
	return `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A0"}}}},"responses":{"200":{"description":"ok"}}}}},"components":{"schemas":{` + schemas + `}}}`
}

// Chain makes a document with schemas that each name the next one as often as the
// format does.
func Chain(levels int, format string) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, `"A%d":`+format+`,`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"A%d":{"type":"string"}`, levels)
	return WithSchemas(b.String())
}
