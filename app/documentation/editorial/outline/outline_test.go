package outline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"heliograph/app/documentation/editorial/outline"
	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/tree"
)

const operation = `{"x-first":1,"parameters":[{"name":"limit","in":"query","x-a":1.50,"schema":{"type":"integer"}},{"$ref":"#/components/parameters/Page"}],
"requestBody":{"content":{"application/json":{"schema":{"type":"object","required":["to"],"properties":{"to":{"type":"string","x-b":null},"list":{"type":"array","items":{"$ref":"#/components/schemas/Letter"}}}},
"examples":{"short":{"value":{"to":"a"}}}}}},"responses":{"200":{"description":"OK"},"x-more":1},"x-last":"<b>"}`

func sources() outline.Sources {
	return outline.Sources{Schemes: []string{"key"}, Schema: func(name string) *tree.Node {
		if name != "Letter" {
			return nil
		}
		n, _ := tree.Read([]byte(`{"type":"object","properties":{"id":{"type":"string"}}}`))
		return n
	}}
}

func read(t *testing.T, text string) *tree.Node {
	t.Helper()
	n, err := tree.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What an input or an action changes, and nothing else.
func TestApply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, value, do, before, after string }{
		{"in:/parameters/0#name", "most", "", `"name":"limit"`, `"name":"most"`},
		{"in:/parameters/0#required", "true", "", `"schema":{"type":"integer"}}`, `"schema":{"type":"integer"},"required":true}`},
		{"in:/parameters/0#in", "path", "", `"name":"limit","in":"query","x-a":1.50,"schema":{"type":"integer"}}`, `"name":"limit","in":"path","x-a":1.50,"schema":{"type":"integer"},"required":true}`},
		{"in:/parameters/0/schema#enum", "1\n2", "", `{"type":"integer"}`, `{"type":"integer","enum":[1,2]}`},
		{"in:/parameters/0#example", "7", "", `"schema":{"type":"integer"}}`, `"schema":{"type":"integer"},"example":7}`},
		{"in:/requestBody/content/application~1json/schema/properties/to#name", "phone", "", `"required":["to"],"properties":{"to"`, `"required":["phone"],"properties":{"phone"`},
		{"in:/requestBody/content/application~1json/schema/properties/to#required", "", "", `"required":["to"],`, ``},
		{"in:/requestBody/content/application~1json/schema/properties/to#type", "integer", "", `{"type":"string","x-b"`, `{"type":"integer","x-b"`},
		{"in:/requestBody/content/application~1json/schema/properties/list#required", "true", "", `"required":["to"]`, `"required":["to","list"]`},
		{"in:/requestBody/content/application~1json#type", "text/plain", "", `"application/json"`, `"text/plain"`},
		{"in:/requestBody/content/application~1json/examples/short#name", "long", "", `"short"`, `"long"`},
		{"in:/requestBody/content/application~1json/examples/short#value", "{\r\n  \"to\": 1e3\r\n}", "", `{"to":"a"}`, `{"to":1e3}`},
		{"in:/responses/200#code", "201", "", `"200"`, `"201"`},
		{"in:#security", "key", "", `"x-last":"<b>"`, `"x-last":"<b>","security":[{"key":[]}]`},
		{"in:#deprecated", "true", "", `"x-last":"<b>"`, `"x-last":"<b>","deprecated":true`},
		{"", "", "delete:/requestBody/content/application~1json/schema/properties/to", `"required":["to"],"properties":{"to":{"type":"string","x-b":null},`, `"properties":{`},
		{"", "", "field:/requestBody/content/application~1json/schema", `"$ref":"#/components/schemas/Letter"}}}`, `"$ref":"#/components/schemas/Letter"}},"field":{"type":"string"}}`},
		{"", "", "split:/requestBody/content/application~1json/schema/properties/list/items", `{"$ref":"#/components/schemas/Letter"}`, `{"type":"object","properties":{"id":{"type":"string"}}}`},
		{"", "", "down:/requestBody/content/application~1json/schema/properties/to", `"to":{"type":"string","x-b":null},"list":{"type":"array","items":{"$ref":"#/components/schemas/Letter"}}`,
			`"list":{"type":"array","items":{"$ref":"#/components/schemas/Letter"}},"to":{"type":"string","x-b":null}`},
		{"", "", "up:/parameters/1", `{"name":"limit","in":"query","x-a":1.50,"schema":{"type":"integer"}},{"$ref":"#/components/parameters/Page"}`,
			`{"$ref":"#/components/parameters/Page"},{"name":"limit","in":"query","x-a":1.50,"schema":{"type":"integer"}}`},
		{"", "", "response:/responses", `"x-more":1`, `"x-more":1,"400":{"description":"Bad Request"}`},
		{"", "", "delete:/requestBody", operation[strings.Index(operation, `"requestBody"`):strings.Index(operation, `"responses"`)], ``},
	} {
		o := outline.Operation(read(t, operation), sources())
		if !o.Apply(map[string]string{c.name: c.value}, c.do) {
			t.Errorf("%s%s is refused", c.name, c.do)
			continue
		}
		compact := string(read(t, operation).JSON())
		want := strings.Replace(compact, strings.ReplaceAll(c.before, "\n", ""), c.after, 1)
		if got := string(o.Root.JSON()); got != want || got == compact {
			t.Errorf("%s%s gives\n%s\nwant\n%s", c.name, c.do, got, want)
		}
	}
}

