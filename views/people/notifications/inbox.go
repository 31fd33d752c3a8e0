// Package notifications renders the messages that the portal sends.
package notifications

import (
	"github.com/a-h/templ"

	"heliograph/views/layout"
	"heliograph/views/ui"
)

// InboxPage shows virtual messages as their recipients would read them.
type InboxPage struct {
	layout.Frame
	Lead     string
	Notes    []string   // which messages do not arrive here
	List     ui.Listing // without a table, but for its Rest
	Messages []InboxMessage
}

// focused puts the focus on the first of the messages that are appended.
func (p InboxPage) focused(message int) templ.Attributes {
	if !p.List.Table.Rest.Appended || message > 0 {
		return nil
	}
	return templ.Attributes{"tabindex": "-1", "autofocus": true}
}

// InboxMessage is one virtual message.
type InboxMessage struct {
	Kind, Purpose, Recipient, Subject string
	SentAt, Ago, Machine              string // time for people, how long ago, and RFC 3339
	Text                              []Piece
	// ID and HTML, the address of the HTML part, are empty if there is only text.
	ID, HTML string
	// Note replaces a text that is no longer available.
	Note string
}

// Piece is a part of a text. It is a link if it has an Href.
type Piece struct{ Text, Href string }
