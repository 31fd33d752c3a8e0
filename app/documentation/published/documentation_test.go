package published_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"heliograph/app/documentation/content"
	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/published"
	"heliograph/db"
	"heliograph/db/dbtest"
)

const document = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{
"/a":{"get":{"operationId":"getA","summary":"Get a","tags":["Letters"],"responses":{"200":{"description":"ok"}}}},
"/b":{"get":{"operationId":"getB","summary":"Get b","tags":["Letters"],"responses":{"200":{"description":"ok"}}}}}}`

func files(document string) fstest.MapFS {
	return fstest.MapFS{
		"products.json": {Data: []byte(`[
{"slug":"voice","product":{"name":"Voice","coming_soon":true}},
{"slug":"letters","product":{"name":"Letters"},"version":"1.0","label":"Current","document":"t.json"}]`)},
		"t.json": {Data: []byte(document)},
	}
}

func TestASecondProcessSeesWhatIsPublished(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	listener := db.NewListener(pool)
	c := published.New(pool, listener)
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { listener.Run(ctx) })
	wg.Go(func() { c.Run(ctx) })
	defer wg.Wait()
	defer stop()

	publish := func(document string) {
		if err := editorial.Seed(t.Context(), pool, files(document)); err != nil {
			t.Fatal(err)
		}
	}
	until := func(what string, ok func(*published.Snapshot) bool) *published.Snapshot {
		deadline := time.Now().Add(10 * time.Second)
		for !ok(c.Snapshot()) {
			if time.Now().After(deadline) {
				t.Fatalf("not within ten seconds: %s", what)
			}
			time.Sleep(5 * time.Millisecond)
		}
		return c.Snapshot()
	}
	publish(document)
	first := until("two products", func(s *published.Snapshot) bool { return len(s.Products) == 2 && s.Product("letters").Latest() != nil })
	if s := first.Products; s[0].Slug != "voice" || !s[0].ComingSoon || s[0].Latest() != nil {
		t.Errorf("products are out of order: %+v", s[0])
	}
	v := first.Product("letters").Version("1.0")
	found := v.Operation("get-b")
	previous, next := v.Neighbours(found)
	if previous == nil || previous.Slug != "get-a" || found == nil || next != nil {
		t.Errorf("neighbours of get-b: %v, %v, %v", previous, found, next)
	}
	if found := v.Operation("nope"); found != nil {
		t.Error("an endpoint that is not there was found")
	}
	publish(strings.Replace(document, "Get a", "Get the letter a", 1))
	second := until("the new name", func(s *published.Snapshot) bool {
		return s.Product("letters").Latest().Operation("get-a").Name == "Get the letter a"
	})
	if second == first || second.Product("letters").Latest().Number != 2 {
		t.Errorf("release number %d, want 2", second.Product("letters").Latest().Number)
	}
	if e := v.Operation("get-a"); e.Name != "Get a" {
		t.Error("an old snapshot changed")
	}
}

func TestDraftsAreNotSeen(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	c := published.New(pool, db.NewListener(pool))
	if _, err := editorial.Draft(t.Context(), pool, editorial.System, editorial.Import{ProductSlug: "secret", Product: content.Product{Name: "Secret"}}); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(c.Snapshot().Products); n != 0 {
		t.Errorf("%d products are seen, want none", n)
	}
}

func TestNothingNewKeepsTheSnapshot(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	c := published.New(pool, db.NewListener(pool))
	if err := editorial.Seed(t.Context(), pool, files(document)); err != nil {
		t.Fatal(err)
	}
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := c.Snapshot()
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c.Snapshot() != before {
		t.Error("the snapshot was made again without a release")
	}
}
