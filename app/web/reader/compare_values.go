package reader

import (
	"bytes"
	"encoding/json"
	"strings"

	"heliograph/app/diff"
	"heliograph/app/lists"
	views "heliograph/views/reader"
)

// leastLaid is the length of JSON from which a value is laid out on lines.
const leastLaid = 60

// values are the two sides of a change, with the words marked that only one of them
// has. JSON on one line is laid out first, so that what differs stands on a line of its
// own. Where one side is missing, or nearly everything differs, nothing is marked.
func values(before, after string) (was, is []views.Word) {
	before, after = laid(before), laid(after)
	if before == "" || after == "" {
		return plainWord(before), plainWord(after)
	}
	a, b, alike := diff.Words(before, after)
	if !alike {
		return plainWord(before), plainWord(after)
	}
	return wordsOf(a), wordsOf(b)
}

// laid lays JSON out that is an object or an array, unless it is short.
func laid(text string) string {
	var b bytes.Buffer
	if len(text) < leastLaid || !strings.ContainsAny(text[:1], "{[") || json.Indent(&b, []byte(text), "", "  ") != nil {
		return text
	}
	return b.String()
}

func plainWord(text string) []views.Word {
	if text == "" {
		return nil
	}
	return []views.Word{{Text: text}}
}

func wordsOf(parts []diff.Part) (list []views.Word) {
	return lists.Map(parts, func(p diff.Part) views.Word { return views.Word(p) })
}
