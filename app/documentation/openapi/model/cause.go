package model

import (
	"heliograph/app/documentation/openapi/graph"
	"heliograph/app/documentation/openapi/tree"
)

// Cause is a request that gets the response of an error example, as a change of a
// request that succeeds.
type Cause struct {
	Example    string        // name of the request example that is changed, "" for the first
	Body       *tree.Node    // the change of its body, a JSON merge patch (RFC 7396)
	Text       string        // the body as it is sent, in place of the example
	Parameters []tree.Member // values by name; null leaves a parameter out
	Key        string        // sent in place of the API key
}

// cause reads x-request of an example: example, body, text, parameters and key. It
// is nil without one.
func cause(e graph.Example) *Cause {
	n := e.Node().Get("x-request")
	if !n.Is(tree.KindObject) {
		return nil
	}
	return &Cause{
		Example: n.Str("example"), Body: n.Get("body"), Text: n.Str("text"), Parameters: n.Entries("parameters"), Key: n.Str("key"),
	}
}
