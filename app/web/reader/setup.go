package reader

import (
	"context"
	"fmt"
	"strings"

	"heliograph/app/documentation/mcp"
	"heliograph/app/documentation/published"
	"heliograph/app/web/page"
	"heliograph/views/layout"
	views "heliograph/views/reader"
	"heliograph/views/ui"
)

// setupPath is the path of the page about the Model Context Protocol.
const setupPath = "/mcp-setup"

// Setup is the address of the page that tells how to connect an assistant.
var Setup = Address{path: setupPath, find: func(*site, parameters) source { return setupSource{} }}

type setupSource struct{ place }

// Nothing of the documentation is on the page.
func (setupSource) release(s *site) release { return release{menu: s.menu} }

func (setupSource) view(_ context.Context, s *site, _ asked) (page.View, error) {
	setup := newSetupPage(s)
	return page.View{Frame: setup.Page, Body: views.Setup(setup)}, nil
}

func (setupSource) markdown(_ context.Context, s *site, _ choice) (string, error) {
	return setupText(s), nil
}

// questions are examples of what to ask an assistant.
var questions = []string{
	"Which fields does sending a template message require? Use the documentation server.",
	"Write Python code that creates an RCS bot, with every documented error handled.",
	"What changes for my program from version 1.0 to 1.1 of the Portal API?",
}

// newSetupPage returns the page that tells how to connect an assistant.
func newSetupPage(s *site) views.SetupPage {
	setup := views.SetupPage{
		Page:      s.frame(nil),
		Server:    s.url + "/mcp",
		Questions: questions,
		Checked:   clientsChecked,
		IsLocal:   strings.HasPrefix(s.url, "http://"),
	}
	setup.Crumbs = []ui.Link{{Label: "Home", Href: "/"}, {Label: "Connect an assistant", Current: true}}
	setup.Title, setup.Page.Description = "Connect an assistant", "Add the documentation to Claude, Cursor, VS Code, Codex and other assistants over the Model Context Protocol."
	setup.Canonical, setup.Address, setup.Text = s.url+setupPath, s.url+setupPath, setupPath+".md"
	for _, c := range clients(s.url + "/mcp") {
		setup.Clients = append(setup.Clients, views.Client{
			ID: "client-" + c.slug, Name: c.name, Steps: c.steps, Add: ui.Link{Label: "Add to " + c.name, Href: c.link},
			Code: ui.Code{Title: c.place, Language: c.language, Text: c.text},
		})
	}
	setup.Products, setup.Example = toolChoices(s.snapshot)
	for _, t := range mcp.Tools() {
		setup.Tools = append(setup.Tools, ui.Pair{Key: t.Name, Value: t.About})
	}
	return setup
}

// toolChoices returns the products with endpoints that can be called up, and the first
// endpoint of the first of them.
func toolChoices(now *published.Snapshot) (products []ui.Option, first views.ToolExample) {
	for _, p := range now.Products {
		if v := p.Latest(); v != nil && !p.Hidden && !p.ComingSoon && len(v.Endpoints()) > 0 {
			products = append(products, ui.Option{Value: p.Slug, Label: p.Name})
			if first.Product == "" {
				first = views.ToolExample{Product: p.Slug, Endpoint: v.Endpoints()[0].Slug}
			}
		}
	}
	return products, first
}

// setupText returns the page as Markdown.
func setupText(s *site) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Connect an assistant\n\nThe documentation as an MCP server (Streamable HTTP, read only, without sign-in) · <%s>\n\nAddress: `%s/mcp`\n\n", s.url+setupPath, s.url)
	for _, c := range clients(s.url + "/mcp") {
		fmt.Fprintf(&b, "## %s\n\n%s %s\n\n```%s\n%s\n```\n\n", c.name, c.steps, c.link, c.language, c.text)
	}
	b.WriteString("## Tools\n\n")
	for _, t := range mcp.Tools() {
		fmt.Fprintf(&b, "- `%s`: %s\n", t.Name, t.About)
	}
	return b.String()
}

// addExports adds the menu of what can be taken from a page of a version, or of one
// of its operations where it is not nil.
func (s *site) addExports(f *layout.Page, at place, op *published.Operation) {
	r := at.reference()
	if op != nil {
		f.Exports = append(f.Exports, ui.Link{Label: "OpenAPI of this " + nounOf(op), Href: r.OperationOpenAPIPath(op, "json")})
		if href := simulatorOf(at.product.Slug, op, ""); href != "" {
			f.Exports = append(f.Exports, ui.Link{Label: "Open in the simulator", Href: href})
		}
	}
	f.Exports = append(f.Exports,
		ui.Link{Label: "OpenAPI of " + at.version.Slug + ", JSON", Href: r.OpenAPIPath("json")},
		ui.Link{Label: "OpenAPI of " + at.version.Slug + ", YAML", Href: r.OpenAPIPath("yaml")},
		ui.Link{Label: "Postman collection", Href: r.PostmanPath("collection")},
		ui.Link{Label: "Postman environment", Href: r.PostmanPath("environment")},
		ui.Link{Label: "Client libraries (SDK)", Href: r.SDKPath()},
		ui.Link{Label: "Connect an assistant", Href: setupPath},
	)
	f.Server = s.url + "/mcp"
	for _, c := range clients(f.Server) {
		if c.link != "" {
			f.Exports = append(f.Exports, ui.Link{Label: "Add to " + c.name, Href: c.link})
		}
	}
}
