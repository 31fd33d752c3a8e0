package corpus

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Generate makes a contract with a number of endpoints. Words differ between
// endpoints as they do in real ones.
func Generate(t testing.TB, product, endpoints int) []byte {
	t.Helper()
	nouns := strings.Fields("message template campaign contact segment journey webhook invoice payment refund customer order media session device call")
	names := strings.Fields("name status type language code createdAt expiresAt callbackUrl phoneNumber countryCode externalId currency amount locale priority")
	type object = map[string]any
	body := func(i, count int) object {
		properties := object{}
		for n := range count {
			name := names[(i*7+n*5)%len(names)]
			properties[name] = object{"type": "string", "description": fmt.Sprintf("The %s of the %s, as the %s gives it.", name, nouns[(i+n)%len(nouns)], nouns[(i*3+n)%len(nouns)])}
		}
		properties["options"] = object{"type": "object", "properties": object{"dryRun": object{"type": "boolean"}, "limit": object{"type": "integer"}}}
		return object{"application/json": object{"schema": object{"type": "object", "properties": properties}}}
	}
	paths := object{}
	for i := range endpoints {
		noun := nouns[i%len(nouns)]
		paths[fmt.Sprintf("/%ss/{id}/%d", noun, i)] = object{"post": object{
			"operationId": fmt.Sprintf("send%s%d", noun, i), "summary": fmt.Sprintf("Send %s %d", noun, i),
			"description": fmt.Sprintf("Sends one %s of product %d. Use it before you list them.", noun, product), "tags": []string{noun},
			"parameters":  []any{object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}}, object{"name": "limit", "in": "query", "schema": object{"type": "string"}}},
			"requestBody": object{"content": body(i, 4)},
			"responses":   object{"200": object{"description": "Done.", "content": body(i+1, 3)}, "400": object{"description": "Wrong.", "content": body(i+2, 2)}},
		}}
	}
	text, err := json.Marshal(object{"openapi": "3.1.0", "info": object{"title": "Generated", "version": "1"}, "paths": paths})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
