package openapi_test

import (
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/sample"
	"heliograph/app/documentation/openapi/spectest"
	"heliograph/app/fault"
)

// addDocuments adds the first documents of a fuzzer.
func addDocuments(f *testing.F) {
	f.Helper()
	f.Add(spectest.ReadFile(f, "testdata/variants.yaml"))
	f.Add(spectest.ReadFile(f, "sample/testdata/odd.yaml"))
	f.Add([]byte(corpus.WithSchemas(`"A0":{"properties":{"a":{"$ref":"#/components/schemas/A0"}}}`)))
	f.Add([]byte(corpus.Chain(4, `{"allOf":[{"$ref":"#/components/schemas/A%d"},{"oneOf":[{"$ref":"#/components/schemas/A%d"}]}]}`)))
	f.Add([]byte(aliasBomb(2)))
	f.Add([]byte("openapi: 3.0.0\ninfo: {title: T, version: '1'}\npaths: {/a: {get: {responses: {default: {description: d}}}}}\n"))
}

// FuzzRead holds the reader to faults, and what it accepts to being assembled
// and read again.
func FuzzRead(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := openapi.Read(data)
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("not a fault: %v", err)
			}
			return
		}
		whole, err := assemble(d.Parts)
		if err != nil {
			t.Fatalf("assembling: %v", err)
		}
		again, err := openapi.Read(whole)
		if err != nil {
			t.Fatalf("reading again: %v\n%s", err, whole)
		}
		if len(again.Operations) != len(d.Operations) {
			t.Fatalf("%d operations became %d", len(d.Operations), len(again.Operations))
		}
	})
}

// FuzzCompile holds the compiler, the samples and the contract to not
// panicking on any document that was read.
func FuzzCompile(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := readAll(data); err != nil && fault.As(err) == nil {
			t.Fatalf("not a fault: %v", err)
		}
	})
}

// FuzzCompileParts compiles a frame and an operation that nobody checked.
func FuzzCompileParts(f *testing.F) {
	f.Add([]byte(`{"openapi":"3.1.0"}`), []byte(`{"parameters":[{"in":"query"}],"responses":{"200":{"content":{"a":{"schema":{"type":[1]}}}}}}`))
	f.Add([]byte(`{"paths":{"/a":1},"security":[1],"tags":[1],"servers":[1]}`), []byte(`{"security":{"a":1},"tags":1,"requestBody":{"content":1}}`))
	f.Add([]byte(`{"components":{"schemas":{"A":{"required":1,"properties":[1],"oneOf":{},"allOf":1}}}}`), []byte(`{"requestBody":{"content":{"a/b":{"schema":{"$ref":"#/components/schemas/A"}}}}}`))
	f.Fuzz(func(t *testing.T, frame, raw []byte) {
		api, err := model.Compile(openapi.Parts{Frame: frame, Operations: []openapi.Operation{{ID: "a", Slug: "a", Method: "GET", Path: "/{a}", Raw: raw}}})
		if err != nil {
			if fault.As(err) == nil {
				t.Fatalf("not a fault: %v", err)
			}
			return
		}
		for _, c := range api.Categories {
			for _, e := range c.Endpoints {
				for _, l := range sample.Languages() {
					writeSamples(e, l.Slug)
				}
			}
		}
	})
}
