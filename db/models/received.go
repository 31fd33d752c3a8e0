package models

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// ReceivedMessage is a message that an organisation received.
type ReceivedMessage struct {
	ID             uuid.UUID // version 7
	OrganisationID int64
	Channel        string
	Contact        string // digits with country code, or a user id
	Recipient      string // the number or header that was written to
	Kind           string // text, button, …
	Payload        json.RawMessage
	ReceivedAt     time.Time
}

// SMSNumber is a number at which an organisation receives SMS.
type SMSNumber struct {
	Number         string // digits; a short one has no country code
	OrganisationID int64
	CreatedAt      time.Time
}
