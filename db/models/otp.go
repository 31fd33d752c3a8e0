package models

import (
	"time"

	"github.com/google/uuid"
)

// OTPChallenge is a one-time password that was asked for.
type OTPChallenge struct {
	ID        uuid.UUID
	Purpose   string // registration or recovery
	UserID    int64  // of an organisation; 0 for nobody
	Phone     string // E.164, or empty
	Hash      []byte // HMAC of the code; nil until there is one
	Attempts  int
	Ended     string // why no code is accepted any more: expired, used, guessed or replaced; empty while open
	CreatedAt time.Time
	ExpiresAt time.Time
}

// Applicant is somebody with an address that an organisation registers with.
type Applicant struct {
	UserID       int64 // 0 for nobody
	Name         string
	Email        string
	Mobile       string // E.164, or empty
	PasswordHash string
	Organisation Organisation
	// Pending is true until the first code was entered.
	Pending bool
}
