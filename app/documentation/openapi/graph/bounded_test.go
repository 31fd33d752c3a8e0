package graph

import (
	"fmt"
	"strings"
	"testing"

	"heliograph/app/documentation/openapi/corpus"
)

// A chain of schemas that is too long from its first one is not too long from its middle,
// in whatever order they are asked for.
func TestChainsThatAreTooLongHoldFromTheirMiddle(t *testing.T) {
	t.Parallel()
	const links = MaxChain + 500
	var chain strings.Builder
	for i := range links {
		fmt.Fprintf(&chain, `"A%d":{"allOf":[{"$ref":"#/components/schemas/A%d"}]},`, i, i+1)
	}
	fmt.Fprintf(&chain, `"A%d":{"type":"string"}`, links)
	g := open(t, []byte(corpus.WithSchemas(chain.String())))
	b := NewBounds()
	for _, ask := range []struct {
		name string
		want bool
	}{{"A0", false}, {fmt.Sprintf("A%d", links-400), true}, {"A0", false}, {fmt.Sprintf("A%d", links-500), true}} {
		if got := b.Hold([]Schema{g.Schema(ask.name)}); got != ask.want {
			t.Errorf("%s is bounded: %t", ask.name, got)
		}
	}
}
