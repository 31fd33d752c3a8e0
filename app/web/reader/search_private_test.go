package reader_test

import (
	"context"
	"strings"
	"testing"

	"heliograph/app/documentation/search"
	"heliograph/db"
	"heliograph/db/dbtest"
)

// What somebody looks for is in no log line, no metric and no row, also where
// the search fails.
func TestSearchKeepsNoQuery(t *testing.T) {
	t.Parallel()
	const secret = "aardvarkish"
	pool := dbtest.Pool(t)
	site := searchable(t, pool, func(db.Beginner) {})
	c := site.Client(t).With("Referer", "http://localhost/docs/x?search="+secret)
	ask := func(want int) {
		t.Helper()
		for _, path := range []string{"/search?q=", "/api/search?q=", "/api/search?q=x&kind=", "/docs/rcs/1.0?search=", "/?search=", "/search?q=x%00"} {
			c.Get(path + secret)
			c.HX().Get(path + secret)
		}
		if a := c.Get("/api/search?q=" + secret + "x"); a.Status != want || a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("the search answers %d with %v, want %d", a.Status, a.Header, want)
		}
	}
	ask(200)
	engine := search.New(pool, db.NewListener(pool))
	if _, err := engine.Find(t.Context(), search.Query{Text: secret, Limit: 1}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	engine.Run(ctx)
	var kept int
	err := pool.QueryRow(t.Context(), `
		select count(*) from information_schema.tables,
			lateral (select query_to_xml(format('select * from %I.%I', table_schema, table_name), true, false, '')::text as rows) r
		where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' and rows ilike '%' || $1 || '%'`, secret).Scan(&kept)
	if err != nil || kept > 0 {
		t.Errorf("%d tables hold the query: %v", kept, err)
	}
	if _, err := pool.Exec(t.Context(), `drop table search_rows cascade`); err != nil {
		t.Fatal(err)
	}
	ask(500)
	if log := site.Log.String(); !strings.Contains(log, "/api/search") || !strings.Contains(log, `"status":500`) || strings.Contains(log, secret) {
		t.Errorf("the log says too much or too little: %s", log)
	}
	c.Address = "127.0.0.1:4000" // a network that may read metrics
	if a := c.Get("/metrics"); !strings.Contains(a.Body, "api.search") || strings.Contains(a.Body, secret) {
		t.Errorf("the metrics say too much or too little: %s", a.Body)
	}
}
