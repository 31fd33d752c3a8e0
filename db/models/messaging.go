package models

import (
	"encoding/json"
	"time"

	"github.com/google/uuid"
)

// Message is one accepted send.
type Message struct {
	ID             uuid.UUID // version 7
	OrganisationID int64
	Channel        string // messaging, sms or rcs
	SenderID       int64  // messaging: id of the phone number
	Recipient      string // digits with country code, without +
	Kind           string // template, text, …
	Payload        json.RawMessage
	Reference      string // the partner's own, echoed in statuses
	Category       string // what it counts as: authentication, marketing, utility or service; empty on other channels
	TTL            int    // seconds that it is tried, 0 for the channel's own
	State          string // accepted, sent, delivered, read or failed
	CreatedAt      time.Time
}

// Moved is a message that has just changed its state, with what a callback
// about it needs. WebhookID is zero when no webhook is set.
type Moved struct {
	Message
	Product           string // the channel word that the sender used
	Number            string // the sending number, E.164
	BusinessAccountID int64
	WebhookID         int64
	WebhookFailing    bool
}

// PhoneNumber is a number that an organisation sends from.
type PhoneNumber struct {
	ID                int64
	OrganisationID    int64
	BusinessAccountID int64
	BusinessID        int64
	Sandbox           bool   // of a sandbox organisation
	Number            string // E.164
	VerifiedName      string
	WebhookSecret     []byte // sealed
	// PreviousSecret, sealed, signs beside WebhookSecret until then; nil for none.
	PreviousSecret      []byte
	PreviousSecretUntil *time.Time
}

// Webhook is where the callbacks of one subject go.
type Webhook struct {
	ID             int64
	OrganisationID int64
	Channel        string
	Subject        string // messaging: the phone number id
	URL            string
	Headers        []byte // sealed JSON object
	Failures       int    // in a row
	FailingSince   *time.Time
	OpenUntil      *time.Time // nothing is posted before
	DisabledAt     *time.Time
	DisabledReason string
}

// Delivery is one callback on its way, with the webhook it goes to.
type Delivery struct {
	ID       int64
	Webhook  Webhook
	Body     []byte
	State    string // pending, delivered or failed
	Attempts int    // made so far
	Before   int    // of them before the last replay
	Secret   []byte // sealed signing secret of the subject
	// PreviousSecret, sealed, signs as well while secrets are rotated; else nil.
	PreviousSecret []byte
}

// Attempt is one try at a delivery.
type Attempt struct {
	DeliveryID int64
	Number     int
	StartedAt  time.Time
	Latency    time.Duration
	URL        string
	Headers    string // names of the partner's own headers, a line each
	Status     int    // 0 when no answer came
	Error      string // why it failed
	Response   string // first 2 kB, printable
}

// IdempotentReply is what was answered to an Idempotency-Key before.
type IdempotentReply struct {
	Key         string
	Route       string
	Fingerprint []byte // SHA-256 of the request
	Status      int
	Response    []byte
}
