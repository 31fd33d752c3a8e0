package reader

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
)

// clientsChecked is the month in which the settings of all clients were last
// compared with their documentation. They change often.
const clientsChecked = "November 2026"

// mcpName is the name of the server in the settings of clients.
const mcpName = "heliograph-docs"

// mcpClient is a program that speaks the protocol, with its settings.
type mcpClient struct {
	slug, name, steps     string
	place, language, text string // where the settings go, and what they are
	link                  string // opens the client with the settings; empty without one
}

// clients lists the clients with their settings for a server.
func clients(server string) []mcpClient {
	http := map[string]string{"type": "http", "url": server}
	address := map[string]string{"url": server}
	return []mcpClient{
		{
			"claude-code", "Claude Code", "Run the command. Add --scope user for all projects. Check it with /mcp.", "Terminal", "shell",
			"claude mcp add --transport http " + mcpName + " " + server, "",
		},
		{
			"claude", "Claude", "Open Connectors in the settings of Claude Desktop or claude.ai, add a custom connector, and enter the address.", "Address", "text", server,
			"https://claude.ai/customize/connectors?modal=add-custom-connector&connectorName=" + mcpName + "&connectorUrl=" + url.QueryEscape(server),
		},
		{
			"cursor", "Cursor", "Use the button, or add this to the file.", "~/.cursor/mcp.json", "json", settingsOf("mcpServers", address),
			"https://cursor.com/en/install-mcp?name=" + mcpName + "&config=" + url.QueryEscape(base64.StdEncoding.EncodeToString(compact(address))),
		},
		{
			"vs-code", "VS Code", "Use the button, or add this to the file. It also works for GitHub Copilot in VS Code.", ".vscode/mcp.json", "json", settingsOf("servers", http),
			"https://vscode.dev/redirect/mcp/install?name=" + mcpName + "&config=" + url.QueryEscape(string(compact(http))),
		},
		{
			"codex", "Codex", "Add this to the file, or run codex mcp add " + mcpName + " --url " + server + ".", "~/.codex/config.toml", "toml",
			"[mcp_servers." + mcpName + "]\nurl = \"" + server + "\"", "",
		},
		{
			"chatgpt", "ChatGPT", "Turn developer mode on under Settings, Apps, Advanced. Create an app with the address and without authentication.", "Address", "text", server, "",
		},
		{
			"copilot-cli", "Copilot CLI", "Add this to the file.", "~/.copilot/mcp-config.json", "json",
			settingsOf("mcpServers", map[string]any{"type": "http", "url": server, "tools": []string{"*"}}), "",
		},
		{"gemini", "Gemini CLI", "Add this to the file.", "~/.gemini/settings.json", "json", settingsOf("mcpServers", map[string]string{"httpUrl": server}), ""},
		{
			"devin", "Devin Desktop", "Add this to the file. Older versions, named Windsurf, have it in ~/.codeium/windsurf/mcp_config.json with serverUrl.", "~/.config/devin/mcp_config.json", "json",
			settingsOf("mcpServers", map[string]string{"url": server, "transport": "http"}), "",
		},
		{
			"opencode", "OpenCode", "Add this to the file.", "opencode.json", "json",
			settingsOf("mcp", map[string]any{"type": "remote", "url": server, "enabled": true}), "",
		},
		{"jetbrains", "JetBrains", "Add this under Settings, Tools, AI Assistant, Model Context Protocol.", "mcp.json", "json", settingsOf("mcpServers", address), ""},
		{
			"curl", "curl", "Any program can ask. This lists the tools.", "Terminal", "shell",
			"curl --url '" + server + "' \\\n  --header 'Content-Type: application/json' \\\n  --header 'Accept: application/json, text/event-stream' \\\n" +
				"  --data-raw '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}'", "",
		},
	}
}

// settingsOf returns settings that name the server under a key.
func settingsOf(key string, settings any) string {
	raw, _ := json.MarshalIndent(map[string]any{key: map[string]any{mcpName: settings}}, "", "  ") // texts
	return string(raw)
}

func compact(v any) []byte {
	raw, _ := json.Marshal(v) // texts
	return raw
}
