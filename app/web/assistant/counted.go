package assistant

import (
	"bytes"
	"encoding/json"
	"slices"

	"heliograph/app/documentation/mcp"
	"heliograph/app/web/page"
)

// called is what is counted of a message.
type called struct {
	Method string
	Params struct {
		Name       string
		ClientInfo struct{ Name string }
		Meta       map[string]json.RawMessage `json:"_meta"`
	}
}

// clientKey is where revisions without sessions have the name of the client.
const clientKey = "io.modelcontextprotocol/clientInfo"

// readCalls returns the tools that a body calls, and the client that it names. What is no
// tool is not counted: its name is anybody's text.
func readCalls(body []byte) (counted page.Counted) {
	var batch []called
	if body = bytes.TrimSpace(body); len(body) > 0 && body[0] == '[' {
		_ = json.Unmarshal(body, &batch) // refused later
	} else {
		batch = make([]called, 1)
		_ = json.Unmarshal(body, &batch[0]) // likewise
	}
	for _, m := range batch {
		if name := m.Params.ClientInfo.Name; name != "" {
			counted.Client = name
		}
		var info struct{ Name string }
		if json.Unmarshal(m.Params.Meta[clientKey], &info) == nil && info.Name != "" {
			counted.Client = info.Name
		}
		switch {
		case m.Method == "initialize":
			counted.Tools = append(counted.Tools, "initialize")
		case m.Method == "tools/call" && isTool(m.Params.Name):
			counted.Tools = append(counted.Tools, m.Params.Name)
		case m.Method == "resources/read", m.Method == "prompts/get":
			counted.Tools = append(counted.Tools, m.Method)
		}
	}
	return counted
}

func isTool(name string) bool {
	return slices.ContainsFunc(mcp.Tools(), func(t mcp.Tool) bool { return t.Name == name })
}
