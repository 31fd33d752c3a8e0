package reader_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/db/dbtest"
)

const petsContract = `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: https://api.example.com}]
paths:
  /pets: {get: {operationId: listPets, summary: List pets, responses: {'200': {description: Pets.}}}}
`

// A portal with an imported API alone promises no messages, and no keys for it.
func TestHomepageSaysWhatThePortalHolds(t *testing.T) {
	t.Parallel()
	doc := over(t, dbtest.Filled(t, "pets", func(ctx context.Context, pool *pgxpool.Pool) error {
		pets := editorial.Import{ProductSlug: "pets", Product: content.Product{Name: "Pets", Homepage: true}, VersionSlug: "1.0", Version: content.Version{Label: "Current"}}
		return release(ctx, pool, pets, petsContract)
	})).page(t, "/")
	main := said(doc.Find("main"))
	if !strings.Contains(main, "Pets: what to send") || doc.Find(".steps a").Length() != 2 {
		t.Errorf("the homepage does not introduce the product: %s", main)
	}
	description := doc.Find("meta[name=description]").AttrOr("content", "")
	for _, word := range []string{"message", "apikey", "Get a key"} {
		if strings.Contains(main+description, word) {
			t.Errorf("the homepage promises %q: %s %s", word, description, main)
		}
	}
}
