package insight

import (
	_ "embed"
	"strings"
	"sync"
	"sync/atomic"
)

//go:embed agents.txt
var agentTable string

// agent is a line of the table of programs.
type agent struct {
	reader     Reader
	name, part string
}

var agents = sync.OnceValue(func() (list []agent) {
	for line := range strings.Lines(agentTable) {
		if fields := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(fields) == 3 {
			list = append(list, agent{Reader(fields[0]), fields[1], fields[2]})
		}
	}
	return list
})

// generic are words that programs have in their names and browsers do not.
var generic = []string{
	"bot", "crawl", "spider", "scrap", "fetch", "monitor", "preview", "scan", "archiv", "feed", "uptime", "headless", "validat",
	"check", "+http", "http:", "https:", "http-", "httpclient", "http client", "httpunit", "http_", "urlconnection", "curl", "linkcheck", "link check", "link-check", "proxy", "robot", "agent/", "rss", "survey", "harvest", "perl", "parser", "client/", "-http", "http.", "extract", "search", "index", "audit", "sniff", "unfurl", "webhook", "compatible;",
}

// devices are parts of headers of people that have one of those words.
var devices = []string{"cubot", "msie ", "trident/"}

// browsers are recognised by a part of their header. Those that carry the names of others come
// first.
var browsers = []struct{ name, part string }{
	{"Edge", "edg/"}, {"Edge", "edga/"}, {"Edge", "edgios/"}, {"Edge", "edge/"}, {"Opera", "opr/"}, {"Opera", "opera"}, {"Samsung Internet", "samsungbrowser/"}, {"Vivaldi", "vivaldi/"},
	{"Yandex Browser", "yabrowser/"}, {"UC Browser", "ucbrowser/"}, {"Whale", "whale/"}, {"DuckDuckGo", "duckduckgo/"}, {"Brave", "brave/"}, {"MIUI Browser", "miuibrowser/"}, {"Huawei Browser", "huaweibrowser/"},
	{"Firefox", "firefox/"}, {"Firefox", "fxios/"}, {"Chrome", "crios/"}, {"Chrome", "chrome/"}, {"Safari", "safari/"}, {"Other browser", "applewebkit/"}, {"Other browser", "gecko/"}, {"Other browser", "trident/"}, {"Other browser", "msie "},
}

// known keeps what was found out about headers, because few are sent often. It begins
// again when someone fills it with headers that are made up.
var (
	known      atomic.Pointer[sync.Map]
	knownCount atomic.Int64
)

func init() { known.Store(&sync.Map{}) }

// mostKnown bounds what is kept.
const mostKnown = 4096

// identity is what a header says.
type identity struct {
	reader Reader
	name   string
}

// who returns who sends a User-Agent header, and the name that is counted.
func who(header string) (reader Reader, name string) {
	m := known.Load()
	if found, ok := m.Load(header); ok {
		i := found.(identity)
		return i.reader, i.name
	}
	i := identify(header)
	if len(header) > 1000 {
		return i.reader, i.name
	}
	if knownCount.Add(1) > mostKnown {
		knownCount.Store(0)
		m = &sync.Map{}
		known.Store(m)
	}
	m.Store(strings.Clone(header), i)
	return i.reader, i.name
}

func identify(header string) identity {
	text := strings.ToLower(header)
	for _, a := range agents() {
		if strings.Contains(text, a.part) {
			return identity{a.reader, a.name}
		}
	}
	isDevice := false
	for _, d := range devices {
		isDevice = isDevice || strings.Contains(text, d)
	}
	if !isDevice {
		for _, word := range generic {
			if strings.Contains(text, word) {
				return identity{Tool, "Another program"}
			}
		}
	}
	if strings.HasPrefix(text, "mozilla/") || strings.HasPrefix(text, "opera/") {
		for _, b := range browsers {
			if strings.Contains(text, b.part) {
				return identity{Person, b.name}
			}
		}
	}
	return identity{Unknown, "Unknown"}
}

// clients are programs that speak the Model Context Protocol, by a part of the name that
// they give themselves.
var clients = []struct{ name, part string }{
	{"Claude Code", "claude-code"}, {"Claude Code", "claude code"}, {"Claude", "claude"}, {"Cursor", "cursor"}, {"Visual Studio Code", "visual studio code"}, {"Visual Studio Code", "vscode"},
	{"GitHub Copilot", "copilot"}, {"Windsurf", "windsurf"}, {"Codex", "codex"}, {"ChatGPT", "chatgpt"}, {"ChatGPT", "openai"}, {"Gemini CLI", "gemini"}, {"Cline", "cline"}, {"Roo Code", "roo"},
	{"Zed", "zed"}, {"JetBrains", "jetbrains"}, {"Goose", "goose"}, {"LM Studio", "lm studio"}, {"LibreChat", "librechat"}, {"Continue", "continue"}, {"Amp", "amp"}, {"Kiro", "kiro"}, {"Warp", "warp"},
	{"OpenCode", "opencode"}, {"Le Chat", "mistral"}, {"Perplexity", "perplexity"}, {"MCP Inspector", "inspector"}, {"mcp-remote", "mcp-remote"}, {"n8n", "n8n"}, {"Postman", "postman"},
}

// Client returns the name that is counted for a client of the Model Context Protocol. A
// name that is not known is not kept: anybody may write anything into it.
func Client(name string) string {
	name = strings.ToLower(name)
	for _, c := range clients {
		if strings.Contains(name, c.part) {
			return c.name
		}
	}
	return "Another client"
}
