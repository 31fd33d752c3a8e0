package models

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// RCSBot is a sender of the RCS channel.
type RCSBot struct {
	ID             string
	OrganisationID int64
	Organisation   string // name
	Sandbox        bool   // of the organisation
	Name           string
	Profile        json.RawMessage // the fields as they were sent
	Verification   string          // UNVERIFIED, PENDING, VERIFIED or REJECTED
	Launch         string          // UNLAUNCHED, PENDING, LAUNCHED, REJECTED, SUSPENDED or PENDING_UNLAUNCH
	Reason         string          // of a rejection or suspension
	ClientID       *string         // from verification on
	HasSecret      bool            // a client secret was issued
	Transform      string          // form of relayed events: DEFAULT, GOOGLE_RBM or MAAP
	Submission     json.RawMessage // what the reviewers were given; nil before
	SubmittedAt    *time.Time
	WebhookURL     string // empty for none
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// RCSImage is an image of a bot.
type RCSImage struct {
	BotID, Name, MediaType string
	Content                []byte
}

// RCSDevice is a phone that a bot may send to before it is launched.
type RCSDevice struct {
	BotID, Number, Name string
	State               string // PENDING, ACCEPTED or DECLINED
	InvitedAt           time.Time
	AnsweredAt          *time.Time
}

// RCSTemplate is a template of a bot.
type RCSTemplate struct {
	ID, BotID      string
	OrganisationID int64
	Name, Type     string          // Type is TEXT, STANDALONE or CAROUSEL
	Content        json.RawMessage // the fields of its type as they were sent
	State          string          // PENDING, APPROVED or REJECTED
	Reason         string          // of a rejection
	Revision       int             // counts its contents
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// RCSMessageID is a message id of a partner, unique within a bot.
type RCSMessageID struct {
	MessageID   string
	Fingerprint []byte // SHA-256 of the content that it was used with
	ID          uuid.UUID
}
