package models

import (
	"time"

	"github.com/google/uuid"
)

// Colleague is a user of an organisation as the others see them.
type Colleague struct {
	ID         int64
	Name       string
	Email      string
	Role       string // owner, developer or viewer
	Active     bool
	SignedInAt *time.Time // last; nil for never
}

// Invitation asks somebody into an organisation.
type Invitation struct {
	ID             int64
	OrganisationID int64
	Organisation   string // its name
	Email          string // lower case
	Role           string // owner, developer or viewer
	ExpiresAt      time.Time
}

// Profile is what users say about themselves, and what recovery goes by.
type Profile struct {
	Name   string
	Email  string
	Mobile string // E.164, or empty
}

// OpenSession is a session that has not ended.
type OpenSession struct {
	IDHash    []byte
	UserAgent string
	BeganAt   time.Time
	SeenAt    time.Time // to the minute
}

// AccountOverview is how an organisation stands, as far as it is cheap to know.
type AccountOverview struct {
	Sandbox           bool
	Keys              int    // active
	PhoneNumberID     int64  // the oldest number's; 0 without one
	PhoneNumber       string // E.164
	BusinessAccountID int64
	BusinessID        int64
	CatalogueID       int64
	MessagesToday     int64 // accepted since midnight UTC, counted up to OverviewLimit
	Webhooks          int64 // set
	WebhooksFailing   int64 // with failures in a row, or disabled after them
	Delivered         bool  // one of the latest callbacks reached its endpoint
	Latest            []LatestMessage
}

// LatestMessage is a message with its status.
type LatestMessage struct {
	ID        uuid.UUID
	Channel   string
	Recipient string
	Kind      string
	State     string
	CreatedAt time.Time
}

// ListedKey is an API key as its organisation sees it.
type ListedKey struct {
	ID        int64
	Name      string
	Prefix    string   // the first characters, to tell keys apart
	Channels  []string // messaging, sms, rcs
	CreatedAt time.Time
	UsedAt    *time.Time // last, noted once a minute; nil for never
	RevokedAt *time.Time // nil while it works
}
