package search_test

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"heliograph/app/documentation/editorial"
	"heliograph/app/documentation/search"
	"heliograph/db"
	"heliograph/db/dbtest"
	"heliograph/db/seed"
)

// labelled reads the queries of a file with the pages that they are for.
func labelled(t *testing.T, name string) (list [][]string) {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if line := lines.Text(); line != "" && line[0] != '#' && !strings.HasSuffix(line, "\tnone") {
			list = append(list, strings.Split(line, "\t"))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// published returns a database with the documentation that the program brings.
func published(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := dbtest.Pool(t)
	if err := editorial.Seed(t.Context(), pool, seed.Files); err != nil {
		t.Fatal(err)
	}
	return pool
}

// seeded returns a search of that documentation.
func seeded(t *testing.T) *search.Engine {
	t.Helper()
	pool := published(t)
	return search.New(pool, db.NewListener(pool))
}

// Sets of labelled queries must reach a mean reciprocal rank: the right page
// first is worth 1, second a half, third a third. The ranking was changed with all
// of these queries in sight, those of unseen.tsv and later.tsv only as kinds of
// misses, so the figures flatter. Guides that were written later are among the
// answers of the queries that they answer. newcomer.tsv and engineer.tsv were opened
// when the ranking was settled: 0.89 and 0.91 show what the search was worth to a new
// reader then. Synonyms and words without meaning were added for their misses.
// stranger.tsv, mostly sentences in words of their own, was opened last: 0.74 then.
// Other names of pages were written with its misses in sight, so its figure flatters
// most. outsider.tsv was opened after that, and nothing was changed for it: 0.95 then,
// and more since, by changes that were made before their author had seen it.
func TestRelevance(t *testing.T) {
	t.Parallel()
	engine := seeded(t)
	for _, set := range []struct {
		file   string
		wanted float64
	}{{"queries.tsv", 0.95}, {"typed.tsv", 0.89}, {"fresh.tsv", 0.94}, {"blind.tsv", 0.97}, {"partner.tsv", 0.96}, {"unseen.tsv", 0.93}, {"later.tsv", 0.9}, {"newcomer.tsv", 0.95}, {"engineer.tsv", 0.97}, {"stranger.tsv", 0.97}, {"outsider.tsv", 0.97}} {
		list := labelled(t, set.file)
		if len(list) < 40 {
			t.Fatalf("only %d labelled queries in %s", len(list), set.file)
		}
		var ranks []measured
		for _, label := range list {
			ranks = append(ranks, measure(t, engine, label))
		}
		report(t, set.file, ranks, set.wanted)
	}
}

// measured is the place at which the answer to a query stands.
type measured struct {
	query, first string
	rank         int // 0 for none
}

// measure searches for the query of a label.
func measure(t *testing.T, engine *search.Engine, label []string) measured {
	t.Helper()
	answer, err := engine.Find(t.Context(), search.Query{Text: label[0], Limit: 20})
	if err != nil {
		t.Fatalf("%s: %v", label[0], err)
	}
	m := measured{query: label[0], first: "nothing"}
	for i, r := range answer.Results {
		if i == 0 {
			m.first = r.URL
		}
		if m.rank == 0 && answers(label[1:], r.URL) {
			m.rank = i + 1
		}
	}
	return m
}

// answers reports whether a page, or a place on it, is one of those that answer a
// query.
func answers(pages []string, url string) bool {
	page, _, _ := strings.Cut(url, "#")
	return slices.Contains(pages, url) || slices.Contains(pages, page)
}

// report logs the figures of a set, and the queries whose page is not the first.
func report(t *testing.T, file string, list []measured, wanted float64) {
	t.Helper()
	var sum, first, third float64
	for _, m := range list {
		if m.rank != 1 {
			t.Logf("%-11s %-45s %2d, first is %s", file, m.query, m.rank, m.first)
		}
		if m.rank > 0 {
			sum += 1 / float64(m.rank)
		}
		if m.rank == 1 {
			first++
		}
		if m.rank > 0 && m.rank <= 3 {
			third++
		}
	}
	n := float64(len(list))
	t.Logf("%s: mean reciprocal rank %.3f, first %.3f, among three %.3f, of %d queries", file, sum/n, first/n, third/n, len(list))
	if sum/n < wanted {
		t.Errorf("the mean reciprocal rank of %s is %.3f, want %.2f", file, sum/n, wanted)
	}
}
