package reader_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/openapi"
	"heliograph/db"
)

// What generated documentation is made of: names as real contracts have them,
// so that some words are in every endpoint and others in a few.
var (
	verbs      = strings.Fields("Create List Get Update Delete Send Cancel Search Export Verify Approve Archive Pause Resume Schedule")
	qualifiers = strings.Fields("scheduled archived shared draft inbound outbound regional default pending failed verified trial bulk nested hidden public partner internal legacy sandbox primary backup urgent weekly monthly")
	nouns      = strings.Fields("message template campaign contact segment journey webhook invoice payment refund customer order product catalogue media upload session number device call recording queue agent ticket report export schedule consent profile event")
	members    = strings.Fields("name status type language code createdAt updatedAt expiresAt callbackUrl phoneNumber countryCode externalId displayName retryCount maxAttempts currency amount description metadata tags locale priority channel sender recipient templateName mediaId mimeType fileSize sha256 latitude longitude timezone windowStart windowEnd dryRun")
)

// document generates a contract with n endpoints. The same seed gives the same.
func document(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 7))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	type object = map[string]any
	body := func(count int) object {
		properties := object{}
		for range count {
			name := pick(members)
			properties[name] = object{"type": "string", "description": fmt.Sprintf("The %s of the %s, as the %s gives it.", name, pick(nouns), pick(nouns))}
		}
		properties["options"] = object{"type": "object", "properties": object{pick(members): object{"type": "boolean"}, pick(members): object{"type": "integer"}}}
		return object{"application/json": object{"schema": object{"type": "object", "properties": properties}}}
	}
	paths := object{}
	for i := range n {
		verb, qualifier, noun := pick(verbs), pick(qualifiers), pick(nouns)
		paths[fmt.Sprintf("/%s/%s-%ss/{id}/%d", noun, qualifier, noun, i)] = object{"post": object{
			"operationId": fmt.Sprintf("%s%s%s%d", strings.ToLower(verb), qualifier, noun, i),
			"summary":     fmt.Sprintf("%s a %s %s", verb, qualifier, noun),
			"description": fmt.Sprintf("%ss one %s %s of the account. Use it before you %s a %s.", verb, qualifier, noun, strings.ToLower(pick(verbs)), pick(nouns)),
			"tags":        []string{noun},
			"parameters":  []any{object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}}, object{"name": pick(members), "in": "query", "schema": object{"type": "string"}}},
			"requestBody": object{"content": body(4)},
			"responses":   object{"200": object{"description": "Done.", "content": body(3)}, "400": object{"description": "Wrong.", "content": body(2)}},
		}}
	}
	text, err := json.Marshal(object{"openapi": "3.1.0", "info": object{"title": "Generated", "version": "1"}, "paths": paths})
	if err != nil {
		panic(err)
	}
	return text
}

// tales are guides of a product, with a section for each of some words.
func tales(seed uint64) (list []editorial.ImportGuide) {
	r := rand.New(rand.NewPCG(seed, 11))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	for i := range 10 {
		var text strings.Builder
		for range 6 {
			fmt.Fprintf(&text, "## %s a %s %s\n\nThe %s of a %s is what the %s waits for.\n\n", pick(verbs), pick(qualifiers), pick(nouns), pick(members), pick(nouns), pick(nouns))
		}
		list = append(list, editorial.ImportGuide{Slug: fmt.Sprintf("guide-%d", i), Guide: content.Guide{
			Title: pick(verbs) + " your first " + pick(nouns), Group: "Guides", Summary: "From a key to a " + pick(nouns) + ".", Text: text.String(),
		}})
	}
	return list
}

// generate publishes so many products with so many endpoints each.
func generate(t testing.TB, b db.Beginner, products, endpoints int) {
	t.Helper()
	for i := range products {
		parsed, err := openapi.Read(document(endpoints, uint64(i)))
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("Channel %d", i)
		set, err := editorial.Draft(t.Context(), b, editorial.System, editorial.Import{
			ProductSlug: fmt.Sprintf("channel-%d", i), Product: content.Product{Name: name, Summary: "Reaches people over " + name + "."},
			VersionSlug: "1.0", Version: content.Version{Label: "Current"}, Document: parsed, Guides: tales(uint64(i)),
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := editorial.Publish(t.Context(), b, editorial.System, set, true); err != nil {
			t.Fatal(err)
		}
	}
}
