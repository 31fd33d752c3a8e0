package editorial_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/editorial/seedtest"
	"heliograph/app/documentation/search"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/seed"
)

// Guides, endpoints and schemas are found by what their authors say that they are
// searched as, and by that alone.
func TestPagesAreFoundByTheirPhrases(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	all := guideFiles("Some text.")
	all["searched_as.tsv"] = &fstest.MapFile{Data: []byte("# a comment\nletters/begin\tfirst steps, zebra\nletters/get-a\toldest vowel\n")}
	if err := editorial.Seed(t.Context(), pool, all); err != nil {
		t.Fatal(err)
	}
	engine := search.New(pool, db.NewListener(pool))
	for query, want := range map[string]string{"zebra": "/productguide/letters/begin", "oldest vowel": "/docs/letters/1.0/get-a"} {
		answer, err := engine.Find(t.Context(), search.Query{Text: query, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		var urls []string
		for _, r := range answer.Results {
			urls = append(urls, r.URL)
		}
		if !slices.Equal(urls, []string{want}) {
			t.Errorf("%q finds %q, want %s alone", query, urls, want)
		}
	}
	all["searched_as.tsv"] = &fstest.MapFile{Data: []byte("letters/begin\t" + strings.Repeat("a", 61) + "\n")}
	if err := editorial.Seed(t.Context(), pool, all); err == nil || !strings.Contains(err.Error(), "letters/begin") {
		t.Errorf("a phrase that is too long gives %v", err)
	}
}

// Every page that the seed has phrases for is published, with all of them.
func TestSeededPhrasesAreOfPages(t *testing.T) {
	t.Parallel()
	pool := seedtest.Pool(t)
	data, err := seed.Files.ReadFile("searched_as.tsv")
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for line := range strings.Lines(string(data)) {
		page, phrases, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || page[0] == '#' {
			continue
		}
		pages++
		product, slug, _ := strings.Cut(page, "/")
		var n int
		err := pool.QueryRow(t.Context(), `
			select count(*) from items i join revisions r on r.id = i.live_revision_id
			left join items v on v.id = i.parent_id left join items p on p.id = coalesce(v.parent_id, v.id)
			where i.slug = $2 and (v.slug = $1 or p.slug = $1) and i.archived_at is null and r.content->>'searched_as' = $3`, product, slug, phrases).Scan(&n)
		if err != nil || n == 0 {
			t.Errorf("%s is not published with its phrases: %v", page, err)
		}
	}
	if pages < 100 {
		t.Errorf("only %d pages have phrases", pages)
	}
}
