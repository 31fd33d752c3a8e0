package models

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// LoggedMessage is a message with everything that is known of it.
type LoggedMessage struct {
	Message
	ProviderID string          // the carrier's own id, empty while it gave none
	Failure    json.RawMessage // why it failed, nil when it did not
	Events     []MessageEvent  // in the order in which they happened
	RequestID  string          // of the request that sent it; empty for older messages
}

// FoundMessage is a message with the name of its organisation.
type FoundMessage struct {
	Message
	Organisation string
}

// MessageEvent is a state that a message reached.
type MessageEvent struct {
	State      string
	OccurredAt time.Time
	Failure    json.RawMessage
	Leg        int // from 1
}

// LoggedDelivery is a callback as the log shows it.
type LoggedDelivery struct {
	ID         int64
	Channel    string     // messaging, sms or rcs
	Subject    string     // messaging: the phone number id
	MessageID  *uuid.UUID // the message that it is about
	Event      string
	State      string // pending, delivered or failed
	Attempts   int
	NextAt     *time.Time // the next attempt
	CreatedAt  time.Time
	FinishedAt *time.Time
	// LastStatus and LastError say how the last attempt ended: 0 and empty
	// before the first.
	LastStatus int
	LastError  string
}

// Replay is a range of the finished callbacks of a webhook that were posted once
// more.
type Replay struct {
	ID, OrganisationID, WebhookID int64
	Subject                       string    // messaging: the phone number id
	Since, Until                  time.Time // stored at or after, and before
	Everything                    bool      // those that had been delivered, too
	Callbacks                     int
	At                            time.Time
	// How far those are by now that no later replay took.
	Waiting, Delivered, Failed int
}

// DeliveryPosition is a place in the log of deliveries, which is ordered by
// time and, within it, by id.
type DeliveryPosition struct {
	At time.Time
	ID int64
}

// Usage is what an organisation sent on one day over one channel.
type Usage struct {
	Day       time.Time // midnight UTC
	Channel   string
	Messages  int
	Delivered int // or read
	Failed    int
}

// NumberWebhook is a phone number with its webhook, if one was ever set.
type NumberWebhook struct {
	Number  PhoneNumber
	Webhook Webhook // zero for none
}
