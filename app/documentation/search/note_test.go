package search_test

import (
	"context"
	"testing"

	"heliograph/app/documentation/search"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// Of a search, its length and the number of results are kept, by the day.
func TestSearchesAreNoted(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	engine := search.New(pool, db.NewListener(pool))
	for _, text := range []string{"größe", "a", "a"} {
		if _, err := engine.Find(t.Context(), search.Query{Text: text, Limit: 5}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	engine.Run(ctx) // writes what waits before it ends
	var searches, length, results int
	var columns string
	err := pool.QueryRow(t.Context(), `select count(*), sum(length), sum(results),
		(select string_agg(column_name, ' ' order by column_name) from information_schema.columns where table_name = 'searches')
		from searches where day = current_date`).Scan(&searches, &length, &results, &columns)
	if err != nil || searches != 3 || length != 7 || results != 0 || columns != "day length results" {
		t.Errorf("%d searches of %d characters and %d results in columns %q: %v", searches, length, results, columns, err)
	}
}

func TestSynonymsAreHeard(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	_, err := pool.Exec(t.Context(), `
		with i as (insert into items (kind, slug) values ('product', 'p') returning id),
		r as (insert into search_rows (scope_id, item_id, kind, product, title, url, weight, terms) select id, id, 'product', 'p', 'Lighthouse', '/docs/p', 1, '' from i returning id, scope_id)
		insert into search_names (id, scope_id, kind, product, version, method, weight, size, key, alias, shape, words)
		select id, scope_id, 'product', 'p', '', '', 1, 1, 'lighthouse', '', '', to_tsvector('docs', 'lighthouse') from r`)
	if err != nil {
		t.Fatal(err)
	}
	listener := db.NewListener(pool)
	engine := search.New(pool, listener)
	heard := make(chan struct{}, 8)
	listener.Subscribe(func(string) { heard <- struct{}{} })
	go listener.Run(t.Context())
	<-heard
	find := func() int {
		answer, err := engine.Find(t.Context(), search.Query{Text: "beacon", Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		return answer.Total
	}
	if n := find(); n != 0 {
		t.Fatalf("%d results before the synonym", n)
	}
	if _, err := pool.Exec(t.Context(), `insert into search_synonyms (term, means) values ('beacon', 'lighthouse')`); err != nil {
		t.Fatal(err)
	}
	<-heard
	if n := find(); n != 1 {
		t.Errorf("%d results after the synonym, want 1", n)
	}
}
