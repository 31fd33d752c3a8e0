package models

import "github.com/google/uuid"

// MockCallback is a callback that a caller of a mock asked for.
type MockCallback struct {
	ID             uuid.UUID
	OrganisationID int64 // of the key with which the caller asked
	Method, URL    string
	Headers        map[string]string // of the signature
	Body           []byte
}
