package search_test

import (
	"strings"
	"testing"

	"heliograph/app/documentation/search"
	"heliograph/app/fault"
)

// A query that cannot be searched for names each of its faults.
func TestQueriesAreChecked(t *testing.T) {
	t.Parallel()
	engine := seeded(t)
	for _, tt := range []struct {
		query search.Query
		want  string // fields
	}{
		{search.Query{Text: strings.Repeat("ä", 200), Limit: 1}, ""},
		{search.Query{Text: "sms", Product: strings.Repeat("a", 120), Version: "1.0-Beta_2", Limit: search.MaxLimit}, ""},
		{search.Query{Text: strings.Repeat("ä", 201), Limit: 1}, "q"},
		{search.Query{Limit: 1}, "q"},
		{search.Query{Text: "a\x00", Limit: 1}, "q"},
		{search.Query{Text: "\xff", Limit: 1}, "q"},
		{search.Query{Text: "sms", Limit: 0}, "limit"},
		{search.Query{Text: "sms", Limit: search.MaxLimit + 1}, "limit"},
		{search.Query{Text: "sms", Kind: "smoke", Method: "BURN", Limit: 1}, "kind method"},
		{search.Query{Text: "sms", Version: "1.0", Limit: 1}, "version"},
		{search.Query{Text: "sms", Product: strings.Repeat("a", 121), Limit: 1}, "product"},
		{search.Query{Text: "sms", Product: "a/b", Limit: 1}, "product"},
		{search.Query{Text: "sms", Product: "sms", Version: "1 0", Limit: 1}, "version"},
	} {
		_, err := engine.Find(t.Context(), tt.query)
		var names []string
		if f := fault.As(err); f != nil {
			for _, field := range f.Fields {
				names = append(names, field.Name)
			}
		}
		if got := strings.Join(names, " "); got != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("%+v: faults in %q, %v; want %q", tt.query, got, err, tt.want)
		}
	}
}
