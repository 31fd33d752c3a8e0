// Package inputtest changes JSON at random, to compare who reads it.
package inputtest

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// Change changes one value of a JSON text, or removes it. The new value is of any type, a
// string of so many characters, or one of others.
func Change(t testing.TB, random *rand.Rand, text string, length int, others ...any) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	var places []func(any)
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		if set != nil {
			places = append(places, set)
		}
		switch v := v.(type) {
		case map[string]any:
			for name, inner := range v {
				walk(inner, func(to any) {
					if v[name] = to; to == nil {
						delete(v, name)
					}
				})
			}
		case []any:
			for i, inner := range v {
				walk(inner, func(to any) { v[i] = to })
			}
		}
	}
	walk(value, nil)
	values := append([]any{nil, "", "x", strings.Repeat("y", 70), strings.Repeat("é", length), 7, -1, true, map[string]any{}, []any{}, []any{"a"}}, others...)
	places[random.IntN(len(places))](values[random.IntN(len(values))])
	made, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(made)
}
