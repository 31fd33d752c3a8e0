package reader

import (
	"strings"
	"testing"

	views "heliograph/views/reader"
)

// What differs between two values is marked word by word, at each place where they
// differ, in every script. JSON is laid out on lines.
func TestValuesOfAChange(t *testing.T) {
	t.Parallel()
	shown := func(list []views.Word) string {
		var b strings.Builder
		for _, w := range list {
			if w.Changed {
				b.WriteString("[" + w.Text + "]")
			} else {
				b.WriteString(w.Text)
			}
		}
		return b.String()
	}
	for _, c := range []struct{ before, after, was, is string }{
		{"At most 60 days, kept in 2 places.", "At most 90 days, kept in 3 places.", "At most [60] days, kept in [2] places.", "At most [90] days, kept in [3] places."},
		{"Kept for a day", "Kept for a whole day", "Kept for a day", "Kept for a [whole ]day"},
		{"string", "integer", "string", "integer"},
		{"", "new text", "", "new text"},
		{"किताब के लिए 60", "कातिब के लिए 60", "[किताब] के लिए 60", "[कातिब] के लिए 60"},
		{`{"name":"Asha","city":"Pune","state":"open","count":1,"last":true}`, `{"name":"Asha","city":"Pune","state":"done","count":1,"last":true}`,
			"{\n  \"name\": \"Asha\",\n  \"city\": \"Pune\",\n  \"state\": \"[open]\",\n  \"count\": 1,\n  \"last\": true\n}",
			"{\n  \"name\": \"Asha\",\n  \"city\": \"Pune\",\n  \"state\": \"[done]\",\n  \"count\": 1,\n  \"last\": true\n}"},
	} {
		was, is := values(c.before, c.after)
		if shown(was) != c.was || shown(is) != c.is {
			t.Errorf("%q and %q give\n%s\n%s", c.before, c.after, shown(was), shown(is))
		}
	}
}
