package models

import (
	"time"

	"github.com/google/uuid"
)

// The statuses of enquiries. An unconfirmed one waits until its sender opens the
// link of an email.
const (
	EnquiryUnconfirmed = "unconfirmed"
	EnquiryNew         = "new"
	EnquiryContacted   = "contacted"
	EnquiryQualified   = "qualified"
	EnquiryWon         = "won"
	EnquiryLost        = "lost"
	EnquirySpam        = "spam"
)

// The kinds of deliveries of an enquiry.
const (
	ContactEmail   = "email"
	ContactWebhook = "webhook"
)

// The states of deliveries of an enquiry.
const (
	ContactWaiting   = "waiting" // nobody is set up to receive it
	ContactPending   = "pending"
	ContactDelivered = "delivered"
	ContactFailed    = "failed"
)

// Enquiry is what a visitor sent with the contact form.
type Enquiry struct {
	ID             uuid.UUID
	Reference      string
	Status         string
	Organisation   string
	Website        string // a URL, or empty
	Name           string
	Email          string
	Phones         []string // in E.164
	GSTNumber      string   // or empty
	Message        string
	Page           string // the path of the page that the form was opened from
	ConsentVersion string
	ConsentedAt    time.Time
	AssigneeID     *int64
	ClientHash     []byte
	Fingerprint    []byte
	Repeats        int // how often it was sent again
	RepeatedAt     *time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// EnquiryRow is an enquiry in a list, with the states of its deliveries. A state
// is empty without a delivery.
type EnquiryRow struct {
	ID           uuid.UUID
	Reference    string
	Status       string
	Organisation string
	Name         string
	Email        string
	Assignee     string // name; empty without one
	EmailState   string
	WebhookState string
	CreatedAt    time.Time
}

// EnquiryFilter selects enquiries. Zero values select all but spam and the
// unconfirmed.
type EnquiryFilter struct {
	Text     string // part of the reference, organisation, name, email, phone number or message
	Status   string // or "open": new, contacted and qualified
	Delivery string // "failed", "waiting", "pending" or "delivered"
	Assignee int64  // -1 is nobody
	// Before is the last enquiry of the previous page.
	Before      uuid.UUID
	OldestFirst bool
	Limit       int
}

// EnquiryEvent is an entry of the history of an enquiry.
type EnquiryEvent struct {
	ID            int64
	Actor         string // "admin:1", "visitor" or "system"
	Name          string // of the administrator, if there is one
	Kind          string
	Before, After string
	CreatedAt     time.Time
}

// ContactDelivery is how an enquiry is delivered by email or to the webhook.
type ContactDelivery struct {
	EnquiryID      uuid.UUID
	Kind           string
	State          string
	NotificationID *uuid.UUID
	Attempts       int
	QueuedAt       time.Time
	Problem        string
	FinishedAt     *time.Time
}

// ContactAttempt is an attempt at an email or the webhook of an enquiry.
type ContactAttempt struct {
	Number    int
	StartedAt time.Time
	LatencyMS int
	Status    int // of the response of a webhook; 0 without one
	Problem   string
	Response  string
}

// ContactSettings say who is notified of enquiries, who works them and how long
// they are kept.
type ContactSettings struct {
	URL string `json:"url"` // of the webhook; empty is none
	// Secret signs the webhook, in the format of Standard Webhooks. Previous also
	// signs until PreviousUntil.
	Secret        Secret    `json:"-"`
	Previous      Secret    `json:"-"`
	PreviousUntil time.Time `json:"previous_until"`
	// Editors is whether Editors may change enquiries; all administrators read.
	Editors bool `json:"editors"`
	// KeepDays is how long an enquiry is kept after its last change, and
	// KeepSpamDays for spam and the unconfirmed.
	KeepDays     int `json:"keep_days"`
	KeepSpamDays int `json:"keep_spam_days"`
	// Challenge is when browsers have to compute a proof of work: "off", "on" or
	// "busy".
	Challenge string `json:"challenge"`
}

// ContactOverview counts enquiries that need attention.
type ContactOverview struct {
	Open     int64
	OldestAt *time.Time // the oldest new one
	Failed   int64      // deliveries
	Waiting  int64      // emails without a recipient
}
