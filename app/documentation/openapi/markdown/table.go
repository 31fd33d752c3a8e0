package markdown

import (
	"iter"
	"regexp"
	"strings"

	"heliograph/app/lists"
)

var tableRule = regexp.MustCompile(`^\|?[\s:|-]+\|?$`)

// TableRows goes through the rows of the tables in a Markdown text, each with the
// headings of its table in lower case. Cells are without backticks. A row may have
// more or fewer cells than there are headings.
func TableRows(text string) iter.Seq2[[]string, []string] {
	return func(yield func(head, row []string) bool) {
		var head, previous []string
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "|") {
				head, previous = nil, nil
				continue
			}
			row := cells(line)
			switch {
			case tableRule.MatchString(line):
				head = lower(previous)
			case head != nil:
				if !yield(head, row) {
					return
				}
			}
			previous = row
		}
	}
}

func lower(row []string) (head []string) {
	return lists.Map(row, strings.ToLower)
}

// unmarked removes the marks of code and of strong text.
var unmarked = strings.NewReplacer("`", "", "**", "")

func cells(line string) []string {
	list := strings.Split(strings.Trim(line, "|"), "|")
	for i, cell := range list {
		list[i] = strings.TrimSpace(unmarked.Replace(cell))
	}
	return list
}
