package search_test

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"heliograph/app/editorial"
	"heliograph/app/search"
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
		if line := lines.Text(); line != "" && line[0] != '#' {
			list = append(list, strings.Split(line, "\t"))
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// Sets of labelled queries must reach a mean reciprocal rank: the right
// page first is worth 1, second a half, third a third.
func TestRelevance(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	if err := editorial.Seed(t.Context(), pool, seed.Files); err != nil {
		t.Fatal(err)
	}
	engine := search.New(pool, db.NewListener(pool))
	for file, wanted := range map[string]float64{"queries.tsv": 0.95, "typed.tsv": 0.85, "fresh.tsv": 0.70} {
		list := labelled(t, file)
		if len(list) < 60 {
			t.Fatalf("only %d labelled queries in %s", len(list), file)
		}
		if mean := reciprocal(t, engine, list); mean < wanted {
			t.Errorf("the mean reciprocal rank of %s is %.3f, want %.2f", file, mean, wanted)
		}
	}
}

// answers reports whether a page, or a place on it, is one of those that answer a
// query.
func answers(pages []string, url string) bool {
	page, _, _ := strings.Cut(url, "#")
	return slices.Contains(pages, url) || slices.Contains(pages, page)
}

// reciprocal asks every query and logs those whose page is not the first.
func reciprocal(t *testing.T, engine *search.Engine, list [][]string) float64 {
	var sum, first, third float64
	for _, label := range list {
		answer, err := engine.Find(t.Context(), search.Query{Text: label[0], Limit: 20})
		if err != nil {
			t.Fatalf("%s: %v", label[0], err)
		}
		rank := slices.IndexFunc(answer.Results, func(r search.Result) bool { return answers(label[1:], r.URL) }) + 1
		switch {
		case len(answer.Results) == 0:
			t.Logf("%-45s finds nothing", label[0])
		case rank != 1:
			t.Logf("%-45s %2d, first is %s", label[0], rank, answer.Results[0].URL)
		default:
			first++
		}
		if rank > 0 {
			sum += 1 / float64(rank)
		}
		if rank > 0 && rank <= 3 {
			third++
		}
	}
	n := float64(len(list))
	t.Logf("mean reciprocal rank %.3f, first %.3f, among three %.3f, of %d queries", sum/n, first/n, third/n, len(list))
	return sum / n
}
