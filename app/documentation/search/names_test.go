package search_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Every page that has other names is published, and each name is there once.
func TestNamesAreOfPages(t *testing.T) {
	t.Parallel()
	rows, err := published(t).Query(t.Context(), `select product || '/' || regexp_replace(url, '.*/', '') from search_rows where kind in ('guide', 'endpoint') and url not like '%#%'`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]bool{}
	for _, page := range list {
		pages[page] = true
	}
	text, err := os.ReadFile("words/names.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		page, names, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || line[0] == '#' {
			continue
		}
		if !pages[page] {
			t.Errorf("%s is not published", page)
		}
		seen := map[string]bool{}
		for _, name := range strings.Split(names, ", ") {
			if name == "" || seen[name] {
				t.Errorf("%s has %q twice", page, name)
			}
			seen[name] = true
		}
	}
}
