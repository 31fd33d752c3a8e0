package sampling_test

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi"
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/sampling"
	"heliograph/app/documentation/openapi/tree"
)

// Wide schemas that nest take no more steps than there are, and what is made until then
// is kept. A value that needs fewer is the same as without a limit.
func TestStepsAreBounded(t *testing.T) {
	t.Parallel()
	var parts, members []string
	for i := range 60 {
		parts = append(parts, fmt.Sprintf("{$ref: '#/components/schemas/P%d'}", i))
		members = append(members, fmt.Sprintf("    P%d: {type: object, properties: {a%d: {$ref: '#/components/schemas/Wide'}, b%d: {$ref: '#/components/schemas/Wide'}, c%d: {type: string, pattern: '^[a-z]{3}$'}}}", i, i, i, i))
	}
	d, err := openapi.Read([]byte("openapi: 3.1.0\ninfo: {title: Wide, version: '1'}\npaths:\n  /wide: {get: {operationId: wide, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Wide'}}}}}}}\ncomponents:\n  schemas:\n    Wide: {allOf: [" +
		strings.Join(parts, ", ") + "]}\n" + strings.Join(members, "\n") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := openapi.Assemble(d.Parts)
	if err != nil {
		t.Fatal(err)
	}
	schema := graph.New(a.Root).Schema("Wide")
	for _, steps := range []int{0, 100, 2_000, 50_000} {
		left := steps
		v := sampling.Value(schema, sampling.Options{Steps: &left})
		if left < 0 || steps >= 2_000 && (left == steps || !v.Is(tree.KindObject)) || steps == 0 && v != nil {
			t.Errorf("of %d steps %d are left, and the value is %.100v", steps, left, v)
		}
	}
	left := 100_000_000
	whole := sampling.Value(schema, sampling.Options{Seed: "a", Steps: &left})
	if taken := 100_000_000 - left; taken <= 200_000 {
		t.Fatalf("the schema takes %d steps, too few to show the limit", taken)
	}
	if v := sampling.Value(schema, sampling.Options{Seed: "a"}); v.Equal(whole) {
		t.Error("a value without steps of its own takes more than the limit")
	}
}
