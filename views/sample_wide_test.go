package views_test

import (
	"strings"
	"time"

	"heliograph/views/channels/owntemplates"
	"heliograph/views/layout"
	"heliograph/views/reader"
	"heliograph/views/ui"
)

// widePages have what is wider than most: links of a theme in the header, a long name of
// the portal, a table of many columns, and names of one long word.
func widePages() []page {
	linked, named, schema := homePage(), endpointPage(), schemaPage()
	linked.Brand = &layout.Brand{Links: themeLinks}
	named.Brand = &layout.Brand{Name: "Wunderbar Messaging Documentation Portal", Links: themeLinks}
	schema.Name = "AuthenticationTemplateCreateRequest"
	schema.Whole.Children = append([]reader.Field{{Name: "business_public_key_signature_status_of_number", Anchor: "schema.signature", Type: "string"}}, schema.Whole.Children...)
	templates := owntemplates.Page{Frame: accountFrame("Templates", "Templates", ""), Docs: ui.Link{Label: "Documentation", Href: "/docs"}, Templates: ui.Table{
		Caption: "Templates", Quiet: true,
		Columns: []ui.Column{{Label: "Template"}, {Label: "Language"}, {Label: "Category"}, {Label: "State"}, {Label: "Template id"}, {Label: "Created (UTC)"}, {Label: "Reason"}},
		Rows: [][]ui.Cell{
			{{Text: "order_update", Mono: true}, {Text: "en_US"}, {Text: "AUTHENTICATION"}, {Text: "APPROVED", Badge: true, Tone: ui.Good}, {Text: "6888355046557073", Mono: true}, ui.Minute(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)), {Text: "–"}},
			{{Text: "login_code", Mono: true}, {Text: "en_US"}, {Text: "UTILITY"}, {Text: "REJECTED", Badge: true, Tone: ui.Bad}, {Text: "6104418773555533", Mono: true}, ui.Minute(time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)), {Text: strings.Repeat("Ω", 90)}},
		},
	}}
	return []page{
		{"home-linked", linked.Page, reader.Home(linked)},
		{"endpoint-linked", named.Page, reader.Endpoint(named)},
		{"schema-long", schema.Page, reader.Schema(schema)},
		{"account-templates", templates.Page, owntemplates.Show(templates)},
	}
}

var themeLinks = []ui.Link{
	{Label: "Company homepage", Href: "https://example.com"},
	{Label: "Status of the service", Href: "https://example.com/2"},
	{Label: "Community and help", Href: "https://example.com/3"},
}
