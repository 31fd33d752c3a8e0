//go:build unix

package compare

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/tree"
)

// The processor time and memory that a comparison may take. Unlike time by the
// clock, processor time does not grow with what else the machine does.
const (
	mostTime   = 2 * time.Second
	mostMemory = 300 << 20
)

// measure compares two documents and checks what that takes.
func measure(t *testing.T, name string, before, after []byte) *Report {
	t.Helper()
	b, a := assemble(t, before), assemble(t, after)
	var start, end runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&start)
	began := processorTime(t)
	r := Documents(b, a)
	took := processorTime(t) - began
	runtime.ReadMemStats(&end)
	allocated := end.TotalAlloc - start.TotalAlloc
	t.Logf("%s: %d operations, %d changes, %d fields, %v of processor time, %d MB allocated", name, len(r.Operations),
		r.Levels.Breaking+r.Levels.Risky+r.Levels.Safe+r.Levels.Prose, r.Fields.Unchanged, took.Round(time.Millisecond), allocated>>20)
	if took > mostTime || allocated > mostMemory {
		t.Errorf("%s took %v and %d MB", name, took, allocated>>20)
	}
	if r.Incomplete {
		t.Errorf("%s was not compared to the end", name)
	}
	return r
}

// processorTime returns the processor time that the process has used.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// TestSharedSchemasAreComparedOnce compares documents with a number of fields that
// doubles with each level. This test runs alone, because it measures the process.
func TestSharedSchemasAreComparedOnce(t *testing.T) {
	for _, levels := range []int{18, 80} {
		r := measure(t, fmt.Sprintf("%d levels", levels), dag(levels, 40), dag(levels, 20))
		if r.Levels.Breaking != 1 {
			t.Errorf("%d levels: %d breaking changes, want the one of the limit", levels, r.Levels.Breaking)
		}
	}
}

// dag makes a document with schemas that each have the next one twice.
func dag(levels, length int) []byte {
	var b strings.Builder
	b.WriteString(`{"openapi":"3.1.0","info":{"title":"DAG","version":"1"},"paths":{"/x":{"post":{"operationId":"x","requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/L0"}}}},"responses":{"200":{"description":"Done"}}}}},"components":{"schemas":{`)
	for i := range levels {
		fmt.Fprintf(&b, `"L%d":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/L%d"},"b":{"$ref":"#/components/schemas/L%d"}}},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"L%d":{"type":"object","properties":{"text":{"type":"string","maxLength":%d}}}}}}`, levels, length)
	return []byte(b.String())
}

// TestLargeDocument compares OpenAI's whole document with itself with one field
// changed. It runs alone, because it measures the process.
func TestLargeDocument(t *testing.T) {
	for _, d := range corpus.Real(t) {
		if d.Name != "openai-3.1.yaml" {
			continue
		}
		root, err := tree.Read(d.Data)
		if err != nil {
			t.Fatal(err)
		}
		root.At("/components/schemas/CreateModelResponseProperties/allOf/1/properties/top_logprobs").Set("maximum", tree.Number("5"))
		r := measure(t, d.Name, d.Data, root.JSON())
		if r.Levels.Breaking == 0 || r.Endpoints.Unchanged == 0 {
			t.Errorf("levels %+v, endpoints %+v", r.Levels, r.Endpoints)
		}
	}
}
