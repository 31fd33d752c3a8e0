package markdown_test

import (
	"fmt"
	"testing"

	"heliograph/app/documentation/openapi/markdown"
)

func TestTableRows(t *testing.T) {
	t.Parallel()
	const text = "Before.\n\n| Code | Meaning |\n|:--|--:|\n| `1`, 2 | **One** |\n|3|\n\nBetween.\n\n  | A |\n  |---|\n  | x | y |\n| no | table |\n\n| neither |\n\n|---|\n| no head |\n\n| | B |\n|--|--|\n| | b |\n"
	want := []string{"[code meaning] [1, 2 One]", "[code meaning] [3]", "[a] [x y]", "[a] [no table]", "[ b] [ b]"}
	var got []string
	for head, row := range markdown.TableRows(text) {
		got = append(got, fmt.Sprint(head, " ", row))
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("rows are %q, want %q", got, want)
	}
	for range markdown.TableRows(text) {
		break
	}
}
