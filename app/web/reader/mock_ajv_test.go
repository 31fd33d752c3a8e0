//go:build judge

package reader_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/media"
	"heliograph/app/documentation/openapi/sampling"
	"heliograph/app/documentation/openapi/validate"
	"heliograph/app/web/webtest"
	"heliograph/db/seed"
)

// judged is a body with the verdict of the rules that the mock server and the console
// check bodies with.
type judged struct {
	what, schema string // the schema as a JSON pointer
	body         []byte
	problems     []validate.Problem
	isChanged    bool // a value of the body was changed
	isAnswer     bool
}

// leastAnswers is how many changed answers of each contract are judged at least: 500 of
// the four together.
const leastAnswers = 125

// The mock server and the checks of the console judge bodies as ajv does: generated ones
// of every operation and response of every contract, half of them broken.
func TestVerdictsOfAjv(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"messaging", "sms", "rcs", "portal"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document, cases := judgeGenerated(t, name+".yaml", verdicts)
			broken, answers := 0, 0
			for i, verdict := range askAjv(t, document, cases) {
				c := cases[i]
				if len(c.problems) > 0 {
					broken++
				}
				if c.isChanged && c.isAnswer {
					answers++
				}
				if (verdict == "ok") != (len(c.problems) == 0) {
					t.Errorf("%s: ajv says %s, here it is %v: %s", c.what, verdict, c.problems, c.body)
				}
			}
			if answers < leastAnswers {
				t.Errorf("%d changed answers were judged, want %d", answers, leastAnswers)
			}
			if broken < len(cases)/5 || broken > len(cases)*4/5 {
				t.Errorf("%d of %d bodies are broken: the cases prove little", broken, len(cases))
			}
		})
	}
}

// judgeGenerated generates bodies and judges them. It returns the document as JSON.
func judgeGenerated(t *testing.T, name string, most int) (document []byte, list []judged) {
	t.Helper()
	text, err := seed.Files.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	read, err := openapi.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := openapi.Assemble(read.Parts)
	if err != nil {
		t.Fatal(err)
	}
	rules, g := validate.New(a), graph.New(a.Root)
	type place struct {
		what   string
		media  graph.MediaType
		verify func(body []byte) ([]validate.Problem, error)
		answer bool
	}
	var places []place
	header := http.Header{"Content-Type": {"application/json"}}
	for _, placed := range a.Operations {
		op := g.Operation(placed.Method, placed.Route, placed.Node)
		for _, m := range op.Body().Content() {
			if media.KindOf(m.Name) == media.JSON && m.Value.Schema().Exists() {
				places = append(places, place{placed.ID, m.Value, func(body []byte) ([]validate.Problem, error) {
					return rules.Request(placed.ID, validate.Request{Header: header, Body: body})
				}, false})
			}
		}
		for _, r := range op.Responses() {
			status, err := strconv.Atoi(r.Name)
			if err != nil {
				continue
			}
			for _, m := range r.Value.Content() {
				if m.Name == "application/json" && m.Value.Schema().Exists() {
					places = append(places, place{placed.ID + " " + r.Name, m.Value, func(body []byte) ([]validate.Problem, error) {
						return rules.Response(placed.ID, status, header, body)
					}, true})
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := 0; len(list) < most; i++ {
		p := places[i%len(places)]
		value := sampling.Value(p.media.Schema(), sampling.Options{Seed: strconv.Itoa(i), NoExamples: i%2 == 0})
		if value == nil {
			continue
		}
		var plain any
		d := json.NewDecoder(bytes.NewReader(value.JSON()))
		d.UseNumber()
		if err := d.Decode(&plain); err != nil {
			t.Fatal(err)
		}
		isChanged := i/len(places)%2 == 1
		if isChanged {
			plain = broken(random, plain)
		}
		body, err := json.Marshal(plain)
		if err != nil {
			t.Fatal(err)
		}
		problems, err := p.verify(body)
		if err != nil {
			t.Fatal(err)
		}
		problems = slices.DeleteFunc(problems, func(x validate.Problem) bool { return x.Location != validate.Body })
		// What is read-only in requests and write-only in responses is OpenAPI, not JSON Schema.
		if slices.ContainsFunc(problems, func(x validate.Problem) bool { return strings.HasSuffix(x.Code, "Only") }) {
			continue
		}
		list = append(list, judged{p.what, p.media.Schema().Pointer(), body, problems, isChanged, p.answer})
	}
	return a.Root.JSON(), list
}

// broken changes one value of a body: it may break the schema, or not.
func broken(r *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		switch n := r.IntN(10); {
		case n == 0 || len(keys) == 0:
			v["unexpected"] = true
		case n == 1:
			delete(v, keys[r.IntN(len(keys))])
		case n == 2:
			return []any{v}
		default:
			key := keys[r.IntN(len(keys))]
			v[key] = broken(r, v[key])
		}
		return v
	case []any:
		switch n := r.IntN(6); {
		case n == 0 || len(v) == 0:
			return map[string]any{}
		case n == 1:
			return slices.Concat(v, v, v)
		case n == 2:
			return []any{}
		default:
			at := r.IntN(len(v))
			v[at] = broken(r, v[at])
		}
		return v
	case string:
		return []any{"", v + "?", strings.Repeat("x", 5000), json.Number("7"), nil, "+91 98123 45678", true}[r.IntN(7)]
	case json.Number:
		return []any{json.Number("-1"), json.Number("0"), json.Number("999999999"), json.Number("1.5"), v.String(), nil}[r.IntN(6)]
	case bool:
		return []any{!v, "true", nil, json.Number("1")}[r.IntN(4)]
	}
	return []any{"x", json.Number("1"), map[string]any{}}[r.IntN(3)]
}

// askAjv returns the verdicts of ajv.
func askAjv(t *testing.T, document []byte, cases []judged) []string {
	t.Helper()
	folder := t.TempDir()
	var lines bytes.Buffer
	for _, c := range cases {
		fmt.Fprintf(&lines, "[%q,%s]\n", c.schema, c.body)
	}
	files := []string{filepath.Join(folder, "document.json"), filepath.Join(folder, "values.jsonl")}
	for i, text := range [][]byte{document, lines.Bytes()} {
		if err := os.WriteFile(files[i], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := webtest.Judge(t, "ajv.mjs", files...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(list) != len(cases) {
		t.Fatalf("ajv judges %d of %d bodies", len(list), len(cases))
	}
	return list
}
