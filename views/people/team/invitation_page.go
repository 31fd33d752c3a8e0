// Package team renders colleagues and invitations.
package team

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// InvitationPage accepts an invitation.
type InvitationPage struct {
	layout.Page
	Organisation, Role, Email string
	Token, CSRF               string
	Inputs                    []ui.Input
	Problem                   string
}
