package portal

import "testing"

// The words that differ between two values are marked, at borders of words.
func TestDifferingWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after string
		was, is       split
	}{
		{"At most 60 days.", "At most 90 days.", split{"At most ", "60", " days."}, split{"At most ", "90", " days."}},
		{"Kept for a day", "Kept for a whole day", split{"Kept for a ", "", "day"}, split{"Kept for a ", "whole ", "day"}},
		{"string", "integer", split{Start: "string"}, split{Start: "integer"}},
		{"", "new text", split{Start: ""}, split{Start: "new text"}},
		{"दिन 60", "दिन 90", split{"दिन ", "60", ""}, split{"दिन ", "90", ""}},
		{"same", "same", split{Start: "same"}, split{Start: "same"}},
	} {
		if was, is := differing(c.before, c.after); was != c.was || is != c.is {
			t.Errorf("%q and %q give %q and %q", c.before, c.after, was, is)
		}
	}
}