// What cannot be written is named, and says where it is wrong.
func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string][2]string{
		"in:/requestBody/content/application~1json/examples/short#value":         {"{\n  \"to\" 1\n}", "Line 2, column 8"},
		"in:/requestBody/content/application~1json#type":                         {"json", "content type"},
		"in:/responses/200#code":                                                 {"2000", "status"},
		"in:/parameters/0#name":                                                  {"", "Enter a name"},
		"in:/requestBody/content/application~1json/schema/properties/to#name":    {"list", "another one named list"},
		"in:/parameters/0/schema#enum":                                           {"one", "no integer"},
		"in:#security":                                                           {"unknown", "Choose one"},
		"in:/requestBody/content/application~1json/schema/properties/to#example": {"", ""},
	} {
		o := outline.Operation(read(t, operation), sources())
		ok := o.Apply(map[string]string{name: c[0]}, "")
		i := slices.IndexFunc(o.Inputs(), func(in *outline.Input) bool { return in.Name == name })
		if i < 0 || ok != (c[1] == "") || !strings.Contains(o.Inputs()[i].Error, c[1]) {
			t.Errorf("%s gives %v", name, ok)
		} else if o.Inputs()[i].Value != c[0] {
			t.Errorf("%s lost what was typed: %q", name, o.Inputs()[i].Value)
		}
	}
}

// flat lists every value of a tree with its place, in order.
func flat(n *tree.Node, at string) (list []string) {
	switch n.Kind {
	case tree.KindObject:
		list = append(list, at+"\x00{")
		for _, m := range n.Members {
			list = append(list, flat(m.Value, at+"/"+tree.Escape(m.Key))...)
		}
	case tree.KindArray:
		list = append(list, at+"\x00[")
		for i, item := range n.Items {
			list = append(list, flat(item, fmt.Sprintf("%s/%d", at, i))...)
		}
	default:
		list = append(list, fmt.Sprintf("%s\x00%d %s", at, n.Kind, n.Text))
	}
	return list
}

// outside drops the lines at or below the places that an edit may change.
func outside(list []string, places []string) (rest []string) {
	for _, line := range list {
		at, _, _ := strings.Cut(line, "\x00")
		if !slices.ContainsFunc(places, func(p string) bool { return at == p || strings.HasPrefix(at, p+"/") }) {
			rest = append(rest, line)
		}
	}
	return rest
}

