package openapi

import (
	"bytes"
	"encoding/json"
	"strings"

	"heliograph/app/documentation/openapi/tree"
)

// ExampleURL is how documentation names the installation that serves it.
const ExampleURL = "http://localhost:8080"

// At returns JSON that names the installation by its public address, which has no
// slash at its end. Servers keep [ExampleURL], since [OwnPath] tells from it that
// they are this installation. JSON that does not name it is returned as it is, and so
// is broken JSON.
func At(publicURL string, raw json.RawMessage) json.RawMessage {
	if publicURL == "" || publicURL == ExampleURL || !bytes.Contains(raw, []byte(ExampleURL)) {
		return raw
	}
	root, err := tree.Read(raw)
	if err != nil {
		return raw
	}
	name(root, publicURL, false)
	return root.JSON()
}

// name names the installation in the texts of a node. In an example, servers are data
// like any other.
func name(n *tree.Node, publicURL string, example bool) {
	if n.Is(tree.KindString) {
		n.Text = strings.ReplaceAll(n.Text, ExampleURL, publicURL)
	}
	for _, item := range n.Items {
		name(item, publicURL, example)
	}
	for _, m := range n.Members {
		if m.Key == "servers" && !example && isServers(m.Value) {
			continue
		}
		name(m.Value, publicURL, example || m.Key == "example" || m.Key == "examples" || m.Key == "value")
	}
}

// isServers reports whether a node is a list of servers.
func isServers(n *tree.Node) bool {
	for _, item := range n.Elements() {
		if item.Str("url") == "" {
			return false
		}
	}
	return n.Is(tree.KindArray)
}
