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

// wanted is the mean reciprocal rank that the labelled queries must reach: the
// right page first is worth 1, second a half, third a third.
const wanted = 0.95

// labelled reads the queries with the pages that they are for.
func labelled(t *testing.T) (list [][]string) {
	t.Helper()
	file, err := os.Open("testdata/queries.tsv")
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

func TestRelevance(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	if err := editorial.Seed(t.Context(), pool, seed.Files); err != nil {
		t.Fatal(err)
	}
	engine := search.New(pool, db.NewListener(pool))
	list, sum := labelled(t), 0.0
	if len(list) < 60 {
		t.Fatalf("only %d labelled queries", len(list))
	}
	for _, label := range list {
		answer, err := engine.Find(t.Context(), search.Query{Text: label[0], Limit: 20})
		if err != nil {
			t.Fatalf("%s: %v", label[0], err)
		}
		rank := slices.IndexFunc(answer.Results, func(r search.Result) bool { return slices.Contains(label[1:], r.URL) }) + 1
		if rank > 0 {
			sum += 1 / float64(rank)
		}
		if rank != 1 && len(answer.Results) > 0 {
			t.Logf("%-40s %2d, first is %s", label[0], rank, answer.Results[0].URL)
		} else if rank == 0 {
			t.Logf("%-40s finds nothing", label[0])
		}
	}
	mean := sum / float64(len(list))
	t.Logf("mean reciprocal rank %.3f of %d queries", mean, len(list))
	if mean < wanted {
		t.Errorf("the mean reciprocal rank is %.3f, want %.2f", mean, wanted)
	}
}
