package tree

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/fault"
)

func TestYAMLValues(t *testing.T) {
	t.Parallel()
	n, err := Read([]byte(`
base: &base {a: 1, b: 2}
merged: {<<: *base, b: 3}
date: 2026-01-31
hex: 0x1F
long: 1_000
octal: 0o17
plus: +5
point: .5
inf: .inf
yes: yes
"on": true
200: ok
null: ~
text: !custom 5
fold: >
  one
  two
`))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"base":{"a":1,"b":2},"merged":{"b":3,"a":1},"date":"2026-01-31","hex":31,"long":1000,"octal":15,"plus":5,"point":0.5,"inf":".inf",` +
		`"yes":"yes","on":true,"200":"ok","null":null,"text":"5","fold":"one two\n"}`
	if diff := cmp.Diff(want, string(n.JSON())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPlaces tells where values stand in their source.
func TestPlaces(t *testing.T) {
	t.Parallel()
	n, err := Read([]byte("{\n  \"a\": [1,\n    {\"b~/c\": true}],\n\"d\":\"x\"}"))
	if err != nil {
		t.Fatal(err)
	}
	for pointer, want := range map[string][2]int32{"": {1, 1}, "/a": {2, 8}, "/a/0": {2, 9}, "/a/1/b~0~1c": {3, 14}, "/d": {4, 5}} {
		if got := n.At(pointer); got == nil || [2]int32{got.Line, got.Column} != want {
			t.Errorf("%s is %+v, want it at %v", pointer, got, want)
		}
	}
	if got := Parent("/a/1/b~0~1c"); got != "/a/1" || n.At("/a/9") != nil || n.At("/d/x") != nil || n.At("/a/-1") != nil {
		t.Errorf("the parent is %s", got)
	}
	if got := string(n.JSON()); got != `{"a":[1,{"b~/c":true}],"d":"x"}` {
		t.Errorf("written as %s", got)
	}
}

func TestChange(t *testing.T) {
	t.Parallel()
	n := Object(Member{Key: "a", Value: Number("1.50")}, Member{Key: "b", Value: Null()})
	c := n.Without("b")
	c.Set("a", Bool(true))
	c.Append("z", Array(String("<&>\u2028")))
	n.Remove("a")
	if got := string(n.JSON()) + string(c.JSON()); got != `{"b":null}{"a":true,"z":["<&>\u2028"]}` {
		t.Errorf("changed to %s", got)
	}
	if !c.Equal(c.Without()) || c.Equal(n) || c.True("z") || !c.True("a") {
		t.Error("values are compared or read wrongly")
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	n, err := Read([]byte(`{"a":{"$ref":"#/b"},"b":{"$ref":"#/c%20d"},"c d":{"x":1},"e":{"$ref":"#/e"},"f":{"$ref":"other.json"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]*Node{"a": n.Get("c d"), "c d": n.Get("c d"), "e": nil, "f": nil} {
		if got := n.Follow(n.Get(key)); got != want {
			t.Errorf("%s leads to %v", key, got)
		}
	}
}

// FuzzJSON holds the reader to encoding/json: both take the same documents,
// save the limits and duplicate keys, and read the same values.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{}`, `[1,2.5e-3,-0]`, `{"a":"\u00e9\ud83d\ude00\n","b":[true,false,null]}`, `{"a":1,}`, `[1 2]`, `{"a" 1}`, `{a:1}`, `[01]`, `["\x"]`, "[\"\t\"]",
		`[1] x`, `[`, `{"a":`, `{"a"`, `["a`, `[tru]`, `[truex]`, `[-]`, `[1.]`, "{}\n", `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		trimmed := bytes.TrimLeft(data, " \t\r\n")
		if len(trimmed) == 0 || trimmed[0] != '{' && trimmed[0] != '[' {
			return
		}
		n, err := Read(data)
		decoder := json.NewDecoder(bytes.NewReader(data))
		decoder.UseNumber()
		var want any
		wantErr := decoder.Decode(&want)
		if _, more := decoder.Token(); wantErr == nil && !errors.Is(more, io.EOF) {
			wantErr = errors.New("more follows")
		}
		if err == nil && wantErr != nil {
			t.Fatalf("%q is read though it is not JSON: %v", data, wantErr)
		}
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("not a fault: %v", err)
			}
			text := err.Error()
			own := strings.Contains(text, "twice") || strings.Contains(text, "NUL") || strings.Contains(text, "range") || strings.Contains(text, "nested") || strings.Contains(text, "UTF-8")
			if wantErr == nil && !own {
				t.Fatalf("%q is JSON but refused: %v", data, err)
			}
			return
		}
		if !reflect.DeepEqual(n.Plain(), want) {
			t.Fatalf("%q is read as %s", data, n.JSON())
		}
		again, err := Read(n.JSON())
		if err != nil || !again.Equal(n) {
			t.Fatalf("%q is written as %s: %v", data, n.JSON(), err)
		}
	})
}
