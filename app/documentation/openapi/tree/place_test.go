package tree

import (
	"testing"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, pointer string
		line, column        int
	}{
		{"the whole", "\n {}", "", 2, 2},
		{"a member", "{\n  \"to\": 7\n}", "/to", 2, 9},
		{"an item", "{\"list\": [\n 1,\n 2]}", "/list/1", 3, 2},
		{"an escaped key", "{\"a/b\": {\n\"c~d\": true}}", "/a~1b/c~0d", 2, 8},
		{"after letters of two bytes", "{\"größe\": {\"é\": 1}}", "/größe/é", 1, 17},
		{"after a character of four bytes", "{\"a\": \"🌱\", \"b\": 2}", "/b", 1, 17},
		{"after a tab", "{\n\t\"b\": 2}", "/b", 2, 7},
		{"lines of another system", "{\r\n  \"to\": 7\r\n}", "/to", 2, 9},
		{"one that is missing", "{\n  \"to\": {}\n}", "/to/name/first", 2, 9},
		{"YAML", "to:\n  name: 7", "/to/name", 2, 9},
		{"YAML after letters of two bytes", "größe: {é: 1}", "/größe/é", 1, 12},
		{"a list of YAML", "list:\n  - a\n  - b: 1", "/list/1/b", 3, 8},
	} {
		n, err := Read([]byte(c.text))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if line, column := locate(n, c.pointer); line != c.line || column != c.column {
			t.Errorf("%s is at line %d, column %d; want %d, %d", c.name, line, column, c.line, c.column)
		}
	}
	if got := WithPlace(Object(), "/a", "It is missing."); got != "It is missing." {
		t.Errorf("a value without a text has %q", got)
	}
}

// What the reader refuses has its place in characters as well.
func TestPlacesOfRefusals(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n  \"é\": x\n}":        "Line 2, column 8",
		"{\"a\": 1,}":             "Line 1, column 9",
		"{\"größe\": 1, \"a\" 2}": "Line 1, column 18",
		"größe: \"é":              "Line 1, column 10",
	} {
		_, err := Read([]byte(text))
		if err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("%q gives %v, want %s", text, err, want)
		}
	}
}
