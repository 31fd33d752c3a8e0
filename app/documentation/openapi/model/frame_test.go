package model_test

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/model"
	"heliograph/app/documentation/openapi/spectest"
)

// What is compiled alone equals what is compiled with everything else, for
// every endpoint, callback and schema of the seeds and of real documents.
func TestFrameCompilesPartsAlone(t *testing.T) {
	t.Parallel()
	testParts(t, corpus.Seeds(t))
}

func TestFrameCompilesPartsOfRealDocumentsAlone(t *testing.T) {
	t.Parallel()
	testParts(t, corpus.Real(t))
}

func testParts(t *testing.T, documents []corpus.Document) {
	t.Helper()
	for _, document := range documents {
		t.Run(document.Name, func(t *testing.T) {
			t.Parallel()
			d, err := openapi.Read(document.Data)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := model.Compile(d.Parts)
			if err != nil {
				t.Fatal(err)
			}
			f := openFrame(t, d)
			checkOutline(t, whole, f.Outline(d.Operations))
			checkEndpoints(t, f, d.Operations, whole)
			for i, schema := range whole.Schemas {
				if i > 100 {
					break
				}
				alone, err := f.Schema(schema.Name)
				if err != nil {
					continue // named after a schema that is not in components
				}
				if alone.Example != schema.Example || !schema.Root.Truncated && !reflect.DeepEqual(alone.Root, schema.Root) {
					t.Errorf("schema %s differs when it is compiled alone", schema.Name)
				}
			}
		})
	}
}

// openFrame opens the frame of a document with its operations where they are
// needed.
func openFrame(t *testing.T, d *openapi.Document) *model.Frame {
	t.Helper()
	shared := d.Parts
	shared.Operations = nil
	f, err := model.OpenFrame(shared)
	if err != nil {
		t.Fatal(err)
	}
	var refs []string
	for _, op := range d.Operations {
		refs = append(refs, references(t, op.Raw)...)
	}
	if f.RefersToPaths(refs) {
		t.Log("its operations refer to each other")
		if f, err = model.OpenFrame(d.Parts); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func references(t *testing.T, raw []byte) []string {
	t.Helper()
	refs, err := model.References(raw)
	if err != nil {
		t.Fatal(err)
	}
	return refs
}

func checkOutline(t *testing.T, whole *model.API, outline model.Outline) {
	t.Helper()
	got, want := slices.Concat(outline.Categories, outline.Callbacks), slices.Concat(whole.Categories, whole.Callbacks)
	if len(got) != len(want) || !reflect.DeepEqual(outline.Servers, whole.Servers) {
		t.Fatalf("the outline has %d categories, want %d", len(got), len(want))
	}
	for i, c := range want {
		if got[i].Name != c.Name || got[i].Slug != c.Slug || got[i].Description != c.Description || len(got[i].Endpoints) != len(c.Endpoints) {
			t.Errorf("category %d is %+v, want %+v", i, got[i], c)
			continue
		}
		for j, e := range c.Endpoints {
			head := got[i].Endpoints[j]
			if head.ID != e.ID || head.Slug != e.Slug || head.Name != e.Name || head.Category != e.Category || head.Method != e.Method || head.Path != e.Path || head.Callback != e.Callback {
				t.Errorf("the outline lists %+v for %s", head, e.Slug)
			}
		}
	}
}

func checkEndpoints(t *testing.T, f *model.Frame, ops []openapi.Operation, whole *model.API) {
	t.Helper()
	bySlug := map[string]openapi.Operation{}
	for _, op := range ops {
		bySlug[op.Slug] = op
	}
	callbackRefs := f.CallbackRefs(ops)
	for _, c := range slices.Concat(whole.Categories, whole.Callbacks) {
		for _, want := range c.Endpoints {
			got, refs, err := (*model.Endpoint)(nil), []string(nil), error(nil)
			if want.Callback {
				got, err = f.Callback(want.Slug, ops)
				refs = callbackRefs[want.Slug]
			} else {
				got, err = f.Endpoint(bySlug[want.Slug])
				refs = references(t, bySlug[want.Slug].Raw)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s differs when it is compiled alone", want.Slug)
			}
			names := f.Schemas(refs)
			for field := range want.Fields() {
				if field.Schema != "" && !slices.Contains(names, field.Schema) {
					t.Errorf("%s shows the schema %s, which Schemas does not list", want.Slug, field.Schema)
				}
			}
		}
	}
}

// The estimates decide how much is kept in memory, so they are held against
// the heap.
func TestSizes(t *testing.T) {
	d, err := openapi.Read(spectest.ReadFile(t, "../../../../db/seed/messaging.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	shared := d.Parts
	shared.Operations = nil
	measure := func(make func() (held any, size int)) {
		t.Helper()
		runtime.GC()
		before := heapInUse()
		held, size := make()
		runtime.GC()
		used := int(heapInUse() - before)
		runtime.KeepAlive(held)
		t.Logf("%T: %d bytes estimated, %d used: %.2f", held, size, used, float64(size)/float64(used))
		if size < used*6/10 || size > used*2 {
			t.Errorf("%T takes %d bytes and is estimated at %d", held, used, size)
		}
	}
	const copies = 10
	var refs []string
	for _, op := range d.Operations {
		refs = append(refs, references(t, op.Raw)...)
	}
	var frame *model.Frame
	measure(func() (any, int) {
		list, size := make([]*model.Frame, copies), 0
		for i := range list {
			if list[i], err = model.OpenFrame(shared); err != nil {
				t.Fatal(err)
			}
			size += list[i].Size()
		}
		frame = list[0]
		return list, size
	})
	measure(func() (any, int) {
		var list []*model.Endpoint
		size := 0
		for range copies {
			for _, op := range d.Operations {
				e, err := frame.Endpoint(op)
				if err != nil {
					t.Fatal(err)
				}
				list, size = append(list, e), size+e.Size(len(op.Raw))
			}
		}
		return list, size
	})
	measure(func() (any, int) {
		var list []*model.Schema
		size := 0
		for range copies {
			for _, name := range frame.Schemas(refs) {
				schema, err := frame.Schema(name)
				if err != nil {
					t.Fatal(fmt.Errorf("%s: %w", name, err))
				}
				list, size = append(list, schema), size+schema.Size()
			}
		}
		return list, size
	})
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
