package models

import "time"

// RefusedCall is a request to a channel API that was refused, or several within seconds
// that were alike.
type RefusedCall struct {
	ID             int64
	OrganisationID *int64 // nil if the key was never issued
	Organisation   string // its name
	KeyHash        []byte // of a key that looks like one, for its organisation; not stored
	KeyID          int64  // of the key that was accepted; not stored
	KeyPrefix      string
	Channel        string
	Method         string
	Path           string
	Status         int
	Code           int
	RequestID      string
	Repeats        int
	At             time.Time
}
