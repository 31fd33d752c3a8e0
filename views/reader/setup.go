package reader

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// SetupPage tells how to connect an assistant to the documentation.
type SetupPage struct {
	layout.Page
	Server    string // address of the endpoint
	Clients   []Client
	Tools     []ui.Pair
	Questions []string
	Products  []ui.Option // with endpoints that can be called up
	Example   ToolExample
	Checked   string // when the settings of clients were last checked
	IsLocal   bool   // the address is not on the public internet
}

// Client is a program with its settings. Add opens it with them, if it can.
type Client struct {
	ID, Name, Steps string
	Add             ui.Link
	Code            ui.Code
}

// ToolExample is the endpoint that the page offers to get first.
type ToolExample struct{ Product, Endpoint string }

// toolForm makes htmx send a form in the protocol and ignore a second press.
func toolForm() templ.Attributes {
	return templ.Attributes{"hx-post": "/mcp", "hx-ext": "mcp", "hx-target": "#tool-result", "hx-swap": "innerHTML", "hx-select-oob": "", "hx-disabled-elt": "find button", "hx-sync": "this:drop"}
}

// panels are the clients as tabs.
func (p SetupPage) panels() []ui.Panel {
	list := make([]ui.Panel, len(p.Clients))
	for i, c := range p.Clients {
		list[i] = ui.Panel{ID: c.ID, Label: c.Name, Body: client(c)}
	}
	return list
}
