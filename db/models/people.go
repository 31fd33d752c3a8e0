package models

import "strings"

// Person is somebody on the messaging channel: the number and the ids that mean the
// same person now.
type Person struct {
	UserID       string // empty if none is known
	ParentUserID string // of linked portfolios; empty for none
	Number       string // digits with country code; empty if it is not known
	Username     string // may change; empty for none
}

// Identity is a number or an id of a person.
type Identity struct {
	Text     string
	Kind     string // number, user, or parent for an id of linked portfolios
	Username string // of a user id
	Current  bool   // false once it was replaced
}

// NewIdentity returns an identity that was replaced.
func NewIdentity(text string) Identity {
	switch {
	case text[0] <= '9':
		return Identity{Text: text, Kind: "number"}
	case strings.Contains(text, ".ENT."):
		return Identity{Text: text, Kind: "parent"}
	}
	return Identity{Text: text, Kind: "user"}
}

// Identities returns what a person has now.
func (p Person) Identities() (list []Identity) {
	for _, text := range []string{p.Number, p.ParentUserID, p.UserID} {
		if text == "" {
			continue
		}
		one := NewIdentity(text)
		if one.Current = true; text == p.UserID {
			one.Username = p.Username
		}
		list = append(list, one)
	}
	return list
}
