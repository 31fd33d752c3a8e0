package openapi

import (
	"strings"
	"testing"
)

func TestAtNamesThePublicAddress(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"an example":            {`{"example":{"href":"http://localhost:8080/docs"}}`, `{"example":{"href":"https://api.example.com/docs"}}`},
		"a text":                {`{"purpose":"Call http://localhost:8080/v3.","n":1.50}`, `{"purpose":"Call https://api.example.com/v3.","n":1.50}`},
		"a server":              {`{"frame":{"servers":[{"url":"{base}","variables":{"base":{"default":"http://localhost:8080"}}}]},"x":"http://localhost:8080"}`, `{"frame":{"servers":[{"url":"{base}","variables":{"base":{"default":"http://localhost:8080"}}}]},"x":"https://api.example.com"}`},
		"servers of an example": {`{"value":{"servers":[{"url":"http://localhost:8080"}]}}`, `{"value":{"servers":[{"url":"https://api.example.com"}]}}`},
		"no mention":            {`{ "a" : 1 }`, `{ "a" : 1 }`},
		"broken JSON":           {`{"a":"http://localhost:8080"`, `{"a":"http://localhost:8080"`},
	} {
		if got := string(At("https://api.example.com", []byte(c.in))); got != c.want {
			t.Errorf("%s: At = %s\nwant %s", name, got, c.want)
		}
	}
	if got := At("", []byte(`"http://localhost:8080"`)); !strings.Contains(string(got), ExampleURL) {
		t.Errorf("without a public address, At = %s", got)
	}
}
