package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// OrganisationsPage lists the organisations.
type OrganisationsPage struct {
	layout.Frame
	List List
}

// OrganisationPage shows one organisation.
type OrganisationPage struct {
	layout.Frame
	Facts []ui.Pair
	// Users, Keys, Webhooks and Usage are shown with their captions.
	Users, Keys, Webhooks, Usage ui.Table
	// Change activates or deactivates; without an action the reader may not.
	Change Form
	// Audit leads to what was done to the organisation.
	Audit ui.Link
}
