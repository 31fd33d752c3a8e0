// Package account holds the pages on which an organisation looks after itself.
package account

import "heliograph/views/layout"

// HomePage is the account's first page.
type HomePage struct {
	layout.Frame
	Organisation string
	Email        string // of who is signed in
	Role         string
	CSRF         string
}
