package models

import (
	"time"

	"github.com/google/uuid"
)

// The kinds of notifications.
const (
	KindSMS   = "sms"
	KindEmail = "email"
)

// Notification is a message to a person.
type Notification struct {
	ID         uuid.UUID
	Kind       string // sms or email
	Purpose    string
	Recipient  string // E.164 or an email address
	Subject    string // of an email
	Body       []byte // sealed; nil once nobody needs it
	HTML       []byte // sealed; the HTML part of an email, kept as long as Body
	Topic      string
	State      string // queued, sent, failed, expired or cancelled
	Virtual    bool
	Charged    bool // counted for the budget of its day
	Attempts   int
	CreatedAt  time.Time
	ExpiresAt  time.Time
	FinishedAt *time.Time
}

// LoggedNotification is a notification as the log shows it.
type LoggedNotification struct {
	Notification
	Answer   string // of the provider to the last attempt
	Sendable bool   // whether it can be sent again
}

// The outcomes of an attempt.
const (
	OutcomeAccepted    = "accepted"
	OutcomeRejected    = "rejected"    // for good: trying again changes nothing
	OutcomeUnavailable = "unavailable" // for now: worth trying again
)

// VirtualProvider takes what is sent in the virtual modes.
const VirtualProvider = "the virtual inbox"

// Why a provider did not answer.
const (
	FaultAddress     = "address"     // it leads to nothing that may be dialled
	FaultRefused     = "refused"     // nothing listens there
	FaultTimeout     = "timeout"     // nothing came in time
	FaultCertificate = "certificate" // its TLS certificate is not accepted
	FaultTLS         = "tls"         // TLS could not be agreed on
	FaultBroken      = "broken"      // the connection ended, or spoke another protocol
	FaultUnsuited    = "unsuited"    // it lacks what the settings ask for
	FaultMessage     = "message"     // the message could not be written
	FaultTarget      = "target"      // its address is not public; of calls of the API console
	FaultDNS         = "dns"         // its name has no address, likewise
	FaultCancelled   = "cancelled"   // the caller went away, likewise
)

// NotificationAttempt is one try to hand a notification to its provider.
type NotificationAttempt struct {
	NotificationID uuid.UUID
	Number         int
	StartedAt      time.Time
	Latency        time.Duration
	Provider       string // host that was asked
	Outcome        string
	Fault          string        // why there is no answer; empty where there is one
	Answer         string        // status and text as the provider gave them, else what happened
	RetryAfter     time.Duration // what the provider asked for; not stored
}

// Dispatch is a notification in clear with the settings that it is sent by. It
// is never stored.
type Dispatch struct {
	ID        uuid.UUID
	Kind      string
	Recipient string
	Subject   string
	Text      string
	HTML      string // of an email; may be empty
	Attempts  int    // made before
	ExpiresAt time.Time
	SMS       SMSSettings   // for kind sms
	Email     EmailSettings // for kind email
}

// Virtual reports whether the message goes to the inbox of the administration.
func (d Dispatch) Virtual() bool {
	if d.Kind == KindSMS {
		return d.SMS.Mode == ModeVirtual
	}
	return d.Email.Mode == ModeVirtual
}

// SMSBudget is what was used of a day's budget.
type SMSBudget struct {
	Used      int
	WarnedAt  *time.Time // when administrators were notified that little is left
	AlertedAt *time.Time // when administrators were notified that nothing is left
}
