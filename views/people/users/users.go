// Package users renders the users of the administration.
package users

import (
	"heliograph/views/forms"
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// UsersPage lists the administrators.
type UsersPage struct {
	layout.Frame
	Invite ui.Link
	List   ui.Listing
}

// UserPage shows one administrator with the forms that change the account.
type UserPage struct {
	layout.Frame
	Problem string
	// Warning is about the state of the account; empty is none.
	Warning string
	Facts   []ui.Pair
	// Audit links to the entries by the account and about it.
	Audit []ui.Link
	// Sessions lists the open sessions, and EndSessions ends them.
	Sessions    ui.Table
	EndSessions ui.Ask
	// Own explains why the own account cannot be changed; empty for others.
	Own  string
	Role forms.Form
	// Products assigns products to an Editor; it has no action if there are none.
	Products forms.Form
	Actions  []ui.Post
	// Deactivate has no region if the account is inactive.
	Deactivate ui.Ask
	Remove     ui.Ask
	RemoveNote string // describes the effect
}
