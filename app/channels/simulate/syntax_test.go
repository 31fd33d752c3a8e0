//go:build judge

package simulate

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// broken are documents that are not JSON, one mistake each.
func broken() (list []string) {
	whole := "{\n  \"to\": \"+919812345678\",\n  \"text\": {\"body\": \"Grüße 🙂\", \"n\": [1, 2.5e3, true, null]},\n  \"x\": -7\n}"
	// A byte that is taken away or put in its place breaks a document, or does not.
	for i := range whole {
		if whole[i] >= 0x80 || strings.IndexByte("{}[]:,\"", whole[i]) < 0 {
			continue
		}
		list = append(list, whole[:i]+whole[i+1:], whole[:i]+"?"+whole[i+1:])
	}
	list = append(list, whole[:12], whole[:40], whole+"}", "{'a': 1}", "{\"a\": NaN}", "[1,, 2]", "[1 2]", "{\"a\": 01}", "{\"a\": +1}", "{\"a\": .5}", "{\"a\": 1.}", "{\"a\": \"\\q\"}", "{\"a\": \"\\u12x4\"}",
		"// a comment\n{}", "{\"a\": 1 /* b */}", "{\"a\": True}", "{\"a\": \"b\tc\"}", "nul", "")
	var bad []string
	for _, text := range list {
		if !json.Valid([]byte(text)) {
			bad = append(bad, text)
		}
	}
	return bad
}

// apart are the documents with a place of our own: the digit that is missing after a
// point, and the backslash of a wrong \u.
var apart = map[string]bool{"{\"a\": 1.}": true, "{\"a\": \"\\u12x4\"}": true}

// The place of a mistake is the one that Python's parser names. Newer versions of Python
// name the comma before a missing item in place of what stands there.
func TestPlacesAreThoseOfAnotherParser(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	texts := broken()
	if len(texts) < 60 {
		t.Fatalf("%d documents, at least 60 are wanted", len(texts))
	}
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	const program = `
import json, sys
out = []
for text in json.load(sys.stdin):
    try:
        json.loads(text)
        out.append(None)
    except json.JSONDecodeError as e:
        out.append([e.lineno, e.colno, e.msg])
json.dump(out, sys.stdout)`
	command := exec.CommandContext(t.Context(), python, "-c", program)
	command.Stdin = strings.NewReader(string(input))
	output, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var places [][]any
	if err := json.Unmarshal(output, &places); err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		_, err := parse(text)
		mistake, ok := err.(*syntaxError)
		if !ok {
			t.Errorf("%q is taken for JSON", text)
			continue
		}
		if places[i] == nil {
			if text != "{\"a\": NaN}" { // which Python reads
				t.Errorf("%q: %v, Python finds no mistake", text, mistake)
			}
			continue
		}
		line, column := int(places[i][0].(float64)), int(places[i][1].(float64))
		what, _ := places[i][2].(string)
		if mistake.place != (place{line, column}) && !apart[text] && !strings.HasPrefix(what, "Illegal trailing comma") {
			t.Errorf("%q: %v, Python says line %d, column %d: %s", text, mistake, line, column, what)
		}
	}
}
