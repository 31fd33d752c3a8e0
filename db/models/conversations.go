package models

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// InboundMessage is a message that somebody wrote to a number.
type InboundMessage struct {
	ID            uuid.UUID // version 7
	PhoneNumberID int64
	Contact       string // digits with country code, without +; the user id of a person without a number
	UserID        string // of the contact, empty if it is not known
	Kind          string // text, button, interactive, …
	Payload       json.RawMessage
	Context       *uuid.UUID // the message that it answers
	ReceivedAt    time.Time
}
