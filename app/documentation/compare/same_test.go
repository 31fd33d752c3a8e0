package compare

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"heliograph/app/documentation/openapi/corpus"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// differing returns what Changes has to keep of a report.
func differing(r *Report) *Report {
	kept := &Report{General: r.General, Levels: r.Levels, Incomplete: r.Incomplete, Operations: []Operation{}}
	for _, op := range r.Operations {
		if op.Class != Unchanged {
			kept.Operations = append(kept.Operations, op)
		}
	}
	return kept
}

// A comparison without what is the same says the same about the rest.
func TestChangesTellWhatDocumentsTell(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	left := 0
	compared := func(t *testing.T, what string, old, now *tree.Node) {
		t.Helper()
		before, after := assemble(t, old.JSON()), assemble(t, now.JSON())
		whole, brief := Documents(before, after), Changes(before, after)
		if diff := cmp.Diff(differing(whole), differing(brief)); diff != "" {
			t.Errorf("%s (-Documents +Changes):\n%s", what, diff)
		}
		left += len(whole.Operations) - len(brief.Operations)
	}
	for _, d := range corpus.Seeds(t) {
		root := assemble(t, d.Data).Root
		ops := graph.New(root).Operations()
		for range 12 {
			op := ops[random.IntN(len(ops))]
			possible := mutations(op)
			m := possible[random.IntN(len(possible))]
			changed := assemble(t, d.Data).Root
			at := changed.At(m.pointer)
			if at == nil {
				t.Fatalf("%s has nothing at %s", d.Name, m.pointer)
			}
			m.apply(at)
			compared(t, d.Name+": "+m.name+" at "+m.pointer, root, changed)
		}
	}
	if left < 200 {
		t.Errorf("only %d operations were left out", left)
	}

	const head = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{
		"/a":{"get":{"operationId":"a","responses":{"200":{"description":"ok","content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}},
		"/b":{"get":{"operationId":"b","parameters":[{"$ref":"#/components/parameters/P"}],"responses":{"200":{"$ref":"#/components/responses/R"}}}}},`
	documents := []string{
		`"components":{"parameters":{"P":{"name":"p","in":"query","schema":{"$ref":"#/components/schemas/D"}}},"responses":{"R":{"description":"ok"}},
			"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"type":"object","properties":{"c":{"$ref":"#/components/schemas/C/properties/x"}}},"C":{"properties":{"x":{"type":"string"}}},"D":{"type":"string"}}}}`,
		// What a schema refers to by way of another.
		`"components":{"parameters":{"P":{"name":"p","in":"query","schema":{"$ref":"#/components/schemas/D"}}},"responses":{"R":{"description":"ok"}},
			"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"type":"object","properties":{"c":{"$ref":"#/components/schemas/C/properties/x"}}},"C":{"properties":{"x":{"type":"integer"}}},"D":{"type":"string"}}}}`,
		// The schema of a shared parameter, and a schema that nothing refers to.
		`"components":{"parameters":{"P":{"name":"p","in":"query","schema":{"$ref":"#/components/schemas/D"}}},"responses":{"R":{"description":"ok"}},
			"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"type":"object","properties":{"c":{"$ref":"#/components/schemas/C/properties/x"}}},"C":{"properties":{"x":{"type":"integer"}}},"D":{"type":"number"},"E":{"type":"string"}}}}`,
		// Credentials of all operations.
		`"security":[{"key":[]}],"components":{"securitySchemes":{"key":{"type":"apiKey","in":"header","name":"k"}},"parameters":{"P":{"name":"p","in":"query","schema":{"$ref":"#/components/schemas/D"}}},"responses":{"R":{"description":"ok"}},
			"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"type":"object","properties":{"c":{"$ref":"#/components/schemas/C/properties/x"}}},"C":{"properties":{"x":{"type":"integer"}}},"D":{"type":"number"}}}}`,
		// Another place of them.
		`"security":[{"key":[]}],"components":{"securitySchemes":{"key":{"type":"apiKey","in":"query","name":"k"}},"parameters":{"P":{"name":"p","in":"query","schema":{"$ref":"#/components/schemas/D"}}},"responses":{"R":{"description":"ok"}},
			"schemas":{"A":{"$ref":"#/components/schemas/B"},"B":{"type":"object","properties":{"c":{"$ref":"#/components/schemas/C/properties/x"}}},"C":{"properties":{"x":{"type":"integer"}}},"D":{"type":"number"}}}}`,
		// An anchor, and its target.
		`"components":{"parameters":{"P":{"name":"p","in":"query","schema":{"$ref":"#d"}}},"responses":{"R":{"description":"ok"}},"schemas":{"A":{"type":"string"},"D":{"$anchor":"d","type":"string"}}}}`,
		`"components":{"parameters":{"P":{"name":"p","in":"query","schema":{"$ref":"#d"}}},"responses":{"R":{"description":"ok"}},"schemas":{"A":{"type":"string"},"D":{"$anchor":"d","type":"boolean"}}}}`,
	}
	for i := 1; i < len(documents); i++ {
		compared(t, "document "+documents[i], assemble(t, []byte(head+documents[i-1])).Root, assemble(t, []byte(head+documents[i])).Root)
	}
}
