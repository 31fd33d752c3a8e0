package admin

import (
	"heliograph/views/layout"
	"heliograph/views/ui"
)

// InboxPage shows virtual messages as their recipients would read them.
type InboxPage struct {
	layout.Frame
	Lead     string
	Notes    []string // what does not come here
	Filter   ui.Filter
	Messages []InboxMessage
	Paging   ui.Paging
	Empty    Empty
}

// InboxMessage is one virtual message.
type InboxMessage struct {
	Kind, Purpose, Recipient, Subject string
	SentAt, Ago, Machine              string // time for people, how long ago, and RFC 3339
	Text                              []Piece
	// Note stands in place of the text when it is forgotten.
	Note string
}

// Piece is a part of a text, a link where Href is not empty.
type Piece struct{ Text, Href string }
