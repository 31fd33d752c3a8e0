package rcs

import (
	"fmt"
	"strings"
	"testing"
)

// The values of variables are an object, or one in a string of at most 10,000
// characters.
func TestCustomParams(t *testing.T) {
	t.Parallel()
	object := func(length int) string { return `{"n":1` + strings.Repeat(" ", length-len(`{"n":1}`)) + `}` }
	many := func(n int) map[string]any {
		values := map[string]any{}
		for i := range n {
			values[fmt.Sprint("v", i)] = true
		}
		return values
	}
	for _, test := range []struct {
		name  string
		value any
		want  string
	}{
		{"the longest string", object(10_000), ""},
		{"a longer one", object(10_001), "max_length"},
		{"a string that is no object", "[]", "type"},
		{"null in a string", "null", "type"},
		{"the most values", many(50), ""},
		{"more", many(51), "max_properties"},
		{"the longest value", map[string]any{"v": strings.Repeat("ä", 2000)}, ""},
		{"a longer value", map[string]any{"v": strings.Repeat("ä", 2001)}, "max_length"},
		{"a value with NUL", map[string]any{"v": "a\x00"}, "max_length"},
		{"a list as a value", map[string]any{"v": []any{}}, "type"},
	} {
		var c check
		customParams(&c, "customParams", test.value)
		var got string
		for _, f := range c.fields {
			got += f.Code
		}
		if got != test.want {
			t.Errorf("%s: the faults are %q, want %q", test.name, got, test.want)
		}
	}
}

func TestExactlyOne(t *testing.T) {
	t.Parallel()
	one := exactlyOne("a or b", fields{"a": nil, "b": nil})
	for want, value := range map[int][]any{
		0: {map[string]any{"a": 1}, map[string]any{"b": 1, "c": 1}, "not an object"},
		1: {map[string]any{}, map[string]any{"c": 1}, map[string]any{"a": 1, "b": 1}},
	} {
		for _, v := range value {
			var c check
			if one(&c, "", v); len(c.fields) != want {
				t.Errorf("%v has %d faults, want %d: %v", v, len(c.fields), want, c.fields)
			}
		}
	}
}
