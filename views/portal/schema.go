package portal

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// SchemaPage is the reference of one named schema of a version.
type SchemaPage struct {
	layout.Page
	Nav    Nav
	Crumbs []ui.Link
	Notice Notice
	Lost   Lost
	Name   string
	// Whole is what the schema is; its anchor and name are not used.
	Whole Field
	// Example is a value of it; without text there is none.
	Example ui.Code
	// Endpoints are those that take it or answer with it.
	Endpoints []EndpointRow
	Published Published
}

// Lost says that an address names a field that is not there. The zero Lost says
// nothing.
type Lost struct {
	// Field is what was asked for, "body.to.fax".
	Field string
	// Nearest is the anchor of its nearest parent, "" when there is none.
	Nearest string
	// Whole is what the page is about: "endpoint" or "schema".
	Whole string
}
