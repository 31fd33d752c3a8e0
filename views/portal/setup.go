package portal

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// SetupPage tells how to connect an assistant to the documentation.
type SetupPage struct {
	layout.Page
	Crumbs    []ui.Link
	Server    string // address of the endpoint
	Clients   []Client
	Tools     []Tool
	Questions []string
	Checked   string // when the settings of clients were last checked
	IsLocal   bool   // the address is not on the public internet
}

// Client is a program with its settings. Add opens it with them, if it can.
type Client struct {
	ID, Name, Steps string
	Add             ui.Link
	Code            ui.Code
}

// Tool is a tool of the endpoint.
type Tool struct{ Name, Text string }

// panels are the clients as tabs.
func (p SetupPage) panels() []ui.Panel {
	list := make([]ui.Panel, len(p.Clients))
	for i, c := range p.Clients {
		list[i] = ui.Panel{ID: c.ID, Label: c.Name, Body: client(c)}
	}
	return list
}
