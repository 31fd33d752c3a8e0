package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// UsersPage lists the administrators.
type UsersPage struct {
	layout.Frame
	Invite ui.Link
	List   List
}

// UserPage shows one administrator and what can be changed.
type UserPage struct {
	layout.Frame
	Problem string
	// Warning is about how the account stands; empty is none.
	Warning string
	Facts   []ui.Pair
	// Audit leads to what the account did, and what was done to it.
	Audit []ui.Link
	// Sessions are where they are signed in, and EndSessions ends them.
	Sessions    ui.Table
	EndSessions ui.Post
	// Own says why there is nothing to change: it is one's own account.
	Own  string
	Role Form
	// Products is the form of what an Editor writes, without an action where
	// there are none.
	Products Form
	Actions  []ui.Post
	Delete   ui.Post
}
