package reader

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// SchemaPage is the reference of one named schema of a version.
type SchemaPage struct {
	layout.Page
	Nav    Nav
	Notice Notice
	Lost   Lost
	Name   string
	// Whole is the field of the schema. Its anchor and name are not used.
	Whole Field
	// Example is an example value; it may be empty.
	Example ui.Code
	// Endpoints are those that use it.
	Endpoints []EndpointRow
	Published Published
}

// Lost is the message that an address names a missing field. The zero Lost
// shows nothing.
type Lost struct {
	// Field is the name in the address, "body.to.fax".
	Field string
	// Nearest is the anchor of its nearest parent, "" when there is none.
	Nearest string
	// Whole is what the page is about: "endpoint" or "schema".
	Whole string
	// Entry links to the comparison that removed or added the field; it may be
	// empty.
	Entry ui.Link
}
