// Package contacts renders enquiries and their settings.
package contacts

import (
	"github.com/a-h/templ"

	"heliograph/views/forms"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// ContactsPage lists enquiries. Links lead to the settings and the like.
type ContactsPage struct {
	layout.Frame
	Links []ui.Link
	List  ui.Listing
	// Bulk acts on the chosen rows; it has no action for a role that may not.
	Bulk forms.Form
}

// bulkForm is the id of the form that the checkboxes of rows belong to.
const bulkForm = "form-bulk"

// ContactPage shows one enquiry and how it is worked.
type ContactPage struct {
	layout.Frame
	Problem string
	Facts   []ui.Pair
	Message string
	// Status, Assign and Note have no action for a role that only reads.
	Status, Assign, Note forms.Form
	Deliveries           ui.Table
	Attempts             []ui.Table
	History              ui.Table
	// Live refreshes deliveries and history.
	Live templ.Attributes
}

// ReportPage shows the results of an action on several rows.
type ReportPage struct {
	layout.Frame
	Lead  string
	Table ui.Table
}

// ContactSettingsPage shows the settings of enquiries.
type ContactSettingsPage struct {
	layout.Frame
	Settings forms.Form
	// SecretNote says how the webhook is signed.
	SecretNote string
	// Secret shows a new secret once; empty is none.
	Secret  ui.Code
	Replace ui.Ask
	Erase   forms.Form
}
