package published_test

import (
	"testing"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// A guide keeps the date at which its own text went public, whatever else of
// the product is released.
func TestGuides(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	c := published.New(pool, db.NewListener(pool))
	publish := func(begin string) *published.Product {
		t.Helper()
		set, err := editorial.Draft(t.Context(), pool, editorial.System, editorial.Import{
			ProductSlug: "letters", Product: content.Product{Name: "Letters"},
			Guides: []editorial.ImportGuide{
				{Slug: "go-on", Guide: content.Guide{Title: "Go on", Order: 2, Text: "More."}},
				{Slug: "begin", Guide: content.Guide{Title: "Begin", Order: 1, Text: begin}},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := editorial.Publish(t.Context(), pool, editorial.System, set, true); err != nil {
			t.Fatal(err)
		}
		if err := c.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		return c.Snapshot().Product("letters")
	}
	one := publish("Once.")
	two := publish("Twice.")
	if len(two.Guides) != 2 || two.Guides[0].Slug != "begin" || two.Guides[0].Text != "Twice." || two.Guides[1].Text != "More." {
		t.Fatalf("guides: %+v", two.Guides)
	}
	if !two.Guides[0].PublishedAt.After(one.Guides[0].PublishedAt) || !two.Guides[1].PublishedAt.Equal(one.Guides[1].PublishedAt) {
		t.Errorf("published %v and %v, before %v and %v",
			two.Guides[0].PublishedAt, two.Guides[1].PublishedAt, one.Guides[0].PublishedAt, one.Guides[1].PublishedAt)
	}
	if one.Guides[0].Text != "Once." {
		t.Error("an old snapshot changed")
	}
}
