package ui

// Actions holds what can be done with a whole page.
type Actions struct {
	Text    string // path of the page as Markdown; empty for a page without actions
	Address string // URL of the page
	Exports []Link // files and programs that take the page's content
	Server  string // address of the MCP server; empty for none
}
