package openapi_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/openapi/tree"
	"heliograph/app/fault"
)

func aliasBomb(levels int) string {
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\nx-bomb:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i <= levels; i++ {
		alias := fmt.Sprintf("*a%d", i-1)
		fmt.Fprintf(&b, "  a%d: &a%d [%s]\n", i, i, strings.Join([]string{alias, alias, alias, alias, alias, alias, alias, alias, alias, alias}, ", "))
	}
	return b.String()
}

// patience ends a test of a document that would otherwise never end; how fast
// documents are read is measured in benchmarks.
const patience = 2 * time.Minute

// TestHostile holds every refusal to a sentence, patience and 400 MiB.
func TestHostile(t *testing.T) { // not parallel: it measures time and memory
	head := "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\n"
	for _, c := range []struct {
		name, document, want string // want: part of the fault, "" when it is read
	}{
		{"empty", "", "is empty"},
		{"binary", "\x00\xff\xfe", "not UTF-8"},
		{"too large", strings.Repeat(" ", tree.MaxBytes+1), "over 10 MiB"},
		{"alias bomb", aliasBomb(12), "over 1000000 values"},
		{"alias of itself", head + "x-a: &a [*a]\n", "contains itself"},
		{"map of itself", head + "x-a: &a\n  b: *a\n", "contains itself"},
		{"duplicate key in YAML", head + "paths: {}\n", "twice"},
		{"duplicate key in JSON", `{"openapi":"3.1.0","openapi":"3.1.0"}`, "twice"},
		{"100,000 brackets in JSON", strings.Repeat("[", 100_000), "nested over 200"},
		{"100,000 brackets in YAML", "a: " + strings.Repeat("[", 100_000), "max depth"},
		{"50,000 indented keys", yamlLadder(2000), "depth"},
		{"a million scalars", "[" + strings.Repeat("1,", tree.MaxNodes+1) + "1]", "over 1000000 values"},
		{"a million scalars in YAML", "- 1" + strings.Repeat("\n- 1", tree.MaxNodes+1), "over 1000000 values"},
		{"number without end", `{"a":1e999999999}`, "out of range"},
		{"number close to nothing", `{"a":1e-999999999}`, "out of range"},
		{"number of many digits", `{"a":` + strings.Repeat("9", 100_000) + `}`, "out of range"},
		{"NUL", `{"a":"\u0000"}`, "NUL"},
		{"open JSON", `{"a":`, "ends too early"},
		{"no JSON", "{\n  \"a\": nope}", "Line 2"},
		{"text after JSON", `{} {}`, "follows the end"},
		{"no YAML", "a: [1, 2", "not YAML"},
		{"a list as a key", "? [a]\n: 1\n", "key is not plain"},
		{"http reference", corpus.WithSchemas(`"A0":{"$ref":"http://127.0.0.1:9/x"}`), "leads outside"},
		{"file reference", corpus.WithSchemas(`"A0":{"$ref":"file:///etc/passwd"}`), "leads outside"},
		{"relative reference", corpus.WithSchemas(`"A0":{"$ref":"../a.json"}`), "leads outside"},
		{"path item reference", `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"$ref":"./x"}}}`, "leads outside"},
		{"schema nested too deep", corpus.WithSchemas(`"A0":` + strings.Repeat(`{"not":`, 100) + "{}" + strings.Repeat("}", 100)), "schemas are nested over 100"},
		{"schema nested as deep as it may", corpus.WithSchemas(`"A0":` + strings.Repeat(`{"not":`, 99) + "{}" + strings.Repeat("}", 99)), ""},
		{"one structural fault", `{"openapi":"3.1.0","info":{"title":"T"},"paths":{}}`, "The document is not valid OpenAPI at /info: Line 1: "},
		{"two structural faults", `{"openapi":"3.1.0","info":{"title":"T"},"paths":{},"servers":5}`, "The document is not valid OpenAPI. 2 places must change; the first is /info: Line 1: "},
		{"Swagger", `{"swagger":"2.0"}`, "OpenAPI 3.0 and 3.1"},
		{"Postman", `{"info":{},"item":[]}`, "OpenAPI 3.0 and 3.1"},
		{"later OpenAPI", `{"openapi":"3.2.0"}`, "This is OpenAPI 3.2.0"},
		{"something else", `{"hello":1}`, "not an API description"},
		{"a list", `[1]`, "not an API description"},
		{"a text", `hello`, "not an API description"},
		{"schema of itself", corpus.WithSchemas(`"A0":{"$ref":"#/components/schemas/A0"}`), ""},
		{"two schemas of each other", corpus.WithSchemas(`"A0":{"$ref":"#/components/schemas/B"},"B":{"$ref":"#/components/schemas/A0"}`), ""},
		{"allOf of itself", corpus.WithSchemas(`"A0":{"allOf":[{"$ref":"#/components/schemas/A0"},{"type":"object"}]}`), ""},
		{"tree", corpus.WithSchemas(`"A0":{"type":"object","properties":{"l":{"$ref":"#/components/schemas/A0"},"r":{"$ref":"#/components/schemas/A0"}}}`), ""},
		{"tree that extends itself", corpus.WithSchemas(`"A0":{"properties":{"l":{"allOf":[{"$ref":"#/components/schemas/A0"},{"properties":{"x":{"type":"string"}}}]}}}`), ""},
		{"DAG of properties", corpus.Chain(40, `{"properties":{"a":{"$ref":"#/components/schemas/A%d"},"b":{"$ref":"#/components/schemas/A%d"}}}`), ""},
		{"DAG of allOf", corpus.Chain(40, `{"allOf":[{"$ref":"#/components/schemas/A%d"},{"$ref":"#/components/schemas/A%d"}]}`), ""},
		{"DAG of oneOf", corpus.Chain(40, `{"oneOf":[{"$ref":"#/components/schemas/A%d"},{"$ref":"#/components/schemas/A%d"}]}`), ""},
		{"DAG of conditions", corpus.Chain(40, `{"not":{"$ref":"#/components/schemas/A%[2]d"},"if":{"$ref":"#/components/schemas/A%[2]d"},"then":{"$ref":"#/components/schemas/A%[2]d"},"else":{"not":{"$ref":"#/components/schemas/A%[2]d"}}}`), ""},
		{"DAG of items", corpus.Chain(40, `{"type":"array","prefixItems":[{"$ref":"#/components/schemas/A%d"},{"$ref":"#/components/schemas/A%d"}]}`), ""},
		{"DAG of colliding properties", corpus.Chain(40, `{"allOf":[{"properties":{"p":{"$ref":"#/components/schemas/A%d"}}},{"properties":{"p":{"$ref":"#/components/schemas/A%d"},"q":{"type":"string"}}}]}`), ""},
		{"parameter of itself", `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"parameters":[{"$ref":"#/components/parameters/P"}],"responses":{"200":{"$ref":"#/components/responses/R"}}}}},"components":{"parameters":{"P":{"$ref":"#/components/parameters/P"}},"responses":{"R":{"$ref":"#/components/responses/R"}}}}`, ""},
		{"path item of itself", `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"$ref":"#/paths/~1a"}}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			err := readAll([]byte(c.document))
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if took > patience {
				t.Errorf("took %s", took)
			}
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 400 {
				t.Errorf("allocated %d MiB", mib)
			}
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if k := fault.KindOf(err); k != fault.Invalid && k != fault.TooLarge || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v (%d), want %q", err, k, c.want)
			}
		})
	}
}

// readAll takes a document through everything the package makes of it.
func readAll(data []byte) error {
	d, err := openapi.Read(data)
	if err != nil {
		return err
	}
	api, err := model.Compile(d.Parts)
	if err != nil {
		return err
	}
	for _, category := range api.Categories {
		for _, e := range category.Endpoints {
			for _, l := range sample.Languages() {
				writeSamples(e, l.Slug)
			}
		}
	}
	return nil
}

// writeSamples writes a sample for every choice.
func writeSamples(e *model.Endpoint, language string) {
	for i := range sample.Choices(e) {
		sample.Write(e, "https://api.example.com", language, i)
	}
}

// assemble puts parts together and returns the document.
func assemble(p openapi.Parts) (json.RawMessage, error) {
	a, err := openapi.Assemble(p)
	if err != nil {
		return nil, err
	}
	return a.Root.JSON(), nil
}

func yamlLadder(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func TestManyPaths(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{`)
	for i := range 10_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"/a%d/{id}":{"get":{"responses":{"200":{"description":"ok"}}}}`, i)
	}
	b.WriteString(`}}`)
	start := time.Now()
	if err := readAll([]byte(b.String())); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > patience {
		t.Errorf("10,000 paths took %s", took)
	}
}
