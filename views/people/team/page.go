package team

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// TeamPage lists colleagues and invitations.
type TeamPage struct {
	layout.Frame
	Colleagues  ui.Table
	Invitations ui.Table
	Email       ui.Input
	Role        ui.Select
	Problem     string
}

// ColleaguePage changes the role and access of a colleague.
type ColleaguePage struct {
	layout.Frame
	Facts   []ui.Pair
	Problem string
	// RoleAction is the address that a role is posted to.
	RoleAction string
	Role       ui.Select
	// Actions need no confirmation. Deactivate is empty for an inactive colleague.
	Actions            []ui.Post
	ActivityText       string
	Deactivate, Remove ui.Ask
}