// A thousand random edits of the operations of real documents change what they
// say and nothing else. Saving without a change gives the same bytes.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	var operations []*tree.Node
	for _, d := range slices.Concat(corpus.Real(t), corpus.Seeds(t)) {
		document, err := openapi.Read(d.Data)
		if err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		for _, op := range document.Operations {
			operations = append(operations, read(t, string(op.Raw)))
		}
	}
	if len(operations) < 70 {
		t.Fatalf("only %d operations", len(operations))
	}
	for _, op := range operations {
		o := outline.Operation(op, outline.Sources{})
		typed := map[string]string{}
		for _, in := range o.Inputs() {
			typed[in.Name] = strings.ReplaceAll(in.Value, "\n", "\r\n")
		}
		if !o.Apply(typed, "") || !o.Root.Equal(op) {
			t.Fatalf("saving without a change gives\n%s\nwant\n%s", o.Root.JSON(), op.JSON())
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	done := map[string]int{}
	for n := 0; n < 1000; {
		op := operations[random.IntN(len(operations))]
		o := outline.Operation(op, outline.Sources{})
		in := o.Inputs()[random.IntN(len(o.Inputs()))]
		at, key, _ := strings.Cut(strings.TrimPrefix(in.Name, outline.Prefix), "#")
		value := fmt.Sprintf("word%d", n)
		if key == "shared" {
			continue // which replaces the whole answer, see TestSharedAnswersAreChosen
		}
		switch {
		case in.Type == outline.Check:
			value = map[string]string{"": "true", "true": ""}[in.Value]
		case in.Type == outline.Choice:
			value = in.Options[random.IntN(len(in.Options))]
		case key == "code":
			value = fmt.Sprint(100 + random.IntN(400))
		case in.Type == outline.Code:
			value = fmt.Sprintf(`{"n": %d}`, n)
		}
		if value == in.Value || !o.Apply(map[string]string{in.Name: value}, "") {
			continue
		}
		n++
		done[key]++
		places, renamed := []string{at + "/" + key}, at
		if key == "in" && value == "path" {
			places = append(places, at+"/required")
		}
		switch parent := tree.Parent(at); {
		case key == "value" && !strings.Contains(at, "/examples/"):
			places = []string{at} // the only example
		case key == "name" && strings.HasPrefix(at, "/parameters/"), key == "required" && tree.Parent(parent) == "" && strings.HasPrefix(at, "/parameters/"):
		case key == "name" || key == "code" || key == "type" && strings.HasSuffix(parent, "/content"):
			renamed = parent + "/" + tree.Escape(value)
			places = []string{tree.Parent(parent) + "/required"}
		case key == "required" && strings.HasSuffix(parent, "/properties"):
			places = []string{tree.Parent(parent) + "/required"}
		}
		want := flat(op, "")
		for i, line := range want {
			if rest, ok := strings.CutPrefix(line, at); ok && renamed != at && (rest[0] == 0 || rest[0] == '/') {
				want[i] = renamed + rest
			}
		}
		got := outside(flat(o.Root, ""), places)
		if want := outside(want, places); !slices.Equal(got, want) {
			t.Fatalf("%s = %q changes more than it says:\n%s\nwant\n%s", in.Name, value, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		again := outline.Operation(o.Root, outline.Sources{})
		name := outline.Prefix + renamed + "#" + key
		i := slices.IndexFunc(again.Inputs(), func(in *outline.Input) bool { return in.Name == name })
		if in.Type != outline.Code && (i < 0 || again.Inputs()[i].Value != value) {
			t.Fatalf("%s = %q is not there afterwards", name, value)
		}
	}
	t.Log(done)
}

// A new parameter takes a name of the path that has none, so that nobody has to know
// that such a parameter is required.
func TestNewParametersFillThePath(t *testing.T) {
	t.Parallel()
	s := sources()
	s.Path = "/ports/{port}/tides/{day}"
	o := outline.Operation(read(t, `{"parameters":[{"name":"port","in":"path","required":true}]}`), s)
	if !o.Apply(nil, "parameter:/parameters") {
		t.Fatal("no parameter is added")
	}
	if got, want := string(o.Root.JSON()), `{"name":"day","in":"path","schema":{"type":"string"},"required":true}`; !strings.Contains(got, want) {
		t.Errorf("a new parameter is %s, want %s", got, want)
	}
}
