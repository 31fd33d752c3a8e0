package search_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/importing/reading"
	"heliograph/app/documentation/search"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/seed"
)

// importInto publishes a document as the only version of a product.
func importInto(ctx context.Context, pool *pgxpool.Pool, slug, name string, data []byte) error {
	read, err := reading.Read(data)
	if err != nil {
		return err
	}
	id, err := editorial.Draft(ctx, pool, editorial.System, editorial.Import{
		ProductSlug: slug, Product: content.Product{Name: name, Summary: "Reference of " + name + ".", Homepage: true},
		VersionSlug: "1.0", Version: content.Version{Label: content.Current}, Document: read.Document,
	})
	if err != nil {
		return err
	}
	if err := editorial.Publish(ctx, pool, editorial.System, id, true); err != nil {
		return err
	}
	synonyms, err := fs.ReadFile(seed.Files, "synonyms.tsv")
	if err != nil {
		return err
	}
	return editorial.Seed(ctx, pool, fstest.MapFS{"products.json": {Data: []byte("[]")}, "synonyms.tsv": {Data: synonyms}})
}

func TestFirst(t *testing.T) {
	for _, beside := range []bool{false, true} {
		var pool *pgxpool.Pool
		if beside {
			pool = published(t)
		} else {
			pool = dbtest.Pool(t)
		}
		data, err := os.ReadFile(filepath.Join("/work/shared/data/documents", os.Getenv("DOC")))
		if err != nil {
			t.Fatal(err)
		}
		if err := importInto(t.Context(), pool, os.Getenv("SLUG"), os.Getenv("NAME"), data); err != nil {
			t.Fatal(err)
		}
		engine := search.New(pool, db.NewListener(pool))
		var ranks []measured
		for _, label := range labelled(t, os.Getenv("SLUG")+".tsv") {
			ranks = append(ranks, measureOp(t, engine, label))
		}
		report(t, os.Getenv("SLUG"), ranks, 0.8)
	}
}

func measureOp(t *testing.T, engine *search.Engine, label []string) measured {
	t.Helper()
	answer, err := engine.Find(t.Context(), search.Query{Text: label[0], Limit: 20})
	if err != nil {
		t.Fatalf("%s: %v", label[0], err)
	}
	m := measured{query: label[0], first: "nothing"}
	for i, r := range answer.Results {
		if i == 0 {
			m.first = r.Kind + " " + r.Method + " " + r.Path + " " + r.URL
		}
		if m.rank == 0 && answers(label[1:], r.Method+" "+r.Path) {
			m.rank = i + 1
		}
	}
	return m
}
