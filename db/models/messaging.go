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
	Sender         string // the channel's own: phone number id, header or agent
	Recipient      string // digits with country code, without +, or a user id on the messaging channel
	Kind           string // template, text, …
	Payload        json.RawMessage
	Reference      string     // the partner's own, echoed in statuses
	Category       string     // what it counts as: authentication, marketing, utility or service; empty on other channels
	TTL            int        // seconds that it is tried, 0 for the channel's own
	Subject        string     // of the webhook for its callbacks; empty for the sender's
	Parts          int        // that it is handed over in; 0 means 1
	ScheduledAt    *time.Time // when it is sent; nil for at once
	State          string     // of its leg
	CreatedAt      time.Time
	Leg            int        // that is carried now; 0 means 1
	Legs           []Leg      // after the first, in order
	LegAt          *time.Time // when the leg began; nil on the first
}

// Leg is a further channel that carries a message when the one before it fails.
type Leg struct {
	Channel string          `json:"channel"` // another one than those before
	Sender  string          `json:"sender"`
	Kind    string          `json:"kind"`
	Payload json.RawMessage `json:"payload"`         // in the channel's own shape
	Parts   int             `json:"parts,omitempty"` // 0 means 1
	TTL     int             `json:"ttl,omitempty"`   // seconds from the start of the leg, 0 for the channel's own
}

// Current returns a message as the channel of its leg has it. On the first leg
// that is the message itself.
func (m Message) Current() Message { return m.OnLeg(m.Leg) }

// OnLeg returns a message as the channel of a leg has it.
func (m Message) OnLeg(n int) Message {
	m.Leg = max(n, 1)
	if m.Leg == 1 || m.Leg-2 >= len(m.Legs) {
		return m
	}
	leg := m.Legs[m.Leg-2]
	m.Channel, m.Sender, m.Kind, m.Payload, m.Parts, m.TTL = leg.Channel, leg.Sender, leg.Kind, leg.Payload, leg.Parts, leg.TTL
	return m
}

// Next returns the leg that follows the current one; nil if there is none.
func (m Message) Next() *Leg {
	if next := max(m.Leg, 1) - 1; next < len(m.Legs) {
		return &m.Legs[next]
	}
	return nil
}

// LegOf returns the leg of a channel, 0 if the message has none.
func (m Message) LegOf(channel string) int {
	if m.Channel == channel {
		return 1
	}
	for i, leg := range m.Legs {
		if leg.Channel == channel {
			return i + 2
		}
	}
	return 0
}

// Moved is a message that has just changed its state, and the webhook for its
// callbacks. WebhookID is zero if no webhook was ever set.
type Moved struct {
	Message
	At             time.Time // of the state
	WebhookID      int64
	WebhookFailing bool
	Again          bool // a leg after the first had reached the state before, and was taken back
}

// Carriage is the hand-over of one part of a message to a carrier.
type Carriage struct {
	MessageID  uuid.UUID
	Leg, Part  int // from 1
	Channel    string
	Carrier    string // its name
	ProviderID string // the carrier's own id, empty while it gave none
	State      string // dialling, waiting or a state of the message
	Attempts   int
	Failure    json.RawMessage
	UpdatedAt  time.Time
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
	Format         string // in the channel's words
	Secret         []byte // sealed; nil for the secret of the subject
	// PreviousSecret signs as well until PreviousSecretUntil, sealed; nil except for
	// a while after a rotation.
	PreviousSecret      []byte
	PreviousSecretUntil *time.Time
	Failures            int // in a row
	FailingSince        *time.Time
	OpenUntil           *time.Time // nothing is posted before; set until a probe succeeds
	DisabledAt          *time.Time
	DisabledReason      string
	// RecentAttempts counts attempts from the first failure on, RecentFailures
	// those that failed. Both fade with time and are as of CountedAt.
	RecentAttempts, RecentFailures float64
	CountedAt                      *time.Time
}

// Delivery is one callback on its way, with the webhook it goes to.
type Delivery struct {
	ID       int64
	Webhook  Webhook
	Event    string
	Body     []byte // in the channel's form
	State    string // pending, delivered or failed
	Attempts int    // made so far
	Before   int    // of them before the last replay
	// Earlier reports whether an earlier callback about the same message waits for
	// its first attempt.
	Earlier   bool
	CreatedAt time.Time
	Secret    []byte // sealed signing secret of the subject, nil if the webhook has its own
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
