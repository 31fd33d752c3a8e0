// Package organisations renders organisations and what belongs to them.
package organisations

import (
	"heliograph/views/forms"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// OrganisationsPage lists the organisations.
type OrganisationsPage struct {
	layout.Frame
	// Add opens the form that adds one; a role that may not has none.
	Add  ui.Link
	List ui.Listing
}

// OrganisationPage shows one organisation.
type OrganisationPage struct {
	layout.Frame
	// Region is the region of the facts and their links.
	Region ui.Region
	Facts  []ui.Pair
	Links  []ui.Link
	// Users, Keys, Webhooks and Usage are shown with their captions.
	Users, Keys, Webhooks, Usage ui.Table
	// Change activates or deactivates; it has no action for a role that may not.
	Change forms.Form
}

// OrganisationSMSPage shows what an organisation may do with SMS.
type OrganisationSMSPage struct {
	layout.Frame
	Facts []ui.Pair
	// Change has no action for a role that may not change it.
	Change forms.Form
	// Numbers are those at which it receives SMS.
	Numbers forms.Form
}
