package models

import "time"

// Suppression is a number or a user id that must not be contacted.
type Suppression struct {
	OrganisationID int64  // 0 for every organisation
	Recipient      string // digits with country code, or a user id
	Channel        string // empty for every channel
	Reason         string // stop or list
	Note           string
	Actor          string
	CreatedAt      time.Time
}

// CarriedMessage is a message that is to be handed over.
type CarriedMessage struct {
	Message
	// Suppression is the reason why its recipient must not be contacted: everyone
	// for a number on the list of all organisations, list, stop, removed for a sender that
	// is gone, or empty.
	Suppression string
}
