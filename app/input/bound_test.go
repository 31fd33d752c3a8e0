package input

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestBoundCountsValues(t *testing.T) {
	t.Parallel()
	for body, most := range map[string]int{
		`7`: 1, `"a,b,{[\",\\"`: 1, `"\`: 1, `"open`: 1, `{}`: 2, `[1,2,3]`: 4, `{"a":[{},{}],"b":"x,y"}`: 7,
		// Where a text ends decides what is counted: after an escaped quote it goes on, after
		// an escaped backslash it does not.
		`["",1,2]`: 4, `["\\",1,2]`: 4, `["a\\\\",1,"b"]`: 4, `["\"",1]`: 3, `["a\\\",1",2]`: 3, `["\",\",",[]]`: 4,
		`{"contacts":[` + strings.TrimSuffix(strings.Repeat("{},", 1000), ",") + `]}`: 2002,
	} {
		if err := Bound([]byte(body), most); err != nil {
			t.Errorf("%.40s: %v", body, err)
		}
		if err := Bound([]byte(body), most-1); err == nil && most > 1 {
			t.Errorf("%.40s is not refused with a bound of %d", body, most-1)
		}
	}
	deep := func(n int) []byte { return []byte(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)) }
	if err := Bound(deep(64), 1000); err != nil {
		t.Error(err)
	}
	if err := Bound(deep(65), 1000); err == nil {
		t.Error("65 levels are not refused")
	}
}

// What is bounded never holds more values than were counted.
func FuzzBound(f *testing.F) {
	f.Add(`{"a":[1,"x\",",{"b":null}]}`)
	f.Add(`[[],{},"\\"]`)
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			_ = Bound([]byte(text), 10)
			return
		}
		n := values(v)
		if Bound([]byte(text), n-1) == nil && n > 1 {
			t.Errorf("%q has %d values, and fewer were counted", text, n)
		}
	})
}

func values(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += values(e)
		}
	case map[string]any:
		for _, e := range v {
			n += values(e)
		}
	}
	return n
}
